// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {

    /** So that a rule fits on one line of a report. */
    private static final int MAX_STATEMENT_CHARS = 160;

    private static final Path DOCUMENT = Path.of("..", "docs", "conformance.md");

    @ParameterizedTest
    @CsvSource({
        "PD-01, A.1, RC",
        "MR-22, A.3, RC",
        "MW-32, B.3, WINDOW",
        "MW-113, B.7, TYPES",
        "MW-120, B.8, NETWORKDIRECT",
        "MW-130, B.9, OUT",
        "KEY-P7, C, RC",
        "QS-05, D.2, RC",
        "QP-26, D.3, TYPES",
        "ORD-10, F.2, RC",
        "N17, F.4, CHOICES",
        "LT-23, F.5, CHOICES",
        "WC-24, G.2, RC",
        "WC-43, G.2, OUT",
        "H3-9, H.3, RC",
        "DUP-03, H.5, RC",
        "UD-01, H.9, TYPES",
        "NW-03, J, OUT",
        "T-20, K.4, TYPES",
        "N-01, N, RC",
        "TV-15, P, RC",
        "TR-12, Q, TYPES",
        "MAD-01, R.1, CM",
        "CM-13, R.2, CM",
        "VIS-05, S, CHOICES",
    })
    void ruleIsFoundByItsIdWithSectionAndScope(String id, String section, Rule.Scope scope) {
        Rule rule = Rule.of(id);
        assertThat(rule.id()).isEqualTo(id);
        assertThat(rule.section()).isEqualTo(section);
        assertThat(rule.scope()).isEqualTo(scope);
        assertThat(Rule.find(id)).hasValue(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MW-09", "mw-32", "MW_32", "KEY-05/P1"})
    void unknownOrMisspeltIdIsNotFound(String id) {
        assertThat(Rule.find(id)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Rule.of(id)).withMessageContaining(id);
    }

    @Test
    void catalogueHasAllButTheOneWithoutText() {
        assertThat(Rule.catalogue()).hasSize(Rule.values().length - 1).doesNotContain(Rule.UNLISTED);
        assertThat(Rule.UNLISTED.id()).isEmpty();
        assertThat(Rule.of("")).isEqualTo(Rule.UNLISTED);
    }

    @Test
    void eachRuleHasAnIdASectionAndAStatementOfOneLine() {
        assertThat(Rule.catalogue()).allSatisfy(rule -> {
            assertThat(rule.id()).matches("[A-Z]+[0-9]*(-P?[0-9]+)?");
            assertThat(rule.section()).matches("[A-Z](\\.[0-9]+)?");
            assertThat(rule.statement())
                    .isNotBlank()
                    .isEqualTo(rule.statement().strip())
                    .hasSizeLessThanOrEqualTo(MAX_STATEMENT_CHARS)
                    .matches("\\p{Print}*");
            assertThat(rule.basis()).matches("|(stated|asserted|measured|inferred): .+");
        });
        assertThat(Rule.catalogue()).extracting(Rule::statement).doesNotHaveDuplicates();
    }

    @Test
    void eachRuleOfVisibilitySaysHowCertainItIs() {
        assertThat(Rule.catalogue())
                .filteredOn(rule -> rule.section().equals("S"))
                .hasSize(16)
                .allSatisfy(rule -> assertThat(rule.basis()).isNotEmpty());
    }

    @Test
    void everyRuleOutOfScopeEndsWithItsReason() {
        assertThat(Rule.catalogue())
                .filteredOn(rule -> rule.scope() == Rule.Scope.OUT)
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(rule.statement()).matches(".+ \\([^()]+\\)\\."));
    }

    @Test
    void scopesHaveWords() {
        assertThat(Rule.Scope.words()).isEqualTo("rc, window, choices, types, cm, networkdirect, out");
        assertThat(Rule.Scope.of("types")).hasValue(Rule.Scope.TYPES);
        assertThat(Rule.Scope.of("RC")).isEmpty();
    }

    /** The table of scopes in docs/conformance.md, and that of groups, whose sum is the catalogue. */
    @Test
    void documentCountsTheRulesOfEachScopeAndGroup() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        Map<Rule.Scope, Integer> counted = new EnumMap<>(Rule.Scope.class);
        Rule.catalogue().forEach(rule -> counted.merge(rule.scope(), 1, Integer::sum));
        Map<Rule.Scope, Integer> told = new EnumMap<>(Rule.Scope.class);
        int inGroups = 0;
        for (String line : lines) {
            Matcher scope =
                    Pattern.compile("\\| `([a-z]+)` \\|.*\\| (\\d+) \\|").matcher(line);
            if (scope.matches()) {
                told.put(Rule.Scope.of(scope.group(1)).orElseThrow(), Integer.valueOf(scope.group(2)));
            }
            Matcher group = Pattern.compile("\\| [A-Z][^|]*\\|[^|]*\\| [A-Z][^|]*\\| (\\d+) \\|[^|]*\\|")
                    .matcher(line);
            inGroups += group.matches() ? Integer.parseInt(group.group(1)) : 0;
        }
        assertThat(told).isEqualTo(counted);
        assertThat(inGroups).isEqualTo(Rule.catalogue().size());
    }
}
