// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.verbs.QpType;
import dev.verbatim.wire.Transport;

/** Which transport service a type of queue pair has. */
final class Transports {

    private Transports() {}

    static Transport of(QpType type) {
        return switch (type) {
            case RC -> Transport.RC;
            case UC -> Transport.UC;
            case UD -> Transport.UD;
            case XRC_SEND, XRC_RECV -> Transport.XRC;
            case RAW_PACKET -> throw new IllegalArgumentException(type + " has no transport");
        };
    }
}
