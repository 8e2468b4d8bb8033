// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;

/** A file is no capture that {@link PcapngReader} can read; the message says where and why. */
public final class PcapngException extends IOException {

    private static final long serialVersionUID = 1;

    PcapngException(String message) {
        super(message);
    }
}
