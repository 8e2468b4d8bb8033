// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.RealCases.LONG;
import static dev.verbatim.conformance.misuse.RealCases.SEEDS;
import static dev.verbatim.conformance.misuse.RealCases.clean;
import static dev.verbatim.conformance.misuse.RealCases.mistake;
import static dev.verbatim.conformance.misuse.RealCases.received;
import static dev.verbatim.conformance.misuse.RealCases.refused;
import static dev.verbatim.conformance.misuse.RealCases.sent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.conformance.misuse.RealCases.Found;
import dev.verbatim.conformance.misuse.RealCases.Sides;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sim.Node;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import org.junit.jupiter.api.Test;

/**
 * Mistakes that published programs have made, each as a small program with a clean twin. What was wrong there is told in a sentence; the
 * programs here are our own.
 */
class RealCasesTest {

    private static final String UNPOLLED =
            "slots are taken, 64 of them by requests that have executed; poll a completion of theirs";

    private static SendWorkRequest read(Sides sides, int key) {
        return SendWorkRequest.read(1, sides.b().address(0), key, sides.a().sge(0, 8));
    }

    /** zrlio/disni#3, ydb-platform/nbs#5707: the example tells its peer the lkey, which works where both keys are equal. */
    @Test
    void localKeyToldToAPeer() {
        Found mistaken = RealCases.found(
                DeviceProfile.MLX5_LIKE,
                SEEDS,
                (node, sides) -> {
                    sides.a().qp().postSend(read(sides, sides.b().region().lkey()));
                    sent(sides.a());
                },
                RealCases::nothing);
        Found clean = RealCases.found(
                DeviceProfile.MLX5_LIKE,
                SEEDS,
                (node, sides) -> {
                    sides.a().qp().postSend(read(sides, sides.b().region().rkey()));
                    sent(sides.a());
                },
                RealCases::nothing);

        assertThat(mistaken.findings()).extracting(Finding::mistake).contains(Mistake.S10);
        assertThat(clean.findings()).isEmpty();
    }

    /** ydb-platform/nbs#5729: a client gives up a request and uses its buffer again, which the server is still to READ. */
    @Test
    void bufferReusedBeforeALateRead() {
        mistake(Mistake.S4, (node, sides) -> client(node, sides, false), RealCasesTest::server);
        clean((node, sides) -> client(node, sides, true), RealCasesTest::server);
    }

    private static void client(Node node, Sides sides, boolean waits) {
        RcPeer a = sides.a();
        a.qp().postRecv(a.receive(1, 128, 8));
        sides.tell("client");
        sides.await(node, "server");
        node.store(a.memory(), 0, 7);
        a.qp().postSend(a.send(1, 64, 8));
        sent(a);
        if (waits) {
            received(a);
        }
        node.store(a.memory(), 0, 8);
        if (!waits) {
            received(a);
        }
    }

    private static void server(Node node, Sides sides) {
        RcPeer b = sides.b();
        b.qp().postRecv(b.receive(1, 128, 8));
        sides.tell("server");
        sides.await(node, "client");
        received(b);
        b.qp().postSend(b.read(2, 0, 8, sides.a()));
        sent(b);
        b.qp().postSend(b.send(3, 64, 8));
        sent(b);
    }

    /** spdk/spdk#3859: the memory of outstanding requests is given back before their queue pair was flushed. */
    @Test
    void memoryGivenBackBeforeTheFlush() {
        mistake(Mistake.S8, (node, sides) -> stale(sides, false), RealCases::nothing);
        clean((node, sides) -> stale(sides, true), RealCases::nothing);
    }

    private static void stale(Sides sides, boolean drains) {
        RcPeer a = sides.a();
        a.qp().postRecv(a.receive(1, 0, 8));
        if (!drains) {
            a.region().close();
        }
        a.qp().modify(new QpAttributes().state(QpState.ERR));
        assertThat(a.received().awaitCompletion(LONG).isSuccess()).isFalse();
        if (drains) {
            a.region().close();
        }
    }

    /** spdk/spdk#3830: the first failed completion of a queue pair frees all responses, and one is posted to the shared queue again. */
    @Test
    void responsesFreedAtTheFirstFailure() {
        mistake(Mistake.S8, (node, sides) -> failing(sides, true), RealCases::nothing);
        clean((node, sides) -> failing(sides, false), RealCases::nothing);
    }

    private static void failing(Sides sides, boolean frees) {
        RcPeer a = sides.a();
        SharedReceiveQueue shared = a.pd().createSrq(SrqInitAttributes.basic(8));
        QueuePair first = sharing(sides, shared);
        sharing(sides, shared);
        MemoryRegion responses = a.pd().register(a.memory(), AccessFlags.LOCAL_WRITE);
        ReceiveWorkRequest again = ReceiveWorkRequest.of(3, responses.sge(72, 8));
        shared.postRecv(ReceiveWorkRequest.of(1, responses.sge(64, 8)));
        first.modify(new QpAttributes().state(QpState.ERR));
        first.postSend(a.send(2, 0, 8));
        assertThat(a.sent().awaitCompletion(LONG).isSuccess()).isFalse();
        if (frees) {
            responses.close();
        }
        shared.postRecv(again);
    }

    /** A queue pair that takes its receives from there, connected with one of the other side. */
    private static QueuePair sharing(Sides sides, SharedReceiveQueue shared) {
        RcPeer a = sides.a();
        RcPeer b = sides.b();
        QueuePair one = a.pd().createQp(new QpInitAttributes(
                QpType.RC, a.sent(), a.received(), QpCapabilities.USUAL, false, null, shared));
        RcConnection.connect(one, b.pd().createQp(QpInitAttributes.rc(b.sent(), b.received(), QpCapabilities.USUAL)));
        return one;
    }

    /** apache/brpc#3145: a peer's answer opens the window, but the send queue has room only when the completion was polled. */
    @Test
    void windowOpenedByAnAnswer() {
        refused(Errno.ENOMEM, UNPOLLED, (node, sides) -> window(node, sides, false), RealCasesTest::answers);
        clean((node, sides) -> window(node, sides, true), RealCasesTest::answers);
    }

    private static final int ROUNDS = 70;

    private static void window(Node node, Sides sides, boolean polls) {
        RcPeer a = sides.a();
        for (int round = 0; round < ROUNDS; round++) {
            int number = round;
            a.qp().postRecv(a.receive(round, 128, 8));
            sides.tell("window" + number);
            sides.await(node, "answer" + number);
            a.qp().postSend(a.send(round, 0, 8));
            received(a);
            if (polls) {
                sent(a);
            }
        }
    }

    private static void answers(Node node, Sides sides) {
        RcPeer b = sides.b();
        for (int round = 0; round < ROUNDS; round++) {
            b.qp().postRecv(b.receive(round, 128, 8));
            sides.tell("answer" + round);
            sides.await(node, "window" + round);
            received(b);
            b.qp().postSend(b.send(round, 0, 8));
            sent(b);
        }
    }
}
