// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.verbs.WcStatus;
import java.util.List;

/** Left's part: it posts, and looks at what became of it. */
final class Initiator {

    private final Party party;
    private final Facts right;

    Initiator(Party party, Facts right) {
        this.party = party;
        this.right = right;
    }

    Outcome perform(Step step) {
        party.put(Script.OUTBOX, step.message());
        party.post(step.work().request(step.number(), party.region(), right));
        WcStatus status = party.awaitStatus(Party.PATIENCE);
        party.settle();
        String seen = Outcome.seen("completed", status, step.status());
        return party.look(step, status == step.status(), List.of(seen));
    }
}
