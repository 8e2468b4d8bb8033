// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program is thrown when a verb refuses. */
class VerbsExceptionTest {

    @ParameterizedTest
    @EnumSource
    @Rule("N-09")
    void refusedVerbSaysItsNumberItsRuleAndItsSentence(Errno errno) {
        VerbsException refused =
                VerbsException.of(errno, dev.verbatim.verbs.Rule.QV_01, "timeout=%d is not in 0..31", 32);
        assertThat(refused.errno()).isEqualTo(errno);
        assertThat(refused).hasMessage(errno + ": timeout=32 is not in 0..31 [QV-01]");
        assertThat(refused.getStackTrace()).isNotEmpty();
        assertThat(refused.badRequest()).isZero();
        RuleCoverage.assertOutcome(refused.refusal());
        RuleCoverage.reach("N-09");
    }

    @Test
    @Rule("N-09")
    void fullQueueIsFlowControlAndCostsNoStackTrace() {
        Refusal full = Refusal.of(dev.verbatim.verbs.Rule.WR_11, "all slots are taken");
        VerbsException refused = VerbsException.ofRequest(Errno.ENOMEM, full, 3);
        assertThat(refused.getStackTrace()).isEmpty();
        assertThat(refused.badRequest()).isEqualTo(3);
        assertThat(VerbsException.ofRequest(Errno.EINVAL, full, 0).getStackTrace())
                .isNotEmpty();
        RuleCoverage.reach("N-09");
        asserted();
    }
}
