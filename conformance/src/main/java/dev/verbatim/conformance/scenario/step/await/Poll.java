// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.AsyncEvent;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Looks once, and takes what is there: a program that polls, and may find nothing (N11, N12). */
public record Poll(What what, @Nullable String cq, @Nullable String into) implements Step {

    /** What a register holds if nothing was there. */
    public static final String NOTHING = "none";

    /** What can be looked for, by the words of the steps that wait for it. */
    public enum What {
        /** The next completion of a queue; found is its status. */
        COMPLETION {
            @Override
            String take(StepContext context, @Nullable String cq) {
                String name = context.node().cqName(cq);
                return context.node().completions().peek(name) == null
                        ? NOTHING
                        : context.node().completions().take(name).status().name();
            }
        },
        /** The next asynchronous event of the device, COMM_EST too; found is its type. */
        EVENT {
            @Override
            String take(StepContext context, @Nullable String cq) {
                AsyncEvent event = context.node().events().poll();
                context.node().events().take(true);
                return event == null ? NOTHING : event.type().name();
            }
        },
        /** What the channel of a completion queue announces; found is the name of the queue. */
        NOTIFIED {
            @Override
            String take(StepContext context, @Nullable String cq) {
                String name = context.node().cqName(cq);
                boolean isThere = context.node().events().isNotified(name);
                context.node().events().takeNotification(name, true);
                return isThere ? name : NOTHING;
            }
        };

        /** Takes it, if it is there, and says what it was. */
        abstract String take(StepContext context, @Nullable String cq);

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How it is written. */
    public static StepWord<Poll> word() {
        StepWord<Poll> word = new StepWord<>("poll", Poll.class);
        Key<Poll, What> head = word.head(
                Forms.constant("what to look for", What.class, What::word),
                Poll::what,
                "Takes the next completion, asynchronous event or announcement if it is there, and does not wait.");
        Key<Poll, String> cq = word.cq(Poll::cq);
        Key<Poll, String> into = word.perhaps(
                "into",
                Forms.name("the name of a register"),
                Poll::into,
                "Register for the status, type or completion queue, or none.");
        return word.making(values -> {
            if (values.get(head) == What.EVENT && values.orNull(cq) != null) {
                throw new IllegalArgumentException(
                        "asynchronous events are those of the device, not of a completion queue; leave cq out");
            }
            return new Poll(values.get(head), values.orNull(cq), values.orNull(into));
        });
    }

    @Override
    public void check(NameScope scope) {
        String queue = what == What.EVENT ? null : scope.cq(cq);
        if (what == What.NOTIFIED && queue != null) {
            AwaitNotification.checkChannel(scope, "poll", queue);
        }
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(StepContext context) {
        String found = what.take(context, cq);
        if (into != null) {
            context.node().registers().put(into, found);
        }
    }
}
