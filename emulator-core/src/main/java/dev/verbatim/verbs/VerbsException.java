// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A verb that failed immediately: nothing was done, or, for a chain of work requests, only the requests before
 * {@link #badRequest()} were posted (WR-10). It has no stack trace if the reason is a full queue, which programs use
 * for flow control (N-09).
 */
public class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final transient Refusal refusal;
    private final int badRequest;

    /** A failure with its number and its reason. */
    public VerbsException(Errno errno, Refusal refusal) {
        this(errno, refusal, 0, true);
    }

    private VerbsException(Errno errno, Refusal refusal, int badRequest, boolean withStackTrace) {
        super(null, null, withStackTrace, withStackTrace);
        this.errno = errno;
        this.refusal = refusal;
        this.badRequest = badRequest;
    }

    /** Shorthand for {@code new VerbsException(errno, Refusal.of(rule, format, values))}. */
    public static VerbsException of(Errno errno, Rule rule, String format, Object... values) {
        return new VerbsException(errno, Refusal.of(rule, format, values));
    }

    /**
     * The same failure for request {@code index} of a chain. If the reason is a full queue, which programs use for flow
     * control, it has no stack trace (WR-11).
     */
    public static VerbsException ofRequest(Errno errno, Refusal refusal, int index) {
        return new VerbsException(errno, refusal, index, errno != Errno.ENOMEM);
    }

    /** The same, with a stack trace for a full queue, too: for programs that are being inspected. */
    public static VerbsException tracedOfRequest(Errno errno, Refusal refusal, int index) {
        return new VerbsException(errno, refusal, index, true);
    }

    /**
     * Refuses null for what a verb needs (N-09).
     *
     * @param name the parameter's name
     * @return the argument
     * @throws VerbsException EINVAL if it is null
     */
    public static <T> T requireNonNull(@Nullable T argument, String name) {
        if (argument == null) {
            throw of(Errno.EINVAL, Rule.N_09, "%s=null; this argument must not be null", name);
        }
        return argument;
    }

    /** The error number. */
    public final Errno errno() {
        return errno;
    }

    /** Why the device refused. */
    public final Refusal refusal() {
        return refusal;
    }

    /** Index in the posted chain of the first work request that was not posted; 0 for other verbs. */
    public final int badRequest() {
        return badRequest;
    }

    /** The error number and the sentence that explains it; built when read. */
    @Override
    public String getMessage() {
        return errno + ": " + refusal;
    }
}
