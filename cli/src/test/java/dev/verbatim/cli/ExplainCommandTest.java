// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {

    @Test
    void numbersOfRulesAndStatusesAreExplainedInDecimalAndHexadecimal() {
        assertThat(Invocation.of("explain", "4004", "0xfa4", "key-04")
                        .succeeded()
                        .out()
                        .lines()
                        .distinct())
                .singleElement()
                .asString()
                .startsWith("KEY-04 (vendor_err 4004): ");
        assertThat(Invocation.of("explain", "10", "REM_ACCESS_ERR")
                        .succeeded()
                        .out()
                        .lines()
                        .distinct())
                .singleElement()
                .asString()
                .startsWith("REM_ACCESS_ERR (status 10): the responder refuses the rkey");
    }

    @Test
    void answersAreObjectsOfJson() {
        assertThat(Invocation.of("explain", "--json", "4004").succeeded().out())
                .startsWith("{\"kind\":\"rule\",\"id\":\"KEY-04\",\"number\":4004,\"text\":\"");
    }

    @Test
    void everyRuleAndEveryStatusHasItsNumber() {
        List<Integer> numbers = new ArrayList<>();
        for (Rule rule : Rule.catalogue()) {
            assertThat(Rule.numberOf(rule.id())).hasValue(rule.number());
            numbers.add(rule.number());
        }
        assertThat(numbers).doesNotHaveDuplicates().allMatch(number -> number > 1_000);
        for (WcStatus status : WcStatus.values()) {
            assertThat(Invocation.of("explain", String.valueOf(status.number()))
                            .succeeded()
                            .out())
                    .startsWith(status + " (status ");
        }
    }

    @Test
    void numbersOfRulesNeverChange() {
        assertThat(Rule.MR_22.number()).isEqualTo(2022);
        assertThat(Rule.MW_84.number()).isEqualTo(3084);
        assertThat(Rule.WC_20.number()).isEqualTo(9020);
        assertThat(Rule.RT_03.number()).isEqualTo(15_003);
        assertThat(Rule.UNLISTED.number()).isZero();
        assertThat(Rule.numberOf("IC-1")).hasValue(38_001);
        assertThat(Rule.numberOf("NO-1")).isEmpty();
        assertThat(Rule.numberOf("MR-")).isEmpty();
    }

    @Test
    void whatIsNoneIsRefusedWithTheNearestWord() {
        Invocation.of("explain", "999").failed(2, "999 is neither a status, 0 to 23, nor a vendor_err");
        Invocation.of("explain", "REM_ACESS_ERR").failed(2, "REM_ACCESS_ERR");
        Invocation.of("explain").failed(2, "Missing required parameter");
    }
}
