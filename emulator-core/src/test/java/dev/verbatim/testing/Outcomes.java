// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** The outcomes that tests assert: completions, refused verbs, events, states, memory. */
public final class Outcomes {

    private Outcomes() {}

    /** A completion. */
    public static WorkCompletionAssert assertThat(WorkCompletion completion) {
        return new WorkCompletionAssert(completion);
    }

    /** The verb fails at once with this number, for this rule, and its sentence has these words. */
    public static VerbsException assertRefused(Errno errno, String rule, ThrowingCallable verb, String... words) {
        VerbsException refused = Assertions.catchThrowableOfType(VerbsException.class, verb);
        Assertions.assertThat(refused)
                .as("the verb should be refused with %s by %s", errno, rule)
                .isNotNull();
        Assertions.assertThat(refused.errno()).as("%s", refused).isEqualTo(errno);
        Assertions.assertThat(refused.refusal().rule()).as("%s", refused).isEqualTo(rule);
        for (String word : words) {
            Assertions.assertThat(refused.refusal().sentence()).contains(word);
        }
        RuleCoverage.assertOutcome(refused.refusal());
        return refused;
    }

    /** The event is of this type, and, if it has a reason, the reason's rule counts as asserted; it is acknowledged. */
    public static void assertEvent(@Nullable AsyncEvent event, EventType type, QueuePair about) {
        Assertions.assertThat(event).as("an event %s", type).isNotNull();
        Assertions.assertThat(event.type()).isEqualTo(type);
        Assertions.assertThat(event.queuePair()).isSameAs(about);
        Refusal refusal = event.refusal();
        if (refusal != null) {
            RuleCoverage.assertOutcome(refusal);
        }
        RuleCoverage.assertOutcome();
        event.acknowledge();
    }

    /** The queue pair is in this state. */
    public static void assertState(QueuePair queuePair, QpState state) {
        Assertions.assertThat(queuePair.state()).as("%s", queuePair).isEqualTo(state);
        RuleCoverage.assertOutcome();
    }

    /** Any other outcome that was compared with plain assertions. */
    public static void asserted() {
        RuleCoverage.assertOutcome();
    }
}
