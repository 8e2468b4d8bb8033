// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * The litmus programs that need no window (F.5), many times each. {@code x} and {@code y} are words of the right side;
 * {@code r1} and {@code r2} words of the left side, where the values to be written are kept too.
 */
@OnEveryFabric
class OrderContractTest {

    private static final int ROUNDS = 40;
    private static final int X = 0;
    private static final int Y = 2048;
    private static final int R1 = 4096;
    private static final int R2 = 4104;
    private static final int VALUE = 8192;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    @BeforeEach
    void connect() {
        pair = fabric.open(QpCapabilities.USUAL).connect(RcConnection.USUAL);
    }

    @Test
    @Rule({"LT-01", "ORD-33"})
    void readBehindAWriteSeesIt() {
        for (long round = 1; round <= ROUNDS; round++) {
            value(round);
            post(write(X).unsignaled(), read(X, R1));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(left(R1)).isEqualTo(round);
        }
    }

    @Test
    @Rule({"LT-04", "ORD-31"})
    void receiveOfALaterSendShowsTheWriteBeforeIt() {
        for (long round = 1; round <= ROUNDS; round++) {
            value(round);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(round));
            post(write(X).unsignaled(), write(Y).unsignaled(), SendWorkRequest.send(0));
            assertThat(pair.right.received()).isSuccess().hasId(round);
            assertThat(right(X)).isEqualTo(round);
            assertThat(right(Y)).isEqualTo(round);
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule({"LT-06", "ORD-31"})
    void receiveOfAnImmediateWriteShowsItsDataAndTheWriteBeforeIt() {
        for (long round = 1; round <= ROUNDS; round++) {
            value(round);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(round));
            post(
                    write(X).unsignaled(),
                    SendWorkRequest.writeWithImmediate(
                            0, pair.right.address(Y), pair.right.rkey(), 1, pair.left.sge(VALUE, 3000)));
            assertThat(pair.right.received()).isSuccess().hasId(round).hasByteLength(3000);
            assertThat(right(X)).isEqualTo(round);
            assertThat(right(Y)).isEqualTo(round);
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule("LT-08")
    void fencedSendCarriesWhatTheReadBeforeItBrought() {
        for (long round = 1; round <= ROUNDS; round++) {
            pair.right.bytes().putLong(X, round);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(round, pair.right.sge(Y, 8)));
            post(
                    read(X, R1).unsignaled(),
                    SendWorkRequest.send(0, pair.left.sge(R1, 8)).plus(SendFlags.FENCE));
            assertThat(pair.right.received()).isSuccess();
            assertThat(right(Y)).isEqualTo(round);
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule("LT-09")
    void readBehindAnAtomicSeesItsEffect() {
        for (long round = 0; round < ROUNDS; round++) {
            post(add(X, R1), read(X, R2));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.left.sent()).isSuccess();
            assertThat(left(R1)).isEqualTo(round);
            assertThat(left(R2)).isEqualTo(round + 1);
        }
    }

    @Test
    @Rule("LT-19")
    void completionOfASendSaysThatTheUnsignaledWriteBeforeItSucceeded() {
        for (long round = 1; round <= ROUNDS; round++) {
            value(round);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(round));
            post(write(X).unsignaled(), SendWorkRequest.send(round));
            assertThat(pair.left.sent()).isSuccess().hasId(round);
            assertThat(right(X)).isEqualTo(round);
            assertThat(pair.right.received()).isSuccess();
        }
    }

    @Test
    @Rule({"LT-20", "ORD-21", "ORD-37"})
    void ofTwoQueuePairsThatSwapTheSameWordExactlyOneWins() {
        QueuePair other = pair.left.newQueuePair();
        RcConnection.connect(other, pair.right.newQueuePair());
        for (int round = 1; round <= ROUNDS; round++) {
            pair.right.bytes().putLong(X, 0);
            pair.left.qp.postSend(swap(R1, 1));
            other.postSend(swap(R2, 2));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.left.sent()).isSuccess();
            boolean first = left(R1) == 0;
            boolean second = left(R2) == 0;
            assertThat(first ^ second).as("one winner").isTrue();
            assertThat(right(X)).isEqualTo(first ? 1 : 2);
        }
    }

    @Test
    @Rule("LT-21")
    void twoAtomicsOfOneQueuePairAreDoneOneAfterTheOther() {
        for (long round = 0; round < ROUNDS; round++) {
            post(add(X, R1), add(X, R2));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.left.sent()).isSuccess();
            assertThat(left(R1)).isEqualTo(2 * round);
            assertThat(left(R2)).isEqualTo(2 * round + 1);
            assertThat(right(X)).isEqualTo(2 * round + 2);
        }
    }

    @Test
    @Rule({"TR-9", "WC-05", "WC-06", "WC-46", "ORD-10"})
    void pipelinedErrorLeavesWhatWasBeforeItAndNothingBehindIt() {
        value(7);
        for (int id = 1; id <= 3; id++) {
            pair.left.qp.postRecv(ReceiveWorkRequest.of(100 + id));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(200 + id));
        }
        post(
                SendWorkRequest.write(1, pair.right.address(X), pair.right.rkey(), pair.left.sge(VALUE, 8)),
                SendWorkRequest.write(2, pair.right.address(X + 8), Causes.NO_KEY, pair.left.sge(VALUE, 8)),
                SendWorkRequest.write(3, pair.right.address(Y), pair.right.rkey(), pair.left.sge(VALUE, 8)),
                SendWorkRequest.send(4, pair.left.sge(VALUE, 8)).unsignaled());
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(4);
        for (int id = 1; id <= 3; id++) {
            assertThat(pair.left.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(100 + id);
            assertThat(pair.right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(200 + id);
        }
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, QpState.ERR);
        assertThat(right(X)).isEqualTo(7);
        assertThat(right(X + 8)).isZero();
        assertThat(right(Y)).isZero();
    }

    @Test
    @Rule({"ORD-32", "ORD-22", "ORD-30"})
    void receivesCompleteInTheOrderOfTheirMessages() {
        for (int id = 0; id < ROUNDS; id++) {
            pair.right.qp.postRecv(ReceiveWorkRequest.of(id, pair.right.sge(8 * id, 8)));
        }
        for (int id = 0; id < ROUNDS; id++) {
            pair.left.bytes().putLong(VALUE + 8 * id, id);
            post(SendWorkRequest.send(id, pair.left.sge(VALUE + 8 * id, 8)));
        }
        for (int id = 0; id < ROUNDS; id++) {
            assertThat(pair.left.sent()).isSuccess().hasId(id);
            assertThat(pair.right.received()).isSuccess().hasId(id);
            assertThat(right(8 * id)).isEqualTo(id);
        }
        asserted();
    }

    private void value(long value) {
        pair.left.bytes().putLong(VALUE, value);
    }

    private long left(int offset) {
        return pair.left.bytes().getLong(offset);
    }

    private long right(int offset) {
        return pair.right.bytes().getLong(offset);
    }

    private void post(SendWorkRequest... requests) {
        pair.left.qp.postSend(List.of(requests));
    }

    private SendWorkRequest write(int to) {
        return SendWorkRequest.write(0, pair.right.address(to), pair.right.rkey(), pair.left.sge(VALUE, 8));
    }

    private SendWorkRequest read(int from, int into) {
        return SendWorkRequest.read(0, pair.right.address(from), pair.right.rkey(), pair.left.sge(into, 8));
    }

    private SendWorkRequest add(int to, int into) {
        return SendWorkRequest.fetchAndAdd(0, pair.right.address(to), pair.right.rkey(), 1, pair.left.sge(into, 8));
    }

    private SendWorkRequest swap(int into, long value) {
        return SendWorkRequest.compareAndSwap(
                0, pair.right.address(X), pair.right.rkey(), 0, value, pair.left.sge(into, 8));
    }
}
