// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.mad.CmTimeout;

/**
 * What an application says about the path of a connection, at any time (CM-12). The path itself has what was said when the route was
 * resolved; the application's own queue pair has its ACK timeout when it is changed to RTS.
 */
public final class PathOptions {

    private static final int LARGEST_BYTE = 255;
    private static final int NONE = -1;

    private int ackTimeout = NONE;
    private int trafficClass;
    private int routeAckTimeout;
    private int routeClass;

    /** Sets the code of the ACK timeout, 0 to 255; a queue pair takes no more than 31. */
    public void ackTimeout(int code) {
        ackTimeout = aByte("ack_timeout", code);
    }

    /** Sets the traffic class, 0 to 255. */
    public void trafficClass(int value) {
        trafficClass = aByte("type_of_service", value);
    }

    private static int aByte(String name, int value) {
        if (value < 0 || value > LARGEST_BYTE) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_12, "%s=%d is not in 0..%d", name, value, LARGEST_BYTE);
        }
        return value;
    }

    /** The route is resolved: what is said later is not in the path. */
    public void resolved() {
        routeAckTimeout = Math.max(0, ackTimeout);
        routeClass = trafficClass;
    }

    /** Of the path; 0 unless it was set in time. */
    public int trafficClass() {
        return routeClass;
    }

    /** Code of the packet life time of the path. */
    public int lifeTime(CmTimers timers) {
        return routeAckTimeout == 0 ? timers.packetLifeTime() : Math.min(routeAckTimeout, CmTimeout.MAX_CODE) - 1;
    }

    /** The terms of the connection, with the application's own ACK timeout if there is one. */
    public ConnectionTerms applied(ConnectionTerms agreed) {
        return ackTimeout == NONE ? agreed : agreed.withTimeout(ackTimeout);
    }
}
