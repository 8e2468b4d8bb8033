// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.output.Output;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;

class SanitizedReportTest {

    private final Sanitizer sanitizer = Sanitizer.withoutSites();
    private final StringWriter out = new StringWriter();
    private final DemoReport report = new SanitizedReport(
            sanitizer,
            new PrintedReport(new Output(new PrintWriter(out), new PrintWriter(Writer.nullWriter()), true), true));

    @Test
    void errorMakesTheDemoFail() {
        sanitizer.report(Finding.of(Mistake.S4, "", List.of(), "one and another"));
        report.finished(DemoEnding.AS_EXPECTED);
        assertThat(out.toString())
                .startsWith("{\"kind\":\"failure\",\"mistake\":\"S4\",\"text\":\"S4 ")
                .contains("\"asExpected\":false");
    }

    @Test
    void whatIsFoundElsewhereIsPassedOn() {
        report.found(List.of(Finding.of(Mistake.S19, "", List.of(), "a key")));
        assertThat(out.toString()).startsWith("{\"kind\":\"note\",");
    }

    @Test
    void noteDoesNot() {
        sanitizer.report(Finding.of(Mistake.S19, "", List.of(), "a key"));
        report.finished(DemoEnding.AS_EXPECTED);
        assertThat(out.toString()).startsWith("{\"kind\":\"note\",").contains("\"asExpected\":true");
    }
}
