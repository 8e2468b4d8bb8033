// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.OneTest;
import dev.verbatim.verbs.WcStatus;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The paragraph that reports of failed tests begin with. */
class FailureInWordsTest {

    private static final Pattern PLACE = Pattern.compile("(\\w+)\\.java:\\d+");
    private static final Pattern PAGE = Pattern.compile("\ndrawn in (.*)\n");

    private static String paragraph(String method) {
        Throwable failure = OneTest.run(FailingPrograms.class, method).outcome();
        assertThat(failure).isInstanceOf(SimulatedTestFailure.class);
        String message = String.valueOf(failure.getMessage());
        assertThat(message.lines().skip(1).findFirst())
                .hasValueSatisfying(second -> assertThat(second).startsWith("repeat with @SimulatedTest("));
        return message.lines().findFirst().orElseThrow();
    }

    @Test
    void lostWakeUpNamesTheWaitAndTheSecondLook() {
        assertThat(paragraph("lostWakeUp"))
                .startsWith(
                        "Lost wake-up: a program waits for a completion event, and unpolled completions=1 of this channel"
                                + " came before their queue was armed. Program receiver waits in getEvent at FailingPrograms.java:")
                .contains("[NT-01]")
                .endsWith("Change: call requestNotify, poll once more, and wait only if that finds nothing.");
    }

    @Test
    void waitForASolicitedCompletionNamesThoseThatAreNot() {
        assertThat(paragraph("unsolicited"))
                .startsWith(
                        "No solicited completion: a program waits for a completion event, and unsolicited completions=1 came"
                                + " since requestNotify(true)")
                .contains("[NT-02]", "waits in getEvent at FailingPrograms.java:")
                .endsWith(
                        "Change: have the peer post what shall wake the program with SOLICITED, or call requestNotify(false).")
                .doesNotContain("poll once more");
    }

    @Test
    void fullSendQueueNamesWhatStandsThereAndItsPlace() {
        assertThat(paragraph("fullSendQueue"))
                .startsWith("At FailingPrograms.java:")
                .contains("ENOMEM: the send queue's max_send_wr=", "unsignaled RDMA_WRITE wr_id=0 to ")
                .containsPattern("posted at FailingPrograms.java:[0-9]+");
    }

    @Test
    void flagBeforeDataNamesBothLoadsAndWhatWasPlacedLate() {
        assertThat(paragraph("flagBeforeData"))
                .startsWith("Flag seen before data: at FailingPrograms.java:")
                .contains(
                        "expected: <42> but was: <0>. Program consumer loaded 8 bytes at 0x7f0000011000: 0, after it loaded 8"
                                + " bytes at 0x7f0000011008: 1.",
                        "placement of piece 0 of psn=17 at consumer 0x11, connected to producer, waited while others went first",
                        "[N3, ORD-34]")
                .contains("Change: wait for a completion behind the data on the same queue pair");
    }

    /** But for the line, which changes with the class. */
    @Test
    void documentShowsTheParagraphOfFlagBeforeData() throws IOException {
        String document = Files.readString(
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../../docs/testing.md"));
        String shown = document.substring(document.indexOf("```text\nFlag seen before data") + "```text\n".length());
        assertThat(paragraph("flagBeforeData").replaceAll("java:\\d+", "java:N"))
                .isEqualTo(shown.substring(0, shown.indexOf("\n```"))
                        .replace('\n', ' ')
                        .replaceAll("java:\\d+", "java:N"));
    }

    @Test
    void failedAssertionIsToldWithWhatTheSanitizerFound() {
        Throwable failure =
                OneTest.run(FailingPrograms.class, "receivesInOneBuffer").outcome();

        assertThat(String.valueOf(failure.getMessage()))
                .contains("expected: <1> but was: <2>")
                .contains("Mistake that the rules permit: two outstanding requests for the same local bytes.")
                .contains("\nthe sanitizer found in this run: S3 ")
                .contains("FailingPrograms.java:")
                .doesNotContain("look for the first line of the story");
    }

    @Test
    void latePlacementIsNoFlag() {
        assertThat(paragraph("latePlacement"))
                .startsWith("Late placement: at FailingPrograms.java:")
                .contains("at consumer 0x11, connected to producer, waited", "[N3, ORD-34]")
                .doesNotContain("after it loaded");
    }

    @Test
    void droppedAcknowledgementNamesTheLinkAndThePacket() {
        assertThat(paragraph("droppedAcknowledgement"))
                .startsWith("Fault of a link or device: at FailingPrograms.java:")
                .contains(
                        "Before that: the link from consumer to producer loses the ACK.",
                        "This is permitted: a link may lose",
                        "N-05")
                .endsWith(
                        "take a request without a completion for one that may have been executed, and may be executed once"
                                + " more.");
    }

    @Test
    void missingReceiveNamesWhoRefusedWhomHowOften() {
        assertThat(paragraph("receiverNotReady"))
                .startsWith("Receiver not ready: at FailingPrograms.java:")
                .contains("There was no receive: receiver 0x11 to sender sent 2 RNR NAKs.", "[N15]")
                .contains("Change: post receives before the peer may send");
    }

    @Test
    void deadlockNamesAllWhoWait() {
        assertThat(paragraph("deadlock"))
                .startsWith(
                        "Deadlock: nothing is left to happen, and programs wait. Program producer waits in awaitCompletion"
                                + " at FailingPrograms.java:")
                .contains(", program consumer waits in awaitCompletion at FailingPrograms.java:", "[N-08]")
                .contains("Change: let one of them do what the other waits for");
    }

    @Test
    void loopWithoutEndNamesWhoRanAndWhere() {
        assertThat(paragraph("loopWithoutEnd"))
                .matches(
                        "No end in sight: more than mostEvents=3000 events have happened: program producer took [0-9,]+"
                                + " steps and is at FailingPrograms\\.java:[0-9]+, program consumer took 2 steps and has ended,"
                                + " program other took 1 step and is at FailingPrograms\\.java:[0-9]+\\. Change: end the loop, .*");
    }

    private static Stream<String> failingPrograms() {
        return Arrays.stream(FailingPrograms.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(SimulatedTest.class))
                .map(Method::getName);
    }

    /** Neither the runner nor the JDK nor we are a place in a program, wherever a message names one. */
    @ParameterizedTest
    @MethodSource("failingPrograms")
    void placesAreThoseOfTheProgram(String method) throws IOException {
        String message = String.valueOf(
                OneTest.run(FailingPrograms.class, method).outcome().getMessage());
        String page = Files.readString(Path.of(
                PAGE.matcher(message).results().findFirst().orElseThrow().group(1)));

        for (String text : List.of(message, page)) {
            assertThat(PLACE.matcher(text).results().map(place -> place.group(1)))
                    .isSubsetOf("FailingPrograms", "FailingHelper");
        }
        assertThat(page.contains("FailingPrograms") || page.contains("FailingHelper"))
                .isTrue();
    }

    @Test
    void placeIsTheInnermostOneOfTheProgram() {
        assertThat(paragraph("assertionInAHelper")).startsWith("At FailingHelper.java:");
        assertThat(paragraph("failedDeviceInAHelper"))
                .startsWith("At FailingHelper.java:")
                .contains("EIO");
        assertThat(paragraph("mistakeWithinLambdas")).contains("posted at FailingHelper.java:", "stored to");
    }

    @Test
    void waitsWithPatienceThatNothingCanEndAreADeadlock() {
        assertThat(paragraph("deadlockOfTheImpatient"))
                .startsWith(
                        "Deadlock: nothing is left to happen, and programs wait. Program producer waits in awaitCompletion"
                                + " at FailingPrograms.java:")
                .contains(", program consumer waits in awaitCompletion at FailingPrograms.java:", "[N-08]")
                .doesNotContain("wait longer");
    }

    @Test
    void waitThatOnlyEndsTooSoonIsNone() {
        assertThat(paragraph("impatient"))
                .contains("ETIMEDOUT: no completion within PT0.000000001S; wait longer")
                .doesNotContain("Deadlock");
    }

    /** Programs whose request fails, what is said of it, and what to change. */
    enum FailedRequest {
        tooManyReads(
                "RDMA_READ wr_id=1 of producer 0x11 completed with REM_INV_REQ_ERR: RDMA_READ_REQUEST is one more than max_dest_rd_atomic=1"
                        + " outstanding READs and atomics [WC-27].",
                "give the requester a max_rd_atomic that is not larger than the responder's max_dest_rd_atomic"),
        misalignedCounter(
                "FETCH_ADD wr_id=1 of producer 0x11 completed with REM_INV_REQ_ERR: ATOMIC address 0x7f000001100c is misaligned: it is not a"
                        + " multiple of 8 [WR-35].",
                "keep the word at an aligned address"),
        keyThatThePeerHasEnded(
                "LOCAL_INV wr_id=3 of producer 0x11 completed with MW_BIND_ERR: key 0x08000005 cannot be invalidated: window 1 of TYPE_2 is"
                        + " free, since the key was invalidated by SEND_WITH_INV from qp 0x11 already [MW-82].",
                "an invalidated key needs no other end"),
        badKey(
                "RDMA_WRITE wr_id=1 of producer 0x11 completed with REM_ACCESS_ERR: key ",
                "take the rkey of a region or window");

        private final String said;
        private final String change;

        FailedRequest(String said, String change) {
            this.said = said;
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void failedRequestIsToldWithItsReasonAndWhatFits(FailedRequest program) {
        assertThat(paragraph(program.name()))
                .startsWith("Failed request: at FailingPrograms.java:")
                .contains(program.said)
                .endsWith("Change: " + program.change + ".")
                .doesNotContain("different queue pairs", "It fails with default choices");
    }

    @ParameterizedTest
    @EnumSource(WcStatus.class)
    void eachStatusHasARemedy(WcStatus status) {
        assertThat(StatusWords.remedy(status)).isNotBlank().doesNotEndWith(".");
    }

    /** The text says what the run has: one queue pair at each end is not several. */
    @ParameterizedTest
    @EnumSource(ChoicePoint.class)
    void pointsOfOneConnectionNameNoOtherQueuePair(ChoicePoint point) {
        PointWords words = PointWords.of(point, true);
        assertThat(words.permits() + words.remedy())
                .doesNotContain("different queue pairs", "another queue pair", "two queue pairs", "queue pairs do not");
        assertThat(PointWords.of(point, false)).isEqualTo(PointWords.of(point));
    }

    @Test
    void wordThatAtomicsAndWritesChangeIsS14() {
        assertThat(paragraph("wordOfWriteAndSwap"))
                .startsWith("Mistake that the rules permit: atomics and other accesses to one word.")
                .endsWith(
                        "Change: access the word by atomics of its device only, or only after a completion that covers them.");
    }

    @ParameterizedTest
    @EnumSource(ChoicePoint.class)
    void eachPointHasSentencesOfItsKind(ChoicePoint point) {
        PointWords words = PointWords.of(point);
        assertThat(words.permits()).isNotBlank().doesNotEndWith(".");
        assertThat(words.remedy()).isNotBlank().doesNotEndWith(".");
        if (point.kind() == ChoicePoint.Kind.ORDER && point != ChoicePoint.PROGRAM_STEP) {
            assertThat(words).isNotEqualTo(PointWords.of(ChoicePoint.PROGRAM_STEP));
        }
    }
}
