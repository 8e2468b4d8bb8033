// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

    /** A rule may have several checks, for instance one of each side. */
    @Test
    void ruleIsListedOnceAndAsCheckedIfAnyOfItsChecksWasMade() {
        List<Check> checks = Arrays.stream(Check.values())
                .filter(check -> check.rule().equals("PSN-03"))
                .toList();
        assertThat(checks).hasSizeGreaterThan(1);
        String report = verdict(Map.of(checks.get(0), 2L)).toString();
        assertThat(line(report, "checked: ")).isEqualTo("checked: PSN-03 2");
        assertThat(line(report, "never checked: ")
                        .substring("never checked: ".length())
                        .split(", "))
                .doesNotContain("PSN-03")
                .doesNotHaveDuplicates();
        assertThat(line(verdict(Map.of(checks.get(0), 2L, checks.get(1), 3L)).toString(), "checked: "))
                .isEqualTo("checked: PSN-03 5");
    }

    private static Verdict verdict(Map<Check, Long> checks) {
        return new Verdict(1, List.of(), 0, checks, Map.of(), Map.of(), Map.of());
    }

    private static String line(String report, String beginning) {
        return report.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }
}
