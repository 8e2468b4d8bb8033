// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Posts a receive work request.
 *
 * @param qp queue pair; null for the only one
 * @param srq shared receive queue that it is posted to instead; null for none
 * @param into places that a message fills
 * @param id number of the request; null for the number of posts so far
 * @param error how posting must fail; null if it must succeed
 */
public record Receive(
        @Nullable String qp,
        @Nullable String srq,
        List<Place> into,
        @Nullable Long id,
        @Nullable Refused error) implements Step {

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

    static Mapping<Receive> word() {
        Mapping<Receive> mapping = new Mapping<>("recv", "a recv step");
        Key<Receive, List<Place>> head = mapping.required(
                "recv", Forms.oneOrMany(Place.FORM), Receive::into, "Places that a message fills; [] for none.");
        Key<Receive, String> qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), Receive::qp, "Queue pair, if there are several.");
        Key<Receive, String> srq = mapping.perhaps(
                "srq",
                Forms.name("the name of a shared receive queue"),
                Receive::srq,
                "Shared receive queue that it is posted to.");
        Key<Receive, Long> id =
                mapping.perhaps("wr_id", Forms.word(), Receive::id, "Number; 1, 2, 3 of the node's posts if left out.");
        Key<Receive, Refused> error = mapping.perhaps("error", Refused.FORM, Receive::error, "How posting must fail.");
        return mapping.making(values -> {
            if (values.orNull(qp) != null && values.orNull(srq) != null) {
                throw new IllegalArgumentException("a receive goes to a qp or to an srq, not to both; keep one");
            }
            return new Receive(
                    values.orNull(qp), values.orNull(srq), values.get(head), values.orNull(id), values.orNull(error));
        });
    }

    @Override
    public void check(Scope scope) {
        if (srq == null) {
            scope.qp(qp);
        } else {
            scope.known("srq", "shared receive queue", srq, scope.own().srqs().keySet());
        }
        into.forEach(place -> scope.local("recv", place));
    }

    @Override
    public void run(Workbench bench) {
        ReceiveWorkRequest request = request(bench);
        bench.verb(error, () -> post(bench, List.of(request)));
    }

    /** Posts that where this is posted, by one call. */
    void post(Workbench bench, List<ReceiveWorkRequest> chain) {
        if (srq != null && chain.size() == 1) {
            bench.srqs().get(srq).postRecv(chain.get(0));
        } else if (srq != null) {
            bench.srqs().get(srq).postRecv(chain);
        } else if (chain.size() == 1) {
            bench.qp(qp).postRecv(chain.get(0));
        } else {
            bench.qp(qp).postRecv(chain);
        }
    }

    ReceiveWorkRequest request(Workbench bench) {
        Sge[] elements = new Sge[into.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = bench.sge(into.get(i));
        }
        long number = bench.freshId();
        return ReceiveWorkRequest.of(id == null ? number : id, elements);
    }
}
