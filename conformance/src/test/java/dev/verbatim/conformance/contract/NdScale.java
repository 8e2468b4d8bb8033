// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.QpCapabilities;

/** How much of everything Microsoft's programs do here; by {@code -D} all of it is had, as docs/internals/networkdirect.md says. */
final class NdScale {

    /** Bytes of ndmw's buffers; 64 MiB there. */
    static final int BYTES = Tries.of("nd.bytes", 1 << 16, 1 << 16, 1 << 26);

    /** Bytes of the windows of other programs; 4 MiB there. */
    static final int WINDOW_BYTES = BYTES / 16;

    /** Connections of each of ndconn's clients; a minute's worth there. */
    static final int CONNECTIONS = Tries.of("nd.connections", 6, 6, 1_000);

    /** Registrations of each length, and regions that live at a time; 10,000 of both there. */
    static final int REGISTRATIONS = Tries.of("nd.registrations", 40, 40, 10_000);

    /** Messages of each length; 1000 to warm up, and then more, there. */
    static final int MESSAGES = Tries.of("nd.messages", 24, 24, 1_000);

    /** Cancellations of each kind of ndcq. */
    static final int CANCELLATIONS = 1000;

    /** Queues as Microsoft's programs make them: completion queues of two entries, queue pairs of 64. */
    static final NdSide.Sizes THEIRS = new NdSide.Sizes(2, 64, 64, 2, 0);

    private static final int MOST_WATCHED = 1 << 12;

    private NdScale() {}

    /** A client and a server; who has much to do does it with nobody watching. */
    static NdMeeting meeting(FabricKind fabric, NdSide.Sizes sizes, int requests) {
        RcPair devices = requests > MOST_WATCHED
                ? fabric.openUnwatched(QpCapabilities.USUAL)
                : fabric.open(QpCapabilities.USUAL);
        return new NdMeeting(devices, NdProfile.REFERENCE, sizes, 0);
    }
}
