// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Several queue pairs that receive out of one queue. */
@OnEveryFabric
class SharedReceiveContractTest {

    private static final int QUEUE_PAIRS = 4;
    private static final int MESSAGES = 12;
    private static final int SLOT = 2048;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private SharedReceiveQueue srq;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        srq = pair.right.pd.createSrq(SrqInitAttributes.basic(64));
    }

    private QueuePair user() {
        return pair.right.pd.createQp(pair.right.qp.initAttributes().withSrq(srq));
    }

    private QueuePair peerOf(QueuePair user) {
        QueuePair peer = pair.left.newQueuePair();
        RcConnection.USUAL.join(peer, user);
        return peer;
    }

    private void post(int from, int count) {
        for (int id = from; id < from + count; id++) {
            srq.postRecv(ReceiveWorkRequest.of(id, pair.right.sge(id % 16 * SLOT, SLOT)));
        }
    }

    private void send(QueuePair peer, int count) {
        for (int i = 0; i < count; i++) {
            peer.postSend(SendWorkRequest.send(i, pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    private @Nullable AsyncEvent event() {
        return pair.right.device.getAsyncEvent(Await.LIMIT);
    }

    @Test
    @Rule({"SRQ-02", "T-20"})
    void eachMessageTakesOneReceiveAndEachQueuePairKeepsItsOrder() {
        List<QueuePair> peers = new ArrayList<>();
        Map<Integer, Integer> indexOf = new HashMap<>();
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair user = user();
            indexOf.put(user.number(), i);
            peers.add(peerOf(user));
        }
        for (int round = 0; round < MESSAGES; round += 4) {
            post(round * QUEUE_PAIRS, 4 * QUEUE_PAIRS);
            for (int message = round; message < round + 4; message++) {
                for (int i = 0; i < QUEUE_PAIRS; i++) {
                    int at = i * SLOT;
                    pair.left.bytes().putLong(at, 100L * i + message);
                    // One packet, and two packets.
                    peers.get(i).postSend(SendWorkRequest.send(message, pair.left.sge(at, i % 2 == 0 ? 8 : 1500)));
                }
                for (int i = 0; i < QUEUE_PAIRS; i++) {
                    assertThat(pair.left.sent()).isSuccess();
                }
            }
            int[] next = {round, round, round, round};
            TreeSet<Long> taken = new TreeSet<>();
            for (int i = 0; i < 4 * QUEUE_PAIRS; i++) {
                WorkCompletion got = pair.right.received();
                assertThat(got).isSuccess().hasOpcode(WcOpcode.RECV);
                assertThat(taken.add(got.id()))
                        .as("wr_id=%d for the first time", got.id())
                        .isTrue();
                int index = indexOf.get(got.qpNumber());
                assertThat(got).hasByteLength(index % 2 == 0 ? 8 : 1500);
                assertThat(pair.right.bytes().getLong((int) got.id() % 16 * SLOT))
                        .isEqualTo(100L * index + next[index]++);
            }
            assertThat(taken.first()).isEqualTo(round * QUEUE_PAIRS);
            assertThat(taken).hasSize(4 * QUEUE_PAIRS);
        }
        assertThat(pair.right.recvCq.poll(1)).isEmpty();
    }

    @Test
    @Rule({"SRQ-03", "SRQ-02"})
    void emptyQueueTurnsMessagesAwayUntilThereIsAReceive() {
        QueuePair peer = peerOf(user());
        peer.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        srq.postRecv(ReceiveWorkRequest.of(5, pair.right.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasId(5);

        QueuePair impatient = pair.left.newQueuePair();
        RcConnection.USUAL.withRetries(14, 7, 1, 1).join(impatient, user());
        impatient.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    @Rule({"SRQ-04", "SRQ-08", "AE-08", "TV-14"})
    void limitEventComesWhenFewerAreLeftThanTheLimit() {
        QueuePair peer = peerOf(user());
        post(0, 10);
        srq.modify(SrqAttributes.ofLimit(7), SrqAttributes.LIMIT);
        send(peer, 3);
        assertThat(srq.query().limit()).isEqualTo(7);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        send(peer, 1);
        AsyncEvent event = event();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(EventType.SRQ_LIMIT_REACHED);
        assertThat(event.sharedReceiveQueue()).isSameAs(srq);
        event.acknowledge();
        assertThat(srq.query().limit()).isZero();
        send(peer, 6);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        asserted();
    }

    @Test
    @Rule({"SRQ-03", "QP-25", "AE-07", "T-15"})
    void failureOfOneLeavesTheQueueToTheOthers() {
        QueuePair first = user();
        QueuePair second = user();
        QueuePair peerOfFirst = peerOf(first);
        QueuePair peerOfSecond = peerOf(second);
        post(0, 3);
        send(peerOfFirst, 1);
        assertThat(pair.right.received()).isSuccess().hasId(0);
        first.modify(new QpAttributes().state(QpState.ERR));
        assertEvent(event(), EventType.QP_LAST_WQE_REACHED, first);
        send(peerOfSecond, 2);
        assertThat(pair.right.received()).isSuccess().hasId(1);
        assertThat(pair.right.received()).isSuccess().hasId(2);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        assertState(second, QpState.RTS);
    }

    @Test
    @Rule({"SRQ-06", "PD-06", "SRQ-07"})
    void buffersAreOfTheDomainOfTheQueue() {
        ProtectionDomain other = pair.right.device.allocatePd();
        MemoryRegion ofOther = other.register(Memory.allocate(4096), Side.ALL_RIGHTS);
        srq = other.createSrq(SrqInitAttributes.basic(8));
        QueuePair user = user();
        QueuePair peer = peerOf(user);
        srq.postRecv(List.of(ReceiveWorkRequest.of(1, ofOther.sge(0, 4096)), ReceiveWorkRequest.of(2)));
        peer.postSend(SendWorkRequest.send(1, pair.left.sge(0, 3000)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasId(1).hasByteLength(3000);
        peer.postSend(SendWorkRequest.writeWithImmediate(
                2, pair.right.address(0), pair.right.rkey(), 5, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasId(2).hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM);

        srq.postRecv(ReceiveWorkRequest.of(3, pair.right.sge(0, 4096)));
        peer.postSend(SendWorkRequest.send(3, pair.left.sge(0, 3000)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.right.received()).hasId(3).hasStatus(WcStatus.LOC_PROT_ERR);
        assertEvent(event(), EventType.QP_LAST_WQE_REACHED, user);
    }
}
