// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.RealCases.LONG;
import static dev.verbatim.conformance.misuse.RealCases.clean;
import static dev.verbatim.conformance.misuse.RealCases.mistake;
import static dev.verbatim.conformance.misuse.RealCases.received;
import static dev.verbatim.conformance.misuse.RealCases.refused;
import static dev.verbatim.conformance.misuse.RealCases.sent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPeer;
import dev.verbatim.conformance.misuse.RealCases.Sides;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sim.Node;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The same as {@link RealCasesTest} for notifications, rings of buffers and requests that were given up. */
class RealRingsTest {

    private static final int MESSAGES = 2;

    private static void sends(Node node, Sides sides) {
        sides.await(node, "posted");
        for (int i = 0; i < MESSAGES; i++) {
            sides.toB().postSend(sides.a().send(i, 0, 8));
        }
        for (int i = 0; i < MESSAGES; i++) {
            sent(sides.a());
        }
    }

    private static void posts(Sides sides) {
        for (int i = 0; i < MESSAGES; i++) {
            sides.ofB().postRecv(sides.b().receive(i, 64 + 8 * i, 8));
        }
        sides.tell("posted");
    }

    private static int take(CompletionQueue cq, int most) {
        List<WorkCompletion> completions = cq.poll(most);
        completions.forEach(completion -> assertThat(completion.isSuccess()).isTrue());
        return completions.size();
    }

    private static void awaitEvent(CompletionQueue cq) {
        CompletionChannel channel = Objects.requireNonNull(cq.channel());
        CompletionEvent event = channel.getEvent(LONG);
        event.acknowledge();
    }

    /** linux-rdma/perftest#137, ydb-platform/nbs#449: a program that was woken takes some completions and waits again. */
    @Test
    void queueNotEmptiedBehindAWakeUp() {
        mistake(Mistake.S9, RealRingsTest::sends, (node, sides) -> {
            posts(sides);
            CompletionQueue cq = sides.heard();
            int taken = 0;
            while (taken < MESSAGES) {
                cq.requestNotify(false);
                awaitEvent(cq);
                taken += take(cq, 1);
            }
        });
        clean(RealRingsTest::sends, RealRingsTest::polledBehindTheArm);
    }

    private static void polledBehindTheArm(Node node, Sides sides) {
        posts(sides);
        CompletionQueue cq = sides.heard();
        int taken = 0;
        while (taken < MESSAGES) {
            cq.requestNotify(false);
            int behind = take(cq, MESSAGES);
            taken += behind;
            if (behind == 0) {
                awaitEvent(cq);
                taken += take(cq, MESSAGES);
            }
        }
    }

    /** A Rust transport, and apache/brpc#3425: the queue is polled, armed, and waited for without a second poll. */
    @Test
    void notificationLostBetweenPollAndArm() {
        mistake(Mistake.S9, RealRingsTest::sends, (node, sides) -> {
            posts(sides);
            CompletionQueue cq = sides.heard();
            int taken = 0;
            while (taken < MESSAGES) {
                int found = take(cq, MESSAGES);
                taken += found;
                if (found == 0) {
                    node.others();
                    cq.requestNotify(false);
                    awaitEvent(cq);
                }
            }
        });
        clean(RealRingsTest::sends, RealRingsTest::polledBehindTheArm);
    }

    /** NVIDIA/nccl#2393: a slot is taken as full by its index, and its other words are read then. */
    @Test
    void slotReadByItsIndex() {
        mistake(
                Mistake.S6,
                (node, sides) -> {
                    RcPeer a = sides.a();
                    node.store(a.memory(), 0, 3);
                    node.store(a.memory(), 8, 1);
                    a.qp().postSend(a.write(1, 0, 16, sides.b()));
                    sent(a);
                },
                (node, sides) -> {
                    node.loadUntil(sides.b().memory(), 8, index -> index == 1);
                    node.load(sides.b().memory(), 0);
                });
        clean(
                (node, sides) -> {
                    RcPeer a = sides.a();
                    sides.await(node, "posted");
                    node.store(a.memory(), 0, 3);
                    node.store(a.memory(), 8, 1);
                    a.qp().postSend(a.writeWithImmediate(1, 1, 0, 16, sides.b()));
                    sent(a);
                },
                (node, sides) -> {
                    sides.b().qp().postRecv(sides.b().receive(1, 64, 8));
                    sides.tell("posted");
                    received(sides.b());
                    node.load(sides.b().memory(), 0);
                });
    }

    /** kvcache-ai/Mooncake#4092: a request is given up by a time limit, and its buffer goes to the next one while it is still outstanding. */
    @Test
    void sourceReusedBehindATimeLimit() {
        mistake(Mistake.S1, (node, sides) -> givenUp(node, sides, false), RealCases::nothing);
        clean((node, sides) -> givenUp(node, sides, true), RealCases::nothing);
    }

    private static void givenUp(Node node, Sides sides, boolean waits) {
        RcPeer a = sides.a();
        a.qp().postSend(a.write(1, 0, 8, sides.b()));
        if (waits) {
            sent(a);
        }
        node.store(a.memory(), 0, 7);
        if (!waits) {
            sent(a);
        }
    }

    /** novitalabs/pegaflow#403: the buffers of READs go back to their pool behind a time limit, and the READs are still outstanding. */
    @Test
    void destinationReusedBehindATimeLimit() {
        mistake(Mistake.S2, (node, sides) -> staged(node, sides, false), RealCases::nothing);
        clean((node, sides) -> staged(node, sides, true), RealCases::nothing);
    }

    private static void staged(Node node, Sides sides, boolean waits) {
        RcPeer a = sides.a();
        a.qp().postSend(a.read(1, 0, 8, sides.b()));
        if (waits) {
            sent(a);
        }
        node.store(a.memory(), 0, 7);
        if (!waits) {
            sent(a);
        }
    }

    /** A Rust transport: slots of a ring are released as a count, the second one first, and the peer overwrites the first. */
    @Test
    void ringOverwrittenByARelease() {
        mistake(Mistake.S4, RealRingsTest::fills, (node, sides) -> consumes(node, sides, false));
        clean(RealRingsTest::fills, (node, sides) -> consumes(node, sides, true));
    }

    private static void fills(Node node, Sides sides) {
        RcPeer a = sides.a();
        a.qp().postRecv(a.receive(9, 128, 8));
        sides.tell("release");
        sides.await(node, "posted");
        for (int slot = 0; slot < MESSAGES; slot++) {
            a.qp().postSend(a.writeWithImmediate(slot, slot, 8 * slot, 8, sides.b()));
        }
        for (int slot = 0; slot < MESSAGES; slot++) {
            sent(a);
        }
        received(a);
        a.qp().postSend(a.write(9, 0, 8, sides.b()));
        sent(a);
    }

    private static void consumes(Node node, Sides sides, boolean inOrder) {
        RcPeer b = sides.b();
        for (int slot = 0; slot < MESSAGES; slot++) {
            b.qp().postRecv(b.receive(slot, 256, 0));
        }
        sides.tell("posted");
        received(b);
        received(b);
        sides.await(node, "release");
        if (inOrder) {
            node.load(b.memory(), 0);
        }
        node.load(b.memory(), 8);
        b.qp().postSend(b.send(1, 512, 8));
        sent(b);
        if (!inOrder) {
            node.load(b.memory(), 0);
        }
    }

    /** A Rust transport: requests that are never signaled fill the send queue for good. */
    @Test
    void sendQueueExhausted() {
        refused(
                Errno.ENOMEM,
                "there stand 64 unsignaled RDMA_WRITE",
                (node, sides) -> unsignaled(sides, Integer.MAX_VALUE),
                RealCases::nothing);
        clean((node, sides) -> unsignaled(sides, 8), RealCases::nothing);
    }

    private static void unsignaled(Sides sides, int signaledEvery) {
        RcPeer a = sides.a();
        for (int i = 1; i <= 80; i++) {
            boolean signaled = i % signaledEvery == 0;
            a.qp().postSend(
                            signaled
                                    ? a.write(i, 0, 8, sides.b())
                                    : a.write(i, 0, 8, sides.b()).unsignaled());
            if (signaled) {
                sent(a);
            }
        }
    }

    /** A Rust transport: each side waits for the other's credit before it gives its own. */
    @Test
    void bothWaitForCredit() {
        refused(
                Errno.ETIMEDOUT,
                "none can come: program a waits in vain",
                (node, sides) -> credit(node, sides, 0, false),
                (node, sides) -> credit(node, sides, 1, false));
        clean((node, sides) -> credit(node, sides, 0, true), (node, sides) -> credit(node, sides, 1, true));
    }

    private static void credit(Node node, Sides sides, int side, boolean givesFirst) {
        RcPeer own = side == 0 ? sides.a() : sides.b();
        own.qp().postRecv(own.receive(1, 128, 8));
        sides.tell("ready" + side);
        sides.await(node, "ready" + (1 - side));
        if (!givesFirst) {
            received(own);
        }
        own.qp().postSend(own.send(2, 64, 8));
        sent(own);
        if (givesFirst) {
            received(own);
        }
    }
}
