// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * An unreliable connection over links that lose, repeat and reorder: what is received is exactly what the packets that
 * arrived make, taken in that order; so no message with a gap, and none more often than the wire brought it.
 */
class UnreliableFaultsPropertiesTest {

    private static final int MESSAGES = 30;
    private static final int MTU = 256;
    private static final int MOST_PACKETS = 4;
    private static final int SLOT_BYTES = MOST_PACKETS * MTU;
    private static final int RECEIVES = 60;
    private static final QpCapabilities SIZES = new QpCapabilities(64, 64, 2, 2, 0);
    private static final long ALL_THE_TIME = 1_000_000_000L;

    private record Message(int number, boolean isSend, int lengthBytes) {

        byte[] bytes() {
            byte[] bytes = new byte[lengthBytes];
            for (int i = 0; i < lengthBytes; i++) {
                bytes[i] = (byte) (number * 41 + i * 31 + (i >> 8) * 17 + 1);
            }
            return bytes;
        }

        int packets() {
            return Psn.packets(lengthBytes, MTU);
        }
    }

    /** What a peer makes of packets, by UC-01 alone: which messages are whole, in the order in which they become so. */
    private static List<Integer> wholeMessages(List<Packet> arrived, Map<Integer, Integer> messageOfPsn) {
        List<Integer> whole = new ArrayList<>();
        int next = -1;
        for (Packet packet : arrived) {
            if (!packet.opcode().startsMessage() && packet.psn() != next) {
                next = -1;
                continue;
            }
            next = packet.opcode().endsMessage() ? -1 : Psn.next(packet.psn());
            if (packet.opcode().endsMessage()) {
                whole.add(messageOfPsn.get(packet.psn()));
            }
        }
        return whole;
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    @Rule({"UC-01", "ORD-30"})
    void whatArrivesWholeIsReceivedAndNothingElse(
            @ForAll long seed,
            @ForAll @IntRange(max = 200) int lost,
            @ForAll @IntRange(max = 100) int repeated,
            @ForAll @IntRange(max = 300) int late) {
        LinkFaults faults = LinkFaults.NONE.dropping(lost).duplicating(repeated).delaying(late, 5_000);
        LossyFabric fabric = new LossyFabric(seed, faults);
        RecordingTap tap = new RecordingTap();
        try (Verbatim door = Verbatim.over(fabric).tap(tap)) {
            Side left = new Side(door.open("left"), SIZES, null, QpType.UC);
            Side right = new Side(door.open("right"), SIZES, null, QpType.UC);
            UcConnection.USUAL.withPathMtu(PathMtu.MTU_256).join(left.qp, right.qp);
            // Areas: one for each receive, and behind them one for each message that is a WRITE.
            for (int i = 0; i < RECEIVES; i++) {
                right.qp.postRecv(ReceiveWorkRequest.of(i, right.sge(i % 30 * SLOT_BYTES, SLOT_BYTES)));
            }
            List<Message> messages = post(new Random(seed), left, right);
            fabric.passNanos(ALL_THE_TIME);

            for (Message message : messages) {
                Outcomes.assertThat(left.sent()).isSuccess().hasId(message.number());
            }
            List<Packet> arrived = tap.events(TraceEvent.PacketReceived.class).stream()
                    .map(event -> event.packet().toPacket())
                    .toList();
            List<WorkCompletion> received = right.recvCq.poll(RECEIVES);
            assertThat(received.stream().map(WorkCompletion::immediate).toList())
                    .isEqualTo(wholeMessages(arrived, messagesByPsn(messages, left.qp.number())));
            checkContents(received, messages, right);
            Outcomes.asserted();
        }
    }

    private static List<Message> post(Random random, Side left, Side right) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            Message message = new Message(i, random.nextBoolean(), random.nextInt(SLOT_BYTES + 1));
            messages.add(message);
            int at = i * SLOT_BYTES;
            left.bytes().put(at, message.bytes());
            var data = left.sge(at, message.lengthBytes());
            left.qp.postSend(
                    message.isSend()
                            ? SendWorkRequest.sendWithImmediate(i, i, data)
                            : SendWorkRequest.writeWithImmediate(
                                    i, right.address(30 * SLOT_BYTES + at), right.rkey(), i, data));
        }
        return messages;
    }

    private static Map<Integer, Integer> messagesByPsn(List<Message> messages, int firstPsn) {
        Map<Integer, Integer> byPsn = new HashMap<>();
        int psn = firstPsn;
        for (Message message : messages) {
            for (int i = 0; i < message.packets(); i++) {
                byPsn.put(psn, message.number());
                psn = Psn.next(psn);
            }
        }
        return byPsn;
    }

    /** What was placed last at each place is a whole message; the last receive of each area is looked at. */
    private static void checkContents(List<WorkCompletion> received, List<Message> messages, Side right) {
        Map<Integer, Message> inArea = new HashMap<>();
        for (int i = 0; i < received.size(); i++) {
            WorkCompletion completion = received.get(i);
            Message message = messages.get(completion.immediate());
            Outcomes.assertThat(completion)
                    .isSuccess()
                    .hasId(i)
                    .hasOpcode(message.isSend() ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(message.lengthBytes());
            if (message.isSend()) {
                inArea.put(i % 30, message);
            } else {
                inArea.put(30 + message.number(), message);
            }
        }
        int inProgress = received.size() % 30;
        inArea.forEach((area, message) -> {
            // A message that was dropped may have begun to fill the receive that is next.
            if (area != inProgress) {
                byte[] bytes = new byte[message.lengthBytes()];
                right.bytes().get(area * SLOT_BYTES, bytes);
                assertThat(bytes).as("%s in area %d", message, area).isEqualTo(message.bytes());
            }
        });
    }

    @Property(tries = 20, edgeCases = EdgeCasesMode.NONE)
    @Rule({"UC-01", "ORD-30"})
    void withoutFaultsEveryMessageIsReceivedInOrder(@ForAll long seed) {
        try (Verbatim door =
                Verbatim.over(new LossyFabric(seed, LinkFaults.NONE)).tap(new RecordingTap())) {
            Side left = new Side(door.open("left"), SIZES, null, QpType.UC);
            Side right = new Side(door.open("right"), SIZES, null, QpType.UC);
            UcConnection.USUAL.withPathMtu(PathMtu.MTU_256).join(left.qp, right.qp);
            for (int i = 0; i < MESSAGES; i++) {
                right.qp.postRecv(ReceiveWorkRequest.of(i, right.sge(i * SLOT_BYTES, SLOT_BYTES)));
            }
            for (Message message : post(new Random(seed), left, right)) {
                Outcomes.assertThat(right.received())
                        .isSuccess()
                        .hasId(message.number())
                        .hasByteLength(message.lengthBytes());
            }
        }
    }
}
