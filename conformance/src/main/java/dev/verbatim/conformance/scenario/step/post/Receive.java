// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Posts a receive work request. */
public record Receive(
        @Nullable String qp,
        @Nullable String srq,
        List<Place> into,
        @Nullable Long id,
        @Nullable ExpectedError error) implements Step {

    /** Copies the list. */
    public Receive {
        into = List.copyOf(into);
    }

    /** A receive on the only queue pair. */
    public static Receive into(Place... places) {
        return new Receive(null, null, List.of(places), null, null);
    }

    /** The same on that queue pair. */
    public Receive on(String queuePair) {
        return new Receive(queuePair, null, into, id, error);
    }

    /** The same on that shared receive queue. */
    public Receive onShared(String queue) {
        return new Receive(null, queue, into, id, error);
    }

    /** How it is written. */
    public static StepWord<Receive> word() {
        StepWord<Receive> word = new StepWord<>("recv", Receive.class);
        Key<Receive, List<Place>> head =
                word.head(Forms.oneOrMany(Place.FORM), Receive::into, "Places that a message fills; [] for none.");
        Key<Receive, String> qp = word.qp(Receive::qp);
        Key<Receive, String> srq = word.perhaps(
                "srq",
                Forms.name("the name of a shared receive queue"),
                Receive::srq,
                "Shared receive queue that it is posted to.");
        Key<Receive, Long> id =
                word.perhaps("wr_id", Forms.word(), Receive::id, "Number; 1, 2, 3 of the node's posts if left out.");
        Key<Receive, ExpectedError> error =
                word.perhaps("error", ExpectedError.FORM, Receive::error, "How posting must fail.");
        return word.making(values -> {
            if (values.orNull(qp) != null && values.orNull(srq) != null) {
                throw new IllegalArgumentException("a receive goes to a qp or to an srq, not to both; keep one");
            }
            return new Receive(
                    values.orNull(qp), values.orNull(srq), values.get(head), values.orNull(id), values.orNull(error));
        });
    }

    @Override
    public void check(NameScope scope) {
        if (srq == null) {
            scope.qp(qp);
        } else {
            scope.known("srq", "shared receive queue", srq, scope.own().srqs().keySet());
        }
        into.forEach(place -> scope.local("recv", place));
    }

    @Override
    public void run(StepContext context) {
        ReceiveWorkRequest request = request(context);
        context.verb(error, () -> post(context, List.of(request)));
    }

    /** Posts that where this is posted, by one call. */
    void post(StepContext context, List<ReceiveWorkRequest> chain) {
        if (srq != null && chain.size() == 1) {
            context.node().srqs().get(srq).postRecv(chain.get(0));
        } else if (srq != null) {
            context.node().srqs().get(srq).postRecv(chain);
        } else if (chain.size() == 1) {
            context.node().qp(qp).postRecv(chain.get(0));
        } else {
            context.node().qp(qp).postRecv(chain);
        }
    }

    ReceiveWorkRequest request(StepContext context) {
        Sge[] elements = new Sge[into.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = context.sge(into.get(i));
        }
        long number = context.node().freshId();
        return ReceiveWorkRequest.of(id == null ? number : id, elements);
    }
}
