// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the demo when a step does not end as the script says. */
@Tag("smoke")
@Timeout(600)
class DemoRunTest {

    private final StringWriter told = new StringWriter();

    @Test
    void stepThatEndsAsItShouldIsFollowedByTheNext() {
        assertThat(hold(write(1, WcStatus.SUCCESS), write(2, WcStatus.SUCCESS))).isTrue();
        assertThat(told.toString())
                .contains("1  a write", "2  a write", "All steps ended as expected.")
                .doesNotContain("NOT AS EXPECTED");
    }

    @Test
    void statusThatIsAnotherEndsTheDialogue() {
        assertThat(hold(write(1, WcStatus.LOC_PROT_ERR), write(2, WcStatus.SUCCESS)))
                .isFalse();
        assertThat(told.toString())
                .contains("NOT AS EXPECTED: left: completed SUCCESS instead of LOC_PROT_ERR")
                .contains("NOT AS EXPECTED: A step did not end as expected.")
                .doesNotContain("2  a write");
    }

    @Test
    void memoryThatHoldsSomethingElseEndsTheDialogue() {
        assertThat(hold(write(1, WcStatus.SUCCESS, ExpectedMemory.text(Diagram.RIGHT, DemoScript.INBOX, "nothing"))))
                .isFalse();
        assertThat(told.toString())
                .contains("NOT AS EXPECTED: right: did nothing;", "holds \"written\" instead of \"nothing\"");
    }

    @Test
    void wordThatIsAnotherEndsTheDialogue() {
        assertThat(hold(write(1, WcStatus.SUCCESS, ExpectedMemory.word(Diagram.RIGHT, DemoScript.WORD, 17))))
                .isFalse();
        assertThat(told.toString()).contains("holds 1000 instead of 17");
    }

    @Test
    void rightDoesNotWaitForWhatLeftsFailureKeepsFromComing() {
        DemoStep.Work unknownKey = (id, left, right) ->
                SendWorkRequest.write(id, right.address(), 1, left.region().sge(0, 8));
        DemoStep step = new DemoStep(
                1, Diagram.LEFT, "a write", "", unknownKey, true, WcStatus.SUCCESS, EventType.COMM_EST, List.of());
        assertThat(hold(step)).isFalse();
        assertThat(told.toString().replaceAll("\\s+", " "))
                .contains("left: completed REM_ACCESS_ERR instead of SUCCESS")
                .contains("right: received WR_FLUSH_ERR instead of SUCCESS; got event QP_ACCESS_ERR instead of"
                        + " COMM_EST");
    }

    @Test
    @Timeout(19) // less than right's patience with a left that is content
    void eventThatDoesNotComeIsMissed() {
        DemoStep step = new DemoStep(
                1,
                Diagram.LEFT,
                "a write",
                "",
                (id, left, right) -> SendWorkRequest.write(
                        id, right.address(), right.rkey(), left.region().sge(0, 8)),
                false,
                WcStatus.LOC_PROT_ERR,
                EventType.QP_ACCESS_ERR,
                List.of());
        assertThat(hold(step)).isFalse();
        assertThat(told.toString()).contains("right: got event nothing instead of QP_ACCESS_ERR");
    }

    @Test
    void scriptIsHeldToItsEnd() {
        assertThat(hold(DemoScript.steps().toArray(DemoStep[]::new))).isTrue();
    }

    @Test
    void sidesCloseWhatTheyOpened() {
        Sanitizer sanitizer = Sanitizer.withSites();
        assertThat(DemoRun.inProcess(DemoScript.steps(), event -> {}, sanitizer, report()))
                .isTrue();
        assertThat(sanitizer.findings()).extracting(Finding::mistake).containsOnly(Mistake.S19);
    }

    @Test
    void whatIsFoundAtCloseIsTold() {
        Sanitizer sanitizer = Sanitizer.withSites();
        DemoStep.Work leaving = (id, left, right) -> {
            left.region().pd().device().createCq(1);
            return SendWorkRequest.write(
                    id, right.address(), right.rkey(), left.region().sge(0, 8));
        };
        DemoStep step = new DemoStep(1, Diagram.LEFT, "a write", "", leaving, false, WcStatus.SUCCESS, null, List.of());
        assertThat(DemoRun.inProcess(List.of(step), event -> {}, sanitizer, new SanitizedReport(sanitizer, report())))
                .isTrue();
        assertThat(told.toString()).contains("note: S15 object left open").contains("All steps ended as expected.");
    }

    @Test
    void errorOfTheSanitizerIsToldAndNotThrown() {
        Sanitizer sanitizer = Sanitizer.withSites();
        DemoStep.Work mistaken = (id, left, right) -> {
            sanitizer.report(Finding.of(Mistake.S4, "", List.of(), "one and another"));
            return SendWorkRequest.write(
                    id, right.address(), right.rkey(), left.region().sge(0, 8));
        };
        DemoStep step =
                new DemoStep(1, Diagram.LEFT, "a write", "", mistaken, false, WcStatus.SUCCESS, null, List.of());
        RunRecorder run = new RunRecorder();
        DemoReport drawn = new DrawnReport(run, report());
        assertThat(DemoRun.inProcess(List.of(step), run, sanitizer, new SanitizedReport(sanitizer, drawn)))
                .isTrue();
        assertThat(told.toString())
                .contains("sanitizer: S4 ", "NOT AS EXPECTED: The sanitizer found a mistake.")
                .doesNotContain("All steps ended as expected.", "A step did not end");
        assertThat(run.lines())
                .filteredOn(line -> line.contains("\"kind\":\"caption\""))
                .last(InstanceOfAssertFactories.STRING)
                .contains("The sanitizer found a mistake.", "S4 ");
    }

    private DemoReport report() {
        Output output = new Output(new PrintWriter(told), new PrintWriter(told), false);
        return new PrintedReport(output, true, Diagram.MOST_WIDTH_CHARS);
    }

    private boolean hold(DemoStep... script) {
        return DemoRun.inProcess(List.of(script), report());
    }

    private static DemoStep write(int number, WcStatus status, ExpectedMemory... expectedMemory) {
        DemoStep.Work work = (id, left, right) -> SendWorkRequest.write(
                id,
                right.address() + DemoScript.INBOX,
                right.rkey(),
                left.region().sge(DemoScript.OUTBOX, 7));
        return new DemoStep(
                number, Diagram.LEFT, "a write", "written", work, false, status, null, List.of(expectedMemory));
    }
}
