// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;

/** A file is no capture that {@link CaptureReader} can read; the message says where and why. */
public final class CaptureException extends IOException {

    private static final long serialVersionUID = 1;

    CaptureException(String message) {
        super(message);
    }
}
