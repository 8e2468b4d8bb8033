// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import org.assertj.core.api.AbstractAssert;

/** What a test says of a completion. */
public final class WorkCompletionAssert extends AbstractAssert<WorkCompletionAssert, WorkCompletion> {

    WorkCompletionAssert(WorkCompletion actual) {
        super(actual, WorkCompletionAssert.class);
    }

    /** It succeeded. */
    public WorkCompletionAssert isSuccess() {
        return hasStatus(WcStatus.SUCCESS);
    }

    /** Its status. */
    public WorkCompletionAssert hasStatus(WcStatus status) {
        isNotNull();
        if (actual.status() != status) {
            failWithMessage("expected status %s but was: %s", status, actual);
        }
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The work request that it is about. */
    public WorkCompletionAssert hasId(long id) {
        isNotNull();
        if (actual.id() != id) {
            failWithMessage("expected wr_id=%d but was: %s", id, actual);
        }
        return this;
    }

    /** What was completed. */
    public WorkCompletionAssert hasOpcode(WcOpcode opcode) {
        isNotNull();
        if (actual.opcode() != opcode) {
            failWithMessage("expected opcode %s but was: %s", opcode, actual);
        }
        return this;
    }

    /** How many bytes it brought. */
    public WorkCompletionAssert hasByteLength(int byteLength) {
        isNotNull();
        if (actual.byteLength() != byteLength) {
            failWithMessage("expected byte_len=%d but was: %s", byteLength, actual);
        }
        return this;
    }

    /** Exactly these {@link dev.verbatim.verbs.WcFlags}. */
    public WorkCompletionAssert hasFlags(int flags) {
        isNotNull();
        if (actual.flags() != flags) {
            failWithMessage("expected wc_flags=%d but was %d: %s", flags, actual.flags(), actual);
        }
        return this;
    }

    /** The device explains it by this rule, and the sentence has these words. */
    public WorkCompletionAssert isExplainedBy(String rule, String... words) {
        isNotNull();
        Refusal refusal = actual.refusal();
        if (refusal == null || !refusal.rule().equals(rule)) {
            throw failure("expected an explanation by %s but was: %s", rule, actual);
        }
        for (String word : words) {
            if (!refusal.sentence().contains(word)) {
                failWithMessage("expected the explanation to say <%s> but was: %s", word, refusal);
            }
        }
        RuleCoverage.assertOutcome(refusal);
        return this;
    }
}
