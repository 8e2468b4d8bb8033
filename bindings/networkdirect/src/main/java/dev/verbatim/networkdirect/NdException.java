// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Locale;

/** An object could not be created: the status that the COM method would return, and the reason. */
public final class NdException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient NdStatus status;

    @SuppressWarnings("AnnotateFormatMethod") // its callers are few, and all are tested
    NdException(NdStatus status, String format, Object... values) {
        super(status + ": " + String.format(Locale.ROOT, format, values));
        this.status = status;
    }

    NdException(NdStatus status, RuntimeException cause) {
        super(status + ": " + cause.getMessage(), cause);
        this.status = status;
    }

    /** The status. */
    public NdStatus status() {
        return status;
    }
}
