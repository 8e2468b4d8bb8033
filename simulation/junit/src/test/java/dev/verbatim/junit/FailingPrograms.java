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
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
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
        answer(peer, FOREVER);
    }

    private static void answer(RcPeer peer, Duration patience) {
        assertTrue(peer.received().awaitCompletion(patience).isSuccess());
        peer.qp().postSend(peer.send(2, 0, 8));
    }

    @SimulatedTest(sanitize = false, seeds = 5)
    void deadlockOfTheImpatient(Simulation simulation) {
        RcPair rc = pair(simulation);
        rc.left().qp().postRecv(rc.left().receive(1, 0, 8));
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        simulation.node("producer", node -> answer(rc.left(), Duration.ofMinutes(10)));
        simulation.node("consumer", node -> answer(rc.right(), Duration.ofMinutes(20)));
    }

    /** Nobody is to blame but the time limit: the message is on its way. */
    @SimulatedTest(sanitize = false, seeds = 0)
    void impatient(Simulation simulation) {
        RcPair rc = pair(simulation);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        simulation.node("consumer", node -> answer(rc.right(), Duration.ofNanos(1)));
        simulation.node("producer", node -> {
            for (int turn = 0; turn < 9; turn++) {
                node.others();
            }
            rc.left().qp().postSend(rc.left().send(2, 0, 8));
        });
    }

    @SimulatedTest(sanitize = false)
    void tooManyReads(Simulation simulation) {
        RcPeer left = RcPeer.open(simulation.open("producer"));
        RcPeer right = RcPeer.open(simulation.open("consumer"));
        RcConnection many = RcConnection.USUAL.withDepth(16);
        RcConnection.Endpoint leftEnd = RcConnection.Endpoint.of(left.qp(), 1, 1);
        RcConnection.Endpoint rightEnd = RcConnection.Endpoint.of(right.qp(), 1, 2);
        many.readyToReceive(left.qp(), rightEnd);
        RcConnection.USUAL.withDepth(1).readyToReceive(right.qp(), leftEnd);
        many.readyToSend(right.qp(), 2);
        many.readyToSend(left.qp(), 1);
        simulation.node("producer", node -> {
            for (int i = 0; i < 16; i++) {
                left.qp().postSend(left.read(i, 8 * i, 8, right));
            }
            for (int i = 0; i < 16; i++) {
                assertEquals(
                        WcStatus.SUCCESS, left.sent().awaitCompletion(FOREVER).status());
            }
        });
    }

    @SimulatedTest
    void misalignedCounter(Simulation simulation) {
        RcPair rc = pair(simulation);
        simulation.node("producer", node -> {
            rc.left()
                    .qp()
                    .postSend(SendWorkRequest.fetchAndAdd(
                            1,
                            rc.right().address(12),
                            rc.right().rkey(),
                            1,
                            rc.left().sge(0, 8)));
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
        });
    }

    @SimulatedTest
    void wordOfWriteAndSwap(Simulation simulation) {
        RcPair rc = pair(simulation);
        RcPeer other = RcPeer.open(simulation.open("other"));
        QueuePair qp = rc.right()
                .pd()
                .createQp(QpInitAttributes.rc(rc.right().sent(), rc.right().received(), QpCapabilities.USUAL));
        RcConnection.connect(other.qp(), qp);
        simulation.node("producer", node -> {
            rc.left()
                    .qp()
                    .postSend(SendWorkRequest.compareAndSwap(
                            1,
                            rc.right().address(0),
                            rc.right().rkey(),
                            0,
                            1,
                            rc.left().sge(64, 8)));
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
        });
        simulation.node("other", node -> {
            other.qp().postSend(other.write(1, 0, 8, rc.right()));
            assertEquals(WcStatus.SUCCESS, other.sent().awaitCompletion(FOREVER).status());
        });
    }

    private static int bind(RcPeer owner, MemoryWindow window, int key) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(
                4, window, key, new BindInfo(owner.region(), owner.region().address(), 8, AccessFlags.REMOTE_WRITE));
        owner.qp().postSend(bind);
        assertEquals(WcStatus.SUCCESS, owner.sent().awaitCompletion(FOREVER).status());
        return bind.boundKey();
    }

    @SimulatedTest
    void badKey(Simulation simulation) {
        RcPair rc = pair(simulation);
        simulation.node("producer", node -> {
            rc.left()
                    .qp()
                    .postSend(SendWorkRequest.write(
                            1, rc.right().address(0), 0x77, rc.left().sge(0, 8)));
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
        });
    }

    @SimulatedTest(seeds = 1)
    void keyThatThePeerHasEnded(Simulation simulation) {
        RcPair rc = pair(simulation);
        rc.left().qp().postRecv(rc.left().receive(9, 64, 8));
        MemoryWindow window = rc.left().pd().allocateWindow(MemoryWindowType.TYPE_2);
        int[] told = new int[1];
        simulation.node("producer", node -> {
            int key = bind(rc.left(), window, 5);
            told[0] = key;
            assertEquals(
                    WcStatus.SUCCESS,
                    rc.left().received().awaitCompletion(FOREVER).status());
            rc.left().qp().postSend(SendWorkRequest.localInvalidate(3, key));
            assertEquals(
                    WcStatus.SUCCESS, rc.left().sent().awaitCompletion(FOREVER).status());
        });
        simulation.node("consumer", node -> {
            node.await(() -> told[0] != 0);
            rc.right().qp().postSend(SendWorkRequest.sendWithInvalidate(2, told[0]));
            rc.right().sent().awaitCompletion(FOREVER).status();
        });
    }

    @SimulatedTest(seeds = 1)
    void assertionInAHelper(Simulation simulation) {
        new FailingHelper(simulation).failsInAProgram();
    }

    @SimulatedTest(seeds = 1)
    void failedDeviceInAHelper(Simulation simulation) {
        new FailingHelper(simulation).usesADeviceThatHasFailed();
    }

    @SimulatedTest(seeds = 1, mostEvents = 1_000)
    void endlessProgramInAHelper(Simulation simulation) {
        new FailingHelper(simulation).spins();
    }

    @SimulatedTest(seeds = 1)
    void mistakeWithinLambdas(Simulation simulation) {
        new FailingHelper(simulation).touchesASourceWithinLambdas();
    }
}
