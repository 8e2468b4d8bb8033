// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.verbs.Errno;

/** Event channels and their events. */
final class Channels {

    private static final long[] NAMES = new long[18];
    private static final String[] TEXTS = {
        "RDMA_CM_EVENT_ADDR_RESOLVED",
        "RDMA_CM_EVENT_ADDR_ERROR",
        "RDMA_CM_EVENT_ROUTE_RESOLVED",
        "RDMA_CM_EVENT_ROUTE_ERROR",
        "RDMA_CM_EVENT_CONNECT_REQUEST",
        "RDMA_CM_EVENT_CONNECT_RESPONSE",
        "RDMA_CM_EVENT_CONNECT_ERROR",
        "RDMA_CM_EVENT_UNREACHABLE",
        "RDMA_CM_EVENT_REJECTED",
        "RDMA_CM_EVENT_ESTABLISHED",
        "RDMA_CM_EVENT_DISCONNECTED",
        "RDMA_CM_EVENT_DEVICE_REMOVAL",
        "RDMA_CM_EVENT_MULTICAST_JOIN",
        "RDMA_CM_EVENT_MULTICAST_ERROR",
        "RDMA_CM_EVENT_ADDR_CHANGE",
        "RDMA_CM_EVENT_TIMEWAIT_EXIT",
        "RDMA_CM_EVENT_ADDRINFO_RESOLVED",
        "RDMA_CM_EVENT_ADDRINFO_ERROR",
    };
    private static final long UNKNOWN = Native.permanentString("UNKNOWN EVENT");

    static {
        for (int i = 0; i < NAMES.length; i++) {
            NAMES[i] = Native.permanentString(TEXTS[i]);
        }
    }

    private Channels() {}

    static long rdma_create_event_channel() {
        return new EvChannel().address();
    }

    static void rdma_destroy_event_channel(long channel) {
        EvChannel.TABLE.at(channel).destroy();
    }

    /** After the descriptor was read: 0 if there was an event, 1 if there is none any more. */
    static int take_cm_event(long channel, long event) {
        Event next = EvChannel.TABLE.at(channel).take();
        if (next == null) {
            return 1;
        }
        if (Causes.ON && next.status() != 0) {
            Causes.connection(TEXTS[next.type()], next.status(), next.explanation(), "take_cm_event");
        }
        Native.putLong(event, next.address());
        return 0;
    }

    static int rdma_ack_cm_event(long event) {
        Event.TABLE.at(event).acknowledge();
        return 0;
    }

    static long rdma_event_str(int event) {
        return event >= 0 && event < NAMES.length ? NAMES[event] : UNKNOWN;
    }

    /** Adds an event of the program's own. */
    static int rdma_write_cm_event(long id, int event, int status, long argument) {
        Id of = Id.TABLE.at(id);
        if (event != Event.USER) {
            throw new Refused(Errno.EINVAL.number(), "event=" + event + " is not RDMA_CM_EVENT_USER");
        }
        of.channel().add(new Event(of, event, status, argument));
        return 0;
    }
}
