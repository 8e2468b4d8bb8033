// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;

/** Tests that fail, each for another reason; {@link FailureInWordsTest} reads what is said of them. */
class FailingPrograms {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    @SimulatedTest(sanitize = false)
    void lostWakeUp(Simulation simulation) {
        RcPeer sender = RcPeer.open(simulation.open("sender"));
        RcPeer receiver = RcPeer.open(simulation.open("receiver"));
        CompletionChannel channel = receiver.device().createCompletionChannel();
        CompletionQueue queue = receiver.device().createCq(16, null, channel, 0);
        QueuePair qp = receiver.pd().createQp(QpInitAttributes.rc(receiver.sent(), queue, QpCapabilities.USUAL));
        RcConnection.connect(sender.qp(), qp);
        qp.postRecv(receiver.receive(1, 0, 8));
        simulation.node("sender", node -> sender.qp().postSend(sender.send(1, 0, 8)));
        simulation.node("receiver", node -> {
            while (queue.poll(1).isEmpty()) {
                queue.requestNotify(false);
                channel.getEvent(FOREVER).acknowledge();
            }
        });
    }

    @SimulatedTest(sanitize = false, mostEvents = 3_000)
    void loopWithoutEnd(Simulation simulation) {
        RcPair rc = pair(simulation);
        simulation.node("producer", node -> {
            do {
                rc.left().qp().postSend(rc.left().read(1, 0, 8, rc.right()));
                rc.left().sent().awaitCompletion(FOREVER);
            } while (rc.left().memory().buffer().getLong(0) == 0);
        });
        simulation.node("consumer", node -> node.others());
        simulation.node("other", node -> rc.right().received().awaitCompletion(FOREVER));
    }

    private static RcPair pair(Simulation simulation) {
        RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
        rc.left().memory().buffer().putLong(0, 42).putLong(8, 1);
        return rc;
    }

    @SimulatedTest
    void receivesInOneBuffer(Simulation simulation) {
        RcPair rc = RcPair.connect(simulation.open("sender"), simulation.open("receiver"));
        rc.left().memory().buffer().putLong(0, 1).putLong(8, 2);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        rc.right().qp().postRecv(rc.right().receive(2, 0, 8));
        simulation.node("sender", node -> {
            rc.left().qp().postSend(rc.left().send(3, 0, 8));
            rc.left().qp().postSend(rc.left().send(4, 8, 8));
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
        });
        simulation.node("receiver", node -> {
            assertEquals(
                    WcStatus.SUCCESS,
                    rc.right().received().awaitCompletion(FOREVER).status());
            assertEquals(
                    WcStatus.SUCCESS,
                    rc.right().received().awaitCompletion(FOREVER).status());
            assertEquals(1, node.load(rc.right().memory(), 0));
        });
    }

    @SimulatedTest(seeds = 3)
    void unsolicited(Simulation simulation) {
        RcPair rc = pair(simulation);
        CompletionChannel channel = rc.right().device().createCompletionChannel();
        CompletionQueue queue = rc.right().device().createCq(8, null, channel, 0);
        QueuePair receiver = rc.right().pd().createQp(QpInitAttributes.rc(queue, queue, QpCapabilities.USUAL));
        QueuePair sender = rc.left()
                .pd()
                .createQp(QpInitAttributes.rc(rc.left().sent(), rc.left().received(), QpCapabilities.USUAL));
        RcConnection.connect(sender, receiver);
        receiver.postRecv(rc.right().receive(1, 0, 8));
        queue.requestNotify(true);
        simulation.node("sender", node -> sender.postSend(rc.left().send(1, 0, 8)));
        simulation.node("receiver", node -> channel.getEvent(FOREVER).acknowledge());
    }

    @SimulatedTest(seeds = 1)
    void fullSendQueue(Simulation simulation) {
        RcPair rc = pair(simulation);
        simulation.node("sender", node -> {
            for (int i = 0; i < 1000; i++) {
                rc.left().qp().postSend(rc.left().write(i, 0, 8, rc.right()).unsignaled());
            }
        });
    }

    @SimulatedTest(sanitize = false)
    void flagBeforeData(Simulation simulation) {
        RcPair rc = pair(simulation);
        simulation.node("producer", node -> rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right())));
        simulation.node("consumer", node -> {
            node.loadUntil(rc.right().memory(), 8, flag -> flag == 1);
            assertEquals(42, node.load(rc.right().memory(), 0));
        });
    }

    @SimulatedTest(sanitize = false)
    void latePlacement(Simulation simulation) {
        RcPair rc = pair(simulation);
        boolean[] isWritten = new boolean[1];
        simulation.node("producer", node -> {
            rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
            rc.left().sent().awaitCompletion(FOREVER);
            isWritten[0] = true;
        });
        simulation.node("consumer", node -> {
            node.await(() -> isWritten[0]);
            assertEquals(42, node.load(rc.right().memory(), 0));
        });
    }

    /** The producer takes a WRITE that failed for one that was not executed; its acknowledgement was lost. */
    @SimulatedTest(sanitize = false, faults = @Fault(value = ChoicePoint.LINK_DROP, perMille = 100), mostFaults = 1)
    void droppedAcknowledgement(Simulation simulation) {
        RcPeer producer = RcPeer.open(simulation.open("producer"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        RcConnection.USUAL.withRetries(14, 0, 7, 12).join(producer.qp(), consumer.qp());
        producer.memory().buffer().putLong(0, 42);
        simulation.node("producer", node -> {
            producer.qp().postSend(producer.write(1, 0, 8, consumer));
            WcStatus status = producer.sent().awaitCompletion(FOREVER).status();
            node.await(() -> simulation.underWay().isEmpty());
            assertEquals(status == WcStatus.SUCCESS ? 42 : 0, node.load(consumer.memory(), 0));
        });
    }

    @SimulatedTest(sanitize = false, seeds = 5)
    void receiverNotReady(Simulation simulation) {
        RcPeer sender = RcPeer.open(simulation.open("sender"));
        RcPeer receiver = RcPeer.open(simulation.open("receiver"));
        RcConnection.USUAL.withRetries(14, 7, 1, 12).join(sender.qp(), receiver.qp());
        simulation.node("sender", node -> {
            sender.qp().postSend(sender.send(1, 0, 8));
            assertEquals(
                    WcStatus.SUCCESS, sender.sent().awaitCompletion(FOREVER).status());
        });
    }

    @SimulatedTest(sanitize = false, seeds = 5)
    void deadlock(Simulation simulation) {
        RcPair rc = pair(simulation);
        rc.left().qp().postRecv(rc.left().receive(1, 0, 8));
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        simulation.node("producer", node -> answer(rc.left()));
        simulation.node("consumer", node -> answer(rc.right()));
    }

    private static void answer(RcPeer peer) {
        assertTrue(peer.received().awaitCompletion(FOREVER).isSuccess());
        peer.qp().postSend(peer.send(2, 0, 8));
    }
}
