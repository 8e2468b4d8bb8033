// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleCatalogueTest {
    private static final String HEADER = "id\tsection\tscope\tstatement\tbasis";
    private static final String GOOD = "PD-01\tA.1\trc\tA busy domain stays.";

    @Test
    void shippedCatalogueNamesEachRuleOnce() {
        List<RuleEntry> entries = RuleCatalogue.load().entries();

        assertThat(entries).extracting(RuleEntry::id).doesNotHaveDuplicates().hasSize(541);
    }

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
    void knownRuleIsFoundUnderItsSectionAndScope(String id, String section, Scope scope) {
        assertThat(RuleCatalogue.load().find(id)).hasValueSatisfying(entry -> {
            assertThat(entry.id()).isEqualTo(id);
            assertThat(entry.section()).isEqualTo(section);
            assertThat(entry.scope()).isEqualTo(scope);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"MW-09", "mw-32", "KEY-05/P1", ""})
    void unknownOrMisspeltIdIsNotFound(String id) {
        assertThat(RuleCatalogue.load().find(id)).isEmpty();
    }

    @Test
    void everyRuleOutOfScopeEndsWithItsReason() {
        assertThat(RuleCatalogue.load().entries())
                .filteredOn(entry -> entry.scope() == Scope.OUT)
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.statement()).matches(".+ \\([^()]+\\)\\."));
    }

    @Test
    void entriesKeepTheOrderOfTheFile() {
        RuleCatalogue catalogue =
                RuleCatalogue.parse(List.of(HEADER, "TR-1\tQ\twindow\tSecond.", GOOD, "MR-24\tA.3\trc\tThird."));

        assertThat(catalogue.entries()).extracting(RuleEntry::id).containsExactly("TR-1", "PD-01", "MR-24");
    }

    @Test
    void fileWithoutHeaderIsRefusedAtItsFirstLine() {
        assertRefused(List.of(GOOD), "line=1", "header");
        assertRefused(List.of(), "line=1", "header");
    }

    @Test
    void lineWithTooFewOrTooManyColumnsIsRefusedWithItsNumber() {
        assertRefused(List.of(HEADER, GOOD, "PD-02\tA.1\trc"), "line=3", "columns=3 is neither 4 nor 5");
        assertRefused(List.of(HEADER, GOOD + "\tstated: X\tmore"), "line=2", "columns=6 is neither 4 nor 5");
        assertRefused(List.of(HEADER, GOOD, ""), "line=3", "columns=1 is neither 4 nor 5");
    }

    @Test
    void basisBeginsWithHowCertainTheRuleIs() {
        assertThat(RuleCatalogue.parse(List.of(HEADER, GOOD + "\tmeasured: a thread"))
                        .entries())
                .extracting(RuleEntry::basis)
                .containsExactly("measured: a thread");
        assertRefused(List.of(HEADER, GOOD + "\tguessed: X"), "line=2", "basis=guessed: X of id=PD-01");
    }

    @Test
    void eachRuleOfVisibilitySaysHowCertainItIs() {
        assertThat(RuleCatalogue.load().entries())
                .filteredOn(entry -> entry.id().startsWith("VIS-"))
                .hasSize(16)
                .allSatisfy(entry -> assertThat(entry.basis()).isNotEmpty());
    }

    @Test
    void secondLineOfOneIdIsRefusedWithItsNumber() {
        assertRefused(
                List.of(HEADER, GOOD, "PD-02\tA.1\trc\tOther.", GOOD), "line=4", "id=PD-01 is already defined above");
    }

    @Test
    void unknownScopeIsRefusedWithTheScopesThatExist() {
        assertRefused(
                List.of(HEADER, "PD-01\tA.1\tRC\tA busy domain stays."),
                "line=2",
                "scope=RC is unknown",
                "use one of rc, window, choices, types, cm, networkdirect, out");
    }

    @Test
    void malformedIdOrSectionIsRefusedWithTheValue() {
        assertRefused(List.of(HEADER, "PD 1\tA.1\trc\tX."), "line=2", "id=PD 1");
        assertRefused(List.of(HEADER, "PD-01\tA1\trc\tX."), "line=2", "section=A1");
    }

    @Test
    void blankOrOverlongStatementIsRefusedWithItsLength() {
        String longest = "x".repeat(RuleCatalogue.MAX_STATEMENT_CHARS);

        assertThat(RuleCatalogue.parse(List.of(HEADER, "PD-01\tA.1\trc\t" + longest))
                        .entries())
                .hasSize(1);
        assertRefused(List.of(HEADER, "PD-01\tA.1\trc\t" + longest + "x"), "line=2", "chars=161 > 160");
        assertRefused(List.of(HEADER, "PD-01\tA.1\trc\t "), "line=2", "id=PD-01 is blank");
    }

    private static void assertRefused(List<String> lines, String... parts) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuleCatalogue.parse(lines))
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(parts));
    }
}
