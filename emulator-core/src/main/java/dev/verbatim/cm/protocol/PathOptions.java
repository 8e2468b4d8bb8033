// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** What an application says about the path of a connection before it asks for the connection. */
public final class PathOptions {

    private static final int LARGEST_CODE = 31;
    private static final int LARGEST_CLASS = 255;

    private int ackTimeout;
    private int trafficClass;

    /** Sets the code of the ACK timeout, 1 to 31. */
    public void ackTimeout(int code) {
        ackTimeout = inRange("ack_timeout", code, 1, LARGEST_CODE);
    }

    /** Sets the traffic class, 0 to 255. */
    public void trafficClass(int value) {
        trafficClass = inRange("type_of_service", value, 0, LARGEST_CLASS);
    }

    private static int inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_12, "%s=%d is not in %d..%d", name, value, least, most);
        }
        return value;
    }

    /** 0 unless it was set. */
    public int trafficClass() {
        return trafficClass;
    }

    /** Code of the packet life time. */
    public int lifeTime(CmTimers timers) {
        return ackTimeout == 0 ? timers.packetLifeTime() : ackTimeout - 1;
    }
}
