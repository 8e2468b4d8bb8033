// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

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
final class LocalSide implements DemoSide {

    private final DemoEndpoint endpoint;
    private final ConnectMethod method;

    LocalSide(DemoEndpoint endpoint, ConnectMethod method) {
        this.endpoint = endpoint;
        this.method = method;
    }

    @Override
    public void prepare(DemoStep step) {
        if (step.work() == null) {
            method.begin();
        }
        if (step.takesReceive()) {
            endpoint.postReceive(step.number());
        }
    }

    @Override
    public StepOutcome perform(DemoStep step) {
        DemoStep.Work work = step.work();
        if (work == null) {
            method.complete();
            return endpoint.look(step, true, List.of("connected again"));
        }
        endpoint.put(DemoScript.OUTBOX, step.message());
        endpoint.post(work.request(step.number(), endpoint, endpoint.peer()));
        WcStatus status = statusOf(endpoint.awaitCompletion(DemoEndpoint.PATIENCE));
        endpoint.settle();
        String seen = StepOutcome.seen("completed", status, step.status());
        return endpoint.look(step, status == step.status(), List.of(seen));
    }

    @Override
    public StepOutcome conclude(DemoStep step, boolean otherIsContent) {
        Duration patience = otherIsContent ? DemoEndpoint.PATIENCE : Duration.ZERO;
        boolean asExpected = true;
        List<String> observed = new ArrayList<>();
        if (step.work() == null) {
            method.complete();
            observed.add("connected again");
        }
        if (step.takesReceive()) {
            WorkCompletion received = endpoint.awaitCompletion(patience);
            asExpected = statusOf(received) == WcStatus.SUCCESS;
            observed.add(StepOutcome.seen("received", statusOf(received), WcStatus.SUCCESS) + invalidated(received));
        }
        EventType expected = step.event();
        if (expected != null) {
            EventType event = endpoint.awaitEvent(patience);
            asExpected &= event == expected;
            observed.add(StepOutcome.seen("got event", event, expected));
        }
        if (observed.isEmpty()) {
            observed.add("did nothing");
        }
        endpoint.settle();
        return endpoint.look(step, asExpected, observed);
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
