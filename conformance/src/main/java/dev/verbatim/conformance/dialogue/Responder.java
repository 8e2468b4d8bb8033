// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Right's part, done in this JVM. */
final class Responder implements Counterpart {

    private final Party party;

    Responder(Party party) {
        this.party = party;
        party.put(Script.LIBRARY, Script.LIBRARY_TEXT);
        party.bytes().putLong(Script.WORD, Script.FIRST_WORD);
    }

    @Override
    public void prepare(Step step) {
        if (step.takesReceive()) {
            party.postReceive(step.number());
        }
    }

    @Override
    public Outcome conclude(Step step, boolean leftIsContent) {
        Duration patience = leftIsContent ? Party.PATIENCE : Duration.ZERO;
        boolean asExpected = true;
        List<String> observed = new ArrayList<>();
        if (step.takesReceive()) {
            WcStatus status = party.awaitStatus(patience);
            asExpected = status == WcStatus.SUCCESS;
            observed.add(Outcome.seen("received", status, WcStatus.SUCCESS));
        }
        EventType expected = step.event();
        if (expected != null) {
            EventType event = party.awaitEvent(patience);
            asExpected &= event == expected;
            observed.add(Outcome.seen("was told of", event, expected));
        }
        if (observed.isEmpty()) {
            observed.add("did nothing");
        }
        party.settle();
        return party.look(step, asExpected, observed);
    }
}
