// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.page.RunRecorder;
import dev.verbatim.sanitizer.Finding;
import java.util.List;
import java.util.stream.Collectors;

/** Adds captions to a recorded run: at each step, at the end, and for the errors of a sanitizer. */
public final class DrawnReport extends PassingReport {

    private final RunRecorder run;

    /** Captions the run, which begins with connecting. */
    public DrawnReport(RunRecorder run, DemoReport next) {
        super(next);
        this.run = run;
        run.caption(DemoScript.CONNECTING, DemoCaptions.CONNECTING);
    }

    @Override
    public void begun(DemoStep step) {
        run.caption(step.number() + ". " + step.title(), DemoCaptions.of(step));
        super.begun(step);
    }

    @Override
    public void closing(boolean asExpected) {
        run.caption(
                "The end", asExpected ? "Every step ended as it should." : "The last step did not end as it should.");
        super.closing(asExpected);
    }

    @Override
    public void found(List<Finding> findings) {
        String errors = findings.stream()
                .filter(Finding::isError)
                .map(Finding::toString)
                .collect(Collectors.joining("\n"));
        if (!errors.isEmpty()) {
            run.caption(DemoEnding.MISTAKE_FOUND.sentence(), errors);
        }
        super.found(findings);
    }
}
