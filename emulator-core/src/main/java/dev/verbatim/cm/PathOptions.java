// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;

/** What an application said about the path of a connection before it asked for it. */
final class PathOptions {

    private static final int LARGEST_CODE = 31;
    private static final int LARGEST_CLASS = 255;

    private int ackTimeout;
    private int trafficClass;

    void ackTimeout(int code) {
        ackTimeout = inRange("ack_timeout", code, 1, LARGEST_CODE);
    }

    void trafficClass(int value) {
        trafficClass = inRange("type_of_service", value, 0, LARGEST_CLASS);
    }

    private static int inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.of(Errno.EINVAL, "CM-12", "%s=%d is not in %d..%d", name, value, least, most);
        }
        return value;
    }

    int trafficClass() {
        return trafficClass;
    }

    /** Code of the packet life time. */
    int lifeTime(CmOptions options) {
        return ackTimeout == 0 ? options.packetLifeTime() : ackTimeout - 1;
    }
}
