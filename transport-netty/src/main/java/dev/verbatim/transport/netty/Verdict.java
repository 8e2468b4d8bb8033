// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import org.jspecify.annotations.Nullable;

/** What an acceptor answers to a dialler. */
enum Verdict {
    /** The connection is open. */
    WELCOME(0, Errno.EIO, true, "welcome"),
    /** A connection to this life of the dialler is open already, and the dialler did not prove that it is its own. */
    ALREADY_CONNECTED(1, Errno.EBUSY, true, "the two are connected already"),
    /** A connection to another life of the dialler's GID is open. */
    OTHER_LIFE_CONNECTED(
            2,
            Errno.EBUSY,
            true,
            "another device of the same GID is connected; give one of them another GUID, or wait until the other is"
                    + " gone"),
    /** The dialler has the acceptor's own GID. */
    OWN_GID(3, Errno.EINVAL, false, "both ends have this GID; give one of them another GUID"),
    /** The dialler wants to prove that it knows a secret, and the acceptor has none. */
    NO_SECRET(
            4,
            Errno.EACCES,
            false,
            "who dials has a shared secret and who listens has none; give both the same by NettyOptions.withSecret, or"
                    + " neither"),
    /** The dialler's proof is not that of the acceptor's secret. */
    OTHER_SECRET(
            5,
            Errno.EACCES,
            false,
            "the dialler's shared secret is not that of who listens; give both the same by NettyOptions.withSecret"),
    /** As many connections are open as may be. */
    FULL(
            6,
            Errno.EBUSY,
            true,
            "who listens has as many connections as it may; raise its NettyOptions.withMaxConnections, or close some");

    private final int number;
    private final Errno errno;
    private final boolean mayPass;
    private final String sentence;

    Verdict(int number, Errno errno, boolean mayPass, String sentence) {
        this.number = number;
        this.errno = errno;
        this.mayPass = mayPass;
        this.sentence = sentence;
    }

    static @Nullable Verdict of(int number) {
        for (Verdict verdict : values()) {
            if (verdict.number == number) {
                return verdict;
            }
        }
        return null;
    }

    int number() {
        return number;
    }

    /** What a dial fails with that meets it. */
    Errno errno() {
        return errno;
    }

    /** Whether another try may meet another verdict. */
    boolean mayPass() {
        return mayPass;
    }

    /** The acceptor's reason, for both ends' logs. */
    String sentence() {
        return sentence;
    }
}
