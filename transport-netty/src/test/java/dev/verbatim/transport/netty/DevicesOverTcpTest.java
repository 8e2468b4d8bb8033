// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two devices in two fabrics, joined through a relay that can be cut: they behave as one connected RC pair. */
@Timeout(600)
class DevicesOverTcpTest {

    private static final int MESSAGE_BYTES = 20_000;

    /** 0.27 s, eight times in all: long enough to dial anew on a busy machine. */
    private static final int PATIENT_TIMEOUT = 16;

    private static final int ROUNDS = 20;
    private static final int OPERATIONS_OF_A_ROUND = 8;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private NettyFabric near;
    private NettyFabric far;
    private Relay relay;
    private RcPair pair;

    @BeforeEach
    void connect() throws IOException {
        near = NettyFabric.open();
        far = NettyFabric.open();
        Verbatim left = Verbatim.over(near);
        Verbatim right = Verbatim.over(far);
        pair = new RcPair(
                new Side(left.open("left"), QpCapabilities.USUAL),
                new Side(right.open("right"), QpCapabilities.USUAL),
                new RecordingTap(),
                () -> {
                    left.close();
                    right.close();
                });
        relay = Relay.to(far.listen(Node.loopback(0)));
        assertThat(near.dial(relay.address())).isEqualTo(pair.right.device.gid());
        pair.connect(RcConnection.USUAL.withRetries(PATIENT_TIMEOUT, 7, 7, 12));
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
        relay.close();
        assertThat(near.directMemoryBytes() + far.directMemoryBytes()).isZero();
    }

    @Test
    void writeReadAtomicAndSendBehaveAsInsideOneJvm() {
        for (int i = 0; i < MESSAGE_BYTES; i++) {
            pair.left.bytes().put(i, (byte) i);
        }
        pair.left.qp.postSend(
                SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, MESSAGE_BYTES)));
        pair.left.qp.postSend(SendWorkRequest.read(
                2, pair.right.address(0), pair.right.rkey(), pair.left.sge(MESSAGE_BYTES, MESSAGE_BYTES)));
        pair.left.qp.postSend(SendWorkRequest.fetchAndAdd(
                3, pair.right.address(MESSAGE_BYTES), pair.right.rkey(), 5, pair.left.sge(2 * MESSAGE_BYTES, 8)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(4, pair.right.sge(2 * MESSAGE_BYTES, MESSAGE_BYTES)));
        pair.left.qp.postSend(SendWorkRequest.send(5, pair.left.sge(0, MESSAGE_BYTES)));
        assertThat(pair.left.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.RDMA_WRITE);
        assertThat(pair.left.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.RDMA_READ);
        assertThat(pair.left.sent()).isSuccess().hasId(3).hasOpcode(WcOpcode.FETCH_ADD);
        assertThat(pair.left.sent()).isSuccess().hasId(5).hasOpcode(WcOpcode.SEND);
        assertThat(pair.right.received()).isSuccess().hasId(4).hasOpcode(WcOpcode.RECV);
        for (int offset : new int[] {MESSAGE_BYTES, 2 * MESSAGE_BYTES}) {
            Side side = offset == MESSAGE_BYTES ? pair.left : pair.right;
            assertThat(side.bytes().slice(offset, MESSAGE_BYTES))
                    .isEqualTo(pair.left.bytes().slice(0, MESSAGE_BYTES));
        }
        assertThat(pair.right.bytes().getLong(MESSAGE_BYTES)).isEqualTo(5);
    }

    @Test
    @Rule({"QP-29", "TR-6"})
    void atomicWhoseAnswerIsLostWithTheConnectionIsNotDoneAgain() throws IOException {
        relay.loseAnswers(true);
        pair.left.bytes().putLong(0, -1);
        pair.left.qp.postSend(fetchAndAdd(0));
        Await.until("the atomic to be done", () -> (long) LONGS.getVolatile(pair.right.bytes(), 0) != 0);
        relay.loseAnswers(false);
        relay.cut();
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.left.bytes().getLong(0)).isZero();
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(1);
    }

    @Test
    @Rule({"QP-29", "TR-6"})
    void connectionsCutInTheMiddleAreLossAndEveryAtomicIsDoneOnce() throws IOException {
        List<Long> originals = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < OPERATIONS_OF_A_ROUND; i++) {
                pair.left.qp.postSend(SendWorkRequest.write(
                        i, pair.right.address(64), pair.right.rkey(), pair.left.sge(64, MESSAGE_BYTES)));
                pair.left.qp.postSend(fetchAndAdd(i));
            }
            if (round % 3 == 0) {
                relay.cut();
            }
            for (int i = 0; i < OPERATIONS_OF_A_ROUND; i++) {
                assertThat(pair.left.sent()).isSuccess().hasId(i).hasOpcode(WcOpcode.RDMA_WRITE);
                assertThat(pair.left.sent()).isSuccess().hasId(i).hasOpcode(WcOpcode.FETCH_ADD);
                originals.add(pair.left.bytes().getLong(8 * i));
            }
        }
        assertThat(originals)
                .isEqualTo(LongStream.range(0, originals.size()).boxed().toList());
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(originals.size());
    }

    @Test
    @Rule("QP-29")
    void idleQueuePairsKeepTheirStateWhenTheConnectionBreaks() throws IOException {
        relay.cut();
        pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.left.qp.state()).isEqualTo(QpState.RTS);
        assertThat(pair.right.qp.state()).isEqualTo(QpState.RTS);
    }

    /** Adds 1 to the first word of the right side; what it held before goes to the i-th word of the left. */
    private SendWorkRequest fetchAndAdd(int i) {
        return SendWorkRequest.fetchAndAdd(i, pair.right.address(0), pair.right.rkey(), 1, pair.left.sge(8 * i, 8));
    }
}
