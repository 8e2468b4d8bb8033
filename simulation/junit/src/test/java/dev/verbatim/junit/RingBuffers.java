// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.SendFlags;
import java.time.Duration;
import java.util.List;

/** Tests of rings that a producer WRITEs entries into: some that rely on what nobody promises, and some that do not. */
class RingBuffers {

    private static final String FOUND = "5:request=1/3,6:request=1/2,9:placement-split=1/2,10:placement=1/3,"
            + "11:placement=1/3,12:placement=1/3,13:placement=2/3,14:placement=2/3";

    /** Lets a program end that spins. */
    static volatile boolean enough;

    private int runs;

    private static RcPair open(Simulation simulation) {
        RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
        rc.left().memory().buffer().putLong(0, 42).putLong(8, 1);
        return rc;
    }

    private static void writeOnce(Simulation simulation) {
        RcPair rc = open(simulation);
        simulation.node("producer", node -> rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right())));
        simulation.node("consumer", node -> consumeByFlag(rc, node));
    }

    private static void consumeByFlag(RcPair rc, Node node) {
        node.loadUntil(rc.right().memory(), 8, flag -> flag == 1);
        assertEquals(42, node.load(rc.right().memory(), 0));
    }

    private static void writeWithImmediate(Simulation simulation) {
        RcPair rc = open(simulation);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 0));
        simulation.node(
                "producer", node -> rc.left().qp().postSend(rc.left().writeWithImmediate(1, 0, 0, 16, rc.right())));
        simulation.node("consumer", node -> {
            rc.right().received().awaitCompletion(Duration.ofSeconds(1));
            assertEquals(42, node.load(rc.right().memory(), 0));
        });
    }

    @SimulatedTest(sanitize = false)
    void flagBehindTheEntry(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest
    void flagBehindTheEntryThatIsSanitized(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(seeds = 0)
    void flagBehindTheEntryWithAReason(Simulation simulation, Sanitizer sanitizer) {
        sanitizer.silence(Mistake.S6, "these devices place bytes in order");
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, seeds = 0)
    void flagBehindTheEntryOnSimpleDevices(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, choices = FOUND)
    void flagBehindTheEntryAsFound(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(
            sanitize = false,
            seed = {18, 38})
    void flagBehindTheEntryWithTwoSeeds(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, exhaustive = true)
    void flagBehindTheEntryExhaustively(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, exhaustive = true, points = ChoicePoint.PROGRAM_STEP)
    void flagBehindTheEntryWithoutThePoint(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false)
    void flagInAWriteOfItsOwn(Simulation simulation) {
        RcPair rc = open(simulation);
        simulation.node("producer", node -> {
            rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
            rc.left().qp().postSend(rc.left().write(2, 8, 8, rc.right()));
        });
        simulation.node("consumer", node -> consumeByFlag(rc, node));
    }

    /** Reads a word of the peer's and sends on what was read. */
    private static void readAndSend(Simulation simulation, int sendFlags) {
        RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
        rc.right().memory().buffer().putLong(0, 42);
        rc.right().qp().postRecv(rc.right().receive(1, 8, 8));
        simulation.node("left", node -> {
            rc.left().qp().postSend(rc.left().read(2, 0, 8, rc.right()));
            rc.left().qp().postSend(rc.left().send(3, 0, 8).plus(sendFlags));
        });
        simulation.node("right", node -> {
            rc.right().received().awaitCompletion(Duration.ofSeconds(1));
            assertEquals(42, node.load(rc.right().memory(), 8));
        });
    }

    @SimulatedTest(exhaustive = true)
    void fenceInATestThatMakesFailuresOfAllExceptions(Simulation simulation) {
        readAndSend(simulation, SendFlags.FENCE);
        try {
            simulation.run();
        } catch (RuntimeException e) {
            throw new AssertionError("the run must not fail", e);
        }
    }

    @SimulatedTest(sanitize = false)
    void missingFence(Simulation simulation) {
        readAndSend(simulation, 0);
    }

    @SimulatedTest(exhaustive = true)
    void fence(Simulation simulation) {
        readAndSend(simulation, SendFlags.FENCE);
    }

    @SimulatedTest
    void completionOfAWriteWithImmediate(Simulation simulation) {
        writeWithImmediate(simulation);
    }

    @SimulatedTest(exhaustive = true)
    void completionOfAWriteWithImmediateExhaustively(Simulation simulation) {
        writeWithImmediate(simulation);
    }

    @SimulatedTest(exhaustive = true, mostRuns = 2)
    void tooManyRuns(Simulation simulation) {
        writeWithImmediate(simulation);
    }

    /** In the runs of an exploration the completion is there in time. */
    @SimulatedTest(sanitize = false, exhaustive = true)
    void givesUpEarlyExhaustively(Simulation simulation) {
        RcPair rc = open(simulation);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        simulation.node("consumer", node -> rc.right().received().awaitCompletion(Duration.ofNanos(100)));
        simulation.node("producer", node -> {
            node.others();
            node.others();
            rc.left().qp().postSend(rc.left().send(1, 0, 8));
        });
    }

    @SimulatedTest(sanitize = false, exhaustive = true)
    void interruptedExhaustively(Simulation simulation) {
        RcPair rc = open(simulation);
        for (String name : List.of("a", "b", "c")) {
            simulation.node(name, node -> {
                node.store(rc.left().memory(), 0, 1);
                node.load(rc.left().memory(), 0);
                node.store(rc.left().memory(), 0, 2);
            });
        }
        if (++runs == 12) {
            Thread.currentThread().interrupt();
        }
    }

    @SimulatedTest(faults = @Fault(value = ChoicePoint.LINK_DROP, perMille = 200), mostFaults = 3)
    void completionOverALinkThatLoses(Simulation simulation) {
        writeWithImmediate(simulation);
    }

    @SimulatedTest
    void assumesWhatIsNotSo(Simulation simulation) {
        simulation.node("a", node -> assumeTrue(node.name().isEmpty(), "not on this machine"));
    }

    @SimulatedTest
    void keepsSomethingInAField(Simulation simulation) {
        runs++;
        assertEquals(1, runs);
    }

    @SimulatedTest(seeds = 3)
    void blocked(Simulation simulation) {
        RcPair rc = open(simulation);
        simulation.node("producer", node -> rc.left().received().awaitCompletion(Duration.ofNanos(Long.MAX_VALUE)));
        simulation.node("consumer", node -> consumeByFlag(rc, node));
    }

    @SimulatedTest(leakCheck = true)
    void leaks(Simulation simulation) {
        open(simulation).left().close();
    }

    @SimulatedTest(leakCheck = true)
    void tidy(Simulation simulation) {
        RcPair rc = open(simulation);
        rc.left().close();
        rc.right().close();
    }

    @SimulatedTest(fabric = "in-process", leakCheck = true)
    void anywhere(Verbatim rdma) {
        RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
        rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right()));
        rc.left().sent().awaitCompletion(Duration.ofSeconds(10));
        rc.left().close();
        rc.right().close();
    }

    @SimulatedTest(seeds = 10, leakCheck = true)
    void anywhereSimulated(Verbatim rdma) {
        anywhere(rdma);
    }

    @SimulatedTest(fabric = "in-process")
    void failsInRealTime(Verbatim rdma) {
        RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
        rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right()));
        assertEquals(1, 2);
    }

    @SimulatedTest(fabric = "in-process")
    void wantsASimulationElsewhere(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest
    void spins(Simulation simulation) {
        Thread opener = Thread.currentThread();
        simulation.node("spins", node -> {
            opener.interrupt();
            while (!enough) {
                Thread.onSpinWait();
            }
        });
    }

    @SimulatedTest(fabric = "in-process", seed = 3)
    void seedInRealTime(Verbatim rdma) {
        rdma.open("left");
    }

    @SimulatedTest(faults = @Fault(ChoicePoint.PLACEMENT))
    void faultThatIsNone(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest(profile = "BEST")
    void unknownProfile(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest(choices = "3;4")
    void unreadableChoices(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest(sanitize = false, choices = "5:acknowledgement=1/7")
    void choicesOfAnotherTest(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, choices = "900:placement=1/2")
    void choicesOfALongerTest(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(sanitize = false, choices = FOUND + ",900:placement=1/2")
    void choicesOfATestThatFailsLater(Simulation simulation) {
        writeOnce(simulation);
    }

    @SimulatedTest(seed = 3, exhaustive = true)
    void seedOfAllRuns(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest(choices = FOUND, exhaustive = true)
    void choicesOfAllRuns(Simulation simulation) {
        simulation.run();
    }

    @SimulatedTest(
            choices = FOUND,
            seed = {1, 2})
    void choicesOfASeed(Simulation simulation) {
        simulation.run();
    }
}
