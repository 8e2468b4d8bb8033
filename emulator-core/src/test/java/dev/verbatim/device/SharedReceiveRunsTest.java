// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import dev.verbatim.wire.SegmentRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a message crosses packet by packet or in runs, it takes the same receives out of a shared queue, and ends alike. */
class SharedReceiveRunsTest {

    private static final int LONG = 20_000;

    /** What is sent first to a queue whose first receive is as it says; those that are posted later take any message. */
    private enum Message {
        FITS,
        TOO_LONG,
        SECOND_ELEMENT_HAS_NO_KEY,
        FIRST_ELEMENT_HAS_NO_KEY,
        WRITE_WITH_IMMEDIATE,
        WRITE_WITH_IMMEDIATE_WITHOUT_KEY;

        ReceiveWorkRequest receive(Side right) {
            return switch (this) {
                case TOO_LONG -> ReceiveWorkRequest.of(1, right.sge(0, LONG - 1));
                case SECOND_ELEMENT_HAS_NO_KEY ->
                    ReceiveWorkRequest.of(1, right.sge(0, 5000), new Sge(right.address(5000), LONG, 0xbad));
                case FIRST_ELEMENT_HAS_NO_KEY -> ReceiveWorkRequest.of(1, new Sge(right.address(0), LONG, 0xbad));
                default -> ReceiveWorkRequest.of(1, right.sge(0, LONG));
            };
        }

        SendWorkRequest request(Side left, Side right) {
            int key = this == WRITE_WITH_IMMEDIATE_WITHOUT_KEY ? right.rkey() ^ 1 : right.rkey();
            return this == WRITE_WITH_IMMEDIATE || this == WRITE_WITH_IMMEDIATE_WITHOUT_KEY
                    ? SendWorkRequest.writeWithImmediate(1, right.address(0), key, 7, left.sge(0, LONG))
                    : SendWorkRequest.send(1, left.sge(0, LONG));
        }
    }

    /** What could be seen of it. */
    private record Seen(List<String> completions, List<String> events, SrqAttributes queue, ByteBuffer memory) {}

    private static Seen run(int mostPacketsOfRun, Message message, boolean xrc) {
        try (Verbatim rdma = Verbatim.over(new InProcessFabric(mostPacketsOfRun))) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            left.bytes().put(0, Packets.pattern(3, LONG));
            XrcDomain domain = right.device.openXrcDomain();
            SharedReceiveQueue srq = right.pd.createSrq(
                    xrc ? SrqInitAttributes.xrc(8, domain, right.recvCq) : SrqInitAttributes.basic(8));
            // One alone: whoever looks for another finds none.
            srq.postRecv(message.receive(right));
            srq.modify(SrqAttributes.ofLimit(1), SrqAttributes.LIMIT);
            List<String> completions = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                QueuePair sender = xrc
                        ? left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL))
                        : left.newQueuePair();
                RcPair.WITHOUT_TIMER.join(
                        sender,
                        xrc
                                ? domain.createQp(QpInitAttributes.xrcReceive())
                                : right.pd.createQp(right.qp.initAttributes().withSrq(srq)));
                SendWorkRequest request =
                        i == 0 ? message.request(left, right) : SendWorkRequest.send(2, left.sge(0, LONG));
                sender.postSend(request.toSrq(xrc ? srq.number() : 0));
                completions.add(text(left.sent()));
                srq.postRecv(ReceiveWorkRequest.of(i + 2, right.sge(30_000, LONG)));
            }
            for (WorkCompletion each : right.recvCq.poll(8)) {
                completions.add(text(each));
            }
            List<String> events = new ArrayList<>();
            for (AsyncEvent event = right.device.pollAsyncEvent();
                    event != null;
                    event = right.device.pollAsyncEvent()) {
                events.add(text(event));
                event.acknowledge();
            }
            byte[] memory = new byte[Side.REGION_BYTES];
            right.bytes().get(0, memory);
            return new Seen(completions, events, srq.query(), ByteBuffer.wrap(memory));
        }
    }

    /** Without addresses, which are others each time. */
    private static String text(Object told) {
        return told.toString().replaceAll("0x7[ef][0-9a-f]{10}", "0x..");
    }

    @ParameterizedTest
    @EnumSource(Message.class)
    void sharedQueueCannotTell(Message message) {
        for (boolean xrc : new boolean[] {false, true}) {
            Seen expected = run(1, message, xrc);
            assertThat(run(SegmentRun.MOST_PACKETS, message, xrc)).isEqualTo(expected);
            // A key is looked at with the first packet, and the receive is taken with the last.
            boolean takesReceive = message != Message.WRITE_WITH_IMMEDIATE_WITHOUT_KEY;
            assertThat(expected.events.stream().anyMatch(event -> event.startsWith("SRQ_LIMIT_REACHED")))
                    .isEqualTo(takesReceive);
            assertThat(expected.completions).hasSize(takesReceive ? 4 : 3);
            asserted();
        }
    }
}
