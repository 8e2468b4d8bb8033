// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.PacketFields;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.trace.TraceEvent.PacketSent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The peer of one queue pair as a requester: whether its packets are messages, and which of them were answered. */
final class PeerRequester {

    private static final int SMALLEST_MTU_BYTES = 256;

    /**
     * A message of the peer all of which came.
     *
     * @param lastPsn of its last packet, or of the last response of a READ
     */
    record Message(long lastPsn) {}

    private record Packet(String opcode, int lengthBytes, long requestedBytes) {}

    private final String name;
    private final Findings findings;
    private final List<Message> messages = new ArrayList<>();
    private final Map<Integer, Packet> packets = new HashMap<>();

    private @Nullable PacketReceived newest;
    private long newestAt;

    /** Unbounded; -1 while it is not known. */
    private long nextPsn = -1;

    private @Nullable PacketReceived begun;
    private long collectedBytes;
    private long answeredUpTo = -1;
    private int mtuBytes = -1;

    /** The first number of a READ of which the last is not known; -1 for none. */
    private long awaited = -1;

    /** What came behind it. */
    private final List<PacketReceived> pending = new ArrayList<>();

    PeerRequester(String name, Findings findings) {
        this.name = name;
        this.findings = findings;
    }

    /** A packet of a request comes. It is judged when it is clear that it was not dropped. */
    void received(PacketReceived event, long position) {
        settle();
        newest = event;
        newestAt = position;
    }

    /** The own device dropped the packet that came last. */
    void dropped(int psn) {
        PacketReceived event = newest;
        newest = event != null && event.psn() == psn ? null : event;
    }

    /** The packet that came last was taken. */
    void settle() {
        PacketReceived event = newest;
        newest = null;
        if (event != null) {
            taken(event, newestAt);
        }
    }

    private void taken(PacketReceived event, long position) {
        if (awaited >= 0) {
            pending.add(event);
            return;
        }
        byte[] payload = PacketFields.payload(event);
        long psn = extend(event.psn());
        Packet packet = new Packet(event.opcodeName(), payload.length, PacketFields.requestedBytes(event));
        if (nextPsn >= 0 && psn < nextPsn) {
            repeated(event, packet, position);
            return;
        }
        if (nextPsn >= 0 && psn > nextPsn) {
            return; // What is between was lost, and comes again.
        }
        String opcode = event.opcodeName();
        boolean begins = !opcode.endsWith("MIDDLE") && !isLast(opcode);
        packets.put(event.psn(), packet);
        nextPsn = psn + 1;
        findings.checked(Check.PEER_REQUEST);
        boolean ends = !opcode.endsWith("FIRST") && !opcode.endsWith("MIDDLE");
        PacketReceived first = begun;
        if (begins != (first == null) || (first != null && !isSameMessage(first.opcodeName(), opcode))) {
            violated(Check.PEER_REQUEST, position, "sends %s psn=%d, which does not follow", opcode, event.psn());
        }
        if (begins) {
            begun = event;
            collectedBytes = 0;
        }
        collectedBytes += payload.length;
        if (!ends && mtuBytes >= 0 && payload.length != mtuBytes) {
            violated(Check.PEER_REQUEST, position, "sends %s of %d bytes, not a full one", opcode, payload.length);
        }
        mtuBytes = ends ? mtuBytes : payload.length;
        if (ends) {
            ended(event, begun == null ? event : begun, psn, position);
            begun = null;
        }
    }

    private static boolean isLast(String opcode) {
        return opcode.contains("LAST");
    }

    private static boolean isSameMessage(String first, String next) {
        return first.contains("SEND") == next.contains("SEND");
    }

    private void ended(PacketReceived event, PacketReceived first, long psn, long position) {
        boolean isRead = event.opcodeName().endsWith("READ_REQUEST");
        long requested = PacketFields.requestedBytes(first);
        if (!isRead && first.opcodeName().contains("WRITE") && requested >= 0 && requested != collectedBytes) {
            violated(
                    Check.PEER_REQUEST,
                    position,
                    "ends a WRITE of %d bytes with %d of them",
                    requested,
                    collectedBytes);
        }
        if (isRead && requested > SMALLEST_MTU_BYTES) {
            // It has the numbers of its responses, and how many these are is seen when it is answered.
            awaited = psn;
        } else {
            messages.add(new Message(psn));
        }
    }

    private void repeated(PacketReceived event, Packet packet, long position) {
        Packet before = packets.get(event.psn());
        // A READ may be asked again from the middle on.
        if (before == null
                || before.opcode().endsWith("READ_REQUEST")
                || event.opcodeName().endsWith("READ_REQUEST")) {
            return;
        }
        findings.checked(Check.PEER_REPEATS);
        if (!before.equals(packet)) {
            violated(
                    Check.PEER_REPEATS,
                    position,
                    "sends psn=%d again as %s of %d bytes, which was %s of %d",
                    event.psn(),
                    packet.opcode(),
                    packet.lengthBytes(),
                    before.opcode(),
                    before.lengthBytes());
        }
    }

    /** The own device answers. */
    void answered(PacketSent event, long position) {
        settle();
        boolean isPositive = event.syndrome() < 0 || (event.syndrome() & 0xe0) == 0;
        long psn = extend(event.psn());
        answeredUpTo = Math.max(answeredUpTo, isPositive ? psn : psn - 1);
        boolean endsRead = event.opcodeName().endsWith("RESPONSE_LAST")
                || event.opcodeName().endsWith("RESPONSE_ONLY");
        if (endsRead && awaited >= 0 && psn >= awaited) {
            awaited = -1;
            nextPsn = psn + 1;
            messages.add(new Message(psn));
            List<PacketReceived> waiting = List.copyOf(pending);
            pending.clear();
            waiting.forEach(packet -> taken(packet, position));
        }
    }

    /** How many of its messages were answered, in their order. */
    int answeredMessages() {
        settle();
        int count = 0;
        while (count < messages.size() && messages.get(count).lastPsn() <= answeredUpTo) {
            count++;
        }
        return count;
    }

    private long extend(int psn) {
        long base = nextPsn >= 0 ? nextPsn : answeredUpTo;
        if (base < 0) {
            return (1L << 24) + psn;
        }
        long distance = (psn - base) & PeerResponder.PSN_MASK;
        return base + (distance >= 1L << 23 ? distance - (1L << 24) : distance);
    }

    private void violated(Check check, long position, String format, Object... values) {
        findings.violated(check, "the peer of " + name + " " + Text.of(format, values), position);
    }
}
