// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.sanitizer.Finding;
import java.net.InetSocketAddress;
import java.util.List;

/** Adds a caption to a recorded run at each step, and passes everything on to another report. */
public final class DrawnReport implements DemoReport {

    private final RunRecorder run;
    private final DemoReport next;

    /** Captions the run, which begins with connecting. */
    public DrawnReport(RunRecorder run, DemoReport next) {
        this.run = run;
        this.next = next;
        run.caption(DemoScript.CONNECTING, DemoCaptions.CONNECTING);
    }

    @Override
    public void listening(InetSocketAddress address, String arguments) {
        next.listening(address, arguments);
    }

    @Override
    public void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents) {
        next.connected(how, sides, narratedEvents);
    }

    @Override
    public void begun(DemoStep step) {
        run.caption(step.number() + ". " + step.title(), DemoCaptions.of(step));
        next.begun(step);
    }

    @Override
    public void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes) {
        next.ended(step, narratedEvents, outcomes);
    }

    @Override
    public void found(List<Finding> findings) {
        next.found(findings);
    }

    @Override
    public void finished(boolean asExpected) {
        run.caption(
                "The end", asExpected ? "Every step ended as it should." : "The last step did not end as it should.");
        next.finished(asExpected);
    }
}
