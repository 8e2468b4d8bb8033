// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.sanitizer.SanitizerError;
import dev.verbatim.sim.Simulation;
import dev.verbatim.testing.OneTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** What JUnit tells of tests in simulations. */
class SimulatedTestTest {

    private final List<String> reported = new ArrayList<>();

    /** Runs a test of {@link RingBuffers}; what it throws, or null. */
    private @Nullable Throwable outcome(String method) {
        return outcome(RingBuffers.class, method);
    }

    private @Nullable Throwable outcome(Class<?> test, String method) {
        OneTest run = OneTest.run(test, method);
        reported.addAll(run.reported());
        return run.outcome();
    }

    private SimulatedTestFailure failure(String method) {
        Throwable outcome = outcome(method);
        assertThat(outcome).isInstanceOf(SimulatedTestFailure.class);
        return (SimulatedTestFailure) outcome;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flagBehindTheEntryOnSimpleDevices",
                "flagBehindTheEntryWithoutThePoint",
                "completionOfAWriteWithImmediate",
                "completionOfAWriteWithImmediateExhaustively",
                "completionOverALinkThatLoses",
                "fence",
                "fenceInATestThatMakesFailuresOfAllExceptions",
                "tidy",
                "flagBehindTheEntryWithAReason",
                "anywhere",
                "anywhereSimulated",
            })
    void passes(String method) {
        assertThat(outcome(method)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flagBehindTheEntry",
                "flagBehindTheEntryWithTwoSeeds",
                "flagBehindTheEntryExhaustively",
                "flagInAWriteOfItsOwn"
            })
    void relianceOnTheOrderOfPlacementIsFoundAndTold(String method) {
        SimulatedTestFailure failure = failure(method);
        assertThat(failure.getCause()).hasMessage("expected: <42> but was: <0>");
        assertThat(failure.repeat()).startsWith("choices = \"").contains(":placement=");
        assertThat(failure)
                .hasMessageStartingWith("Flag seen before data: ")
                .hasMessageContaining("\nrepeat with @SimulatedTest(" + failure.repeat() + ")\nfound with ")
                .hasMessageContaining("RingBuffers.java:")
                .hasMessageContaining("expected: <42> but was: <0>")
                .hasMessageContaining(failure.story());
        assertThat(failure.story())
                .containsSubsequence(
                        "post     RDMA_WRITE wr_id=1",
                        "receive  RDMA_WRITE_ONLY",
                        "placement=",
                        "[N3, ORD-34]",
                        "program  loads 8 bytes at 0x7f0000011008: 1",
                        "program  loads 8 bytes at 0x7f0000011000: 0");
        assertThat(failure.story().lines().reduce((a, b) -> b))
                .hasValueSatisfying(last -> assertThat(last)
                        .as("nothing of the end of the simulation")
                        .contains("loads"));
    }

    @Test
    void mistakeThatDidNoHarmFailsTheTestAndNamesBothPlaces() {
        SimulatedTestFailure failure = failure("flagBehindTheEntryThatIsSanitized");
        assertThat(failure.getCause())
                .isInstanceOf(SanitizerError.class)
                .hasMessageStartingWith("S6 flag looked at instead of a completion: ");
        assertThat(failure.repeat()).isEqualTo("choices = \"canonical\"");
        assertThat(((SanitizerError) failure.getCause()).findings().get(0).places())
                .allSatisfy(place -> assertThat(place).startsWith("RingBuffers.java:"));
    }

    @Test
    void missingFenceIsFoundAndTold() {
        SimulatedTestFailure failure = failure("missingFence");
        assertThat(failure.getCause()).hasMessage("expected: <42> but was: <0>");
        assertThat(failure.story())
                .containsSubsequence("post     RDMA_READ", "send     SEND_ONLY", "receive  RDMA_READ_RESPONSE_ONLY");
    }

    @Test
    void choicesThatWereFoundRepeatTheFailureEventByEvent() {
        SimulatedTestFailure found = failure("flagBehindTheEntry");
        SimulatedTestFailure again = failure("flagBehindTheEntryAsFound");
        assertThat(again.repeat()).isEqualTo(found.repeat());
        assertThat(again.story()).isEqualTo(found.story());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "choicesOfAnotherTest | 5:acknowledgement=1/7 is not requested; the test or the device has changed",
                "choicesOfALongerTest | 900:placement=1/2 is not requested; the run passes after ",
                "choicesOfATestThatFailsLater | 900:placement=1/2 is not requested; the run fails after "
            })
    void choicesThatTheRunDoesNotComeToAreSaidToBeStaleBeforeAllElse(String method, String where) {
        SimulatedTestFailure failure = failure(method);

        assertThat(failure)
                .hasMessageStartingWith("the recorded choices do not match this test: choice " + where)
                .hasMessageContaining("and search again with seeds");
        assertThat(failure.repeat()).isEmpty();
    }

    @Test
    void numberOfRunsIsReported() {
        outcome("completionOfAWriteWithImmediate");
        outcome("completionOfAWriteWithImmediateExhaustively");
        assertThat(reported).hasSize(2);
        assertThat(reported.get(0)).isEqualTo("101 runs, the first with default choices");
        assertThat(reported.get(1))
                .startsWith("complete: 1 outcomes in ")
                .endsWith(
                        "\ntime limits: 1 wait of a run had one; that the time ends first was tried with default choices"
                                + " only");
    }

    @Test
    void waitThatGivesUpWhereEventsTakeTimeIsFoundByAnExhaustiveTest() {
        SimulatedTestFailure failure = failure("givesUpEarlyExhaustively");
        assertThat(failure)
                .hasMessageContaining("ETIMEDOUT: no completion within PT0.0000001S")
                .hasMessageContaining("found with default choices, where events take time");
        assertThat(failure.repeat()).isEqualTo("choices = \"canonical\"");
    }

    @Test
    void interruptEndsAnExplorationWithWhatWasFound() {
        assertThat(outcome("interruptedExhaustively"))
                .hasMessageContaining("no run failed, but the exploration is incomplete: it stopped when it was"
                        + " interrupted, after 10 runs");
    }

    @Test
    void unmetAssumptionAbortsTheTest() {
        assertThat(outcome("assumesWhatIsNotSo"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("not on this machine");
    }

    @Test
    void walkThatStopsEarlyIsAFailure() {
        assertThat(outcome("tooManyRuns"))
                .hasMessageContaining("no run failed, but the exploration is incomplete: it stopped after 2 runs");
    }

    @Test
    void testThatKeepsSomethingIsToldSo() {
        assertThat(outcome("keepsSomethingInAField"))
                .hasMessageContaining(
                        "with which it had passed before: it keeps state between runs, or depends on what the simulation"
                                + " does not control");
    }

    @Test
    void programsThatWaitForEverAreNamedWithTheirPlaces() {
        SimulatedTestFailure failure = failure("blocked");
        assertThat(failure)
                .hasMessageContaining("program producer waits for ever")
                .hasMessageContaining("program consumer waits here")
                .message()
                .containsPattern("RingBuffers.java:\\d+: dev.verbatim.verbs.VerbsException")
                .containsPattern("RingBuffers.java:\\d+: program consumer");
    }

    @Test
    void whatIsLeftOpenIsToldWhereAsked() {
        assertThat(outcome("leaks"))
                .hasMessageContaining(
                        "left open: device consumer has protection domains=1 completion queues=2 channels=0 device memories=0"
                                + " xrc domains=0 queue pairs=1 shared receive queues=0 regions=1 windows=0"
                                + " address handles=0; close them first");
    }

    @Test
    void whoeverRunsOutOfPatienceLearnsWhereTheProgramIs() {
        try {
            assertThat(outcome("spins"))
                    .isNotInstanceOf(SimulatedTestFailure.class)
                    .hasMessageContaining("interrupted while program spins ran between two verbs");
        } finally {
            Thread.interrupted();
            RingBuffers.enough = true;
        }
    }

    @Test
    void failureInRealTimeHasAStoryAndNothingThatRepeatsIt() {
        SimulatedTestFailure failure = failure("failsInRealTime");
        assertThat(failure.repeat()).isEmpty();
        assertThat(failure).hasMessageContaining("expected: <1> but was: <2>").hasMessageContaining("RDMA_WRITE_ONLY");
    }

    @Test
    void methodThatIsCalledOnceHasNoSimulation() {
        assertThat(outcome(PreparedTooEarly.class, "passes"))
                .hasMessageContaining(
                        "prepare is called once and not in each run, so it has no Simulation; do this in the"
                                + " method with @SimulatedTest");
    }

    static final class PreparedTooEarly {

        @BeforeEach
        void prepare(Simulation simulation) {
            simulation.open("left");
        }

        @SimulatedTest
        void passes(Simulation simulation) {
            simulation.run();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wantsASimulationElsewhere | take a parameter of type Verbatim",
                "unknownProfile | profile=BEST is none of STRICT_IBTA",
                "unreadableChoices | is no choice",
                "seedInRealTime | fabric=in-process has no choices",
                "faultThatIsNone | @Fault(placement) is no fault",
                "seedOfAllRuns | seed = [3] and exhaustive = true each say which runs there are",
                "choicesOfAllRuns | and exhaustive = true each say which runs there are",
                "choicesOfASeed | seed = [1, 2] and choices = \"5:request=1/3",
            })
    void annotationThatMeansNothingIsRefused(String method, String sentence) {
        assertThat(outcome(method)).hasMessageContaining(sentence);
    }
}
