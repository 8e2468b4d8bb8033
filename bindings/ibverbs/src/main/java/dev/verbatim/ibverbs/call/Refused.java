// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import org.jspecify.annotations.Nullable;

/** A call of C that fails with an error number of Linux, for a reason that the device does not know of. Without a stack trace. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Number of an error that {@link dev.verbatim.verbs.Errno} lacks. */
    public static final int EBADF = 9, EFAULT = 14, EMFILE = 24, ENOSYS = 38, EINPROGRESS = 115;

    private final int errno;

    /** With the number as Linux has it. */
    public Refused(int errno, @Nullable String why) {
        super(why, null, false, false);
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
