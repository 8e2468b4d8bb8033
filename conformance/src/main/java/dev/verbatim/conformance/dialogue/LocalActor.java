// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A side's part, done in this JVM. */
final class LocalActor implements Actor {

    private final Party party;
    private final Way way;

    LocalActor(Party party, Way way) {
        this.party = party;
        this.way = way;
    }

    @Override
    public void prepare(Step step) {
        if (step.work() == null) {
            way.begin();
        }
        if (step.takesReceive()) {
            party.postReceive(step.number());
        }
    }

    @Override
    public Outcome perform(Step step) {
        Step.Work work = step.work();
        if (work == null) {
            way.complete();
            return party.look(step, true, List.of("connected again"));
        }
        party.put(Script.OUTBOX, step.message());
        party.post(work.request(step.number(), party, party.peer()));
        WcStatus status = statusOf(party.awaitCompletion(Party.PATIENCE));
        party.settle();
        String seen = Outcome.seen("completed", status, step.status());
        return party.look(step, status == step.status(), List.of(seen));
    }

    @Override
    public Outcome conclude(Step step, boolean otherIsContent) {
        Duration patience = otherIsContent ? Party.PATIENCE : Duration.ZERO;
        boolean asExpected = true;
        List<String> observed = new ArrayList<>();
        if (step.work() == null) {
            way.complete();
            observed.add("connected again");
        }
        if (step.takesReceive()) {
            WorkCompletion received = party.awaitCompletion(patience);
            asExpected = statusOf(received) == WcStatus.SUCCESS;
            observed.add(Outcome.seen("received", statusOf(received), WcStatus.SUCCESS) + invalidated(received));
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

    private static @Nullable WcStatus statusOf(@Nullable WorkCompletion completion) {
        return completion == null ? null : completion.status();
    }

    private static String invalidated(@Nullable WorkCompletion completion) {
        return completion != null && completion.flags() == WcFlags.WITH_INV
                ? String.format(Locale.ROOT, ", and key 0x%08x is invalid now", completion.invalidatedKey())
                : "";
    }
}
