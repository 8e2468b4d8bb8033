// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.ObjectCreation;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whom a datagram is for. */
public record Destination(
        @Nullable QpRef qp,
        @Nullable Integer number,
        @Nullable String ah,
        @Nullable Integer queueKey) {

    /** In a file: a queue pair, or a mapping. */
    static final Form<Destination> FORM = form();

    private static final int MOST_NUMBER = (1 << 24) - 1;

    /** Checks that it leads somewhere. */
    public Destination {
        if (qp == null && (ah == null || number == null)) {
            throw new IllegalArgumentException("dest needs qp, or both ah and qp_num; add what is missing");
        }
    }

    /** That queue pair, as it is. */
    static Destination to(QpRef qp) {
        return new Destination(qp, null, null, null);
    }

    private static Form<Destination> form() {
        Mapping<Destination> mapping = new Mapping<>("destination", "a destination");
        Key<Destination, QpRef> qp =
                mapping.perhaps("qp", QpRef.FORM, Destination::qp, "The queue pair, such as b or b.second.");
        Key<Destination, Integer> number = mapping.perhaps(
                "qp_num", Forms.integer(0, MOST_NUMBER), Destination::number, "Another number than that has.");
        Key<Destination, String> ah = mapping.perhaps(
                "ah", Forms.name("the name of an address handle"), Destination::ah, "Address handle that is used.");
        Key<Destination, Integer> queueKey =
                mapping.perhaps("qkey", Forms.halfWord(), Destination::queueKey, "Another Q_Key than that has.");
        mapping.making(values ->
                new Destination(values.orNull(qp), values.orNull(number), values.orNull(ah), values.orNull(queueKey)));
        return Forms.shortOr(
                Forms.converted(QpRef.FORM, Destination::to, dest -> Objects.requireNonNull(dest.qp)),
                dest -> dest.qp != null && dest.equals(to(dest.qp)),
                mapping);
    }

    void check(NameScope scope) {
        if (qp != null) {
            scope.end("dest", qp);
        }
        if (ah != null) {
            scope.known("dest", "address handle", ah, scope.own().ahs().keySet());
        }
    }

    /** The request to it. */
    SendWorkRequest of(SendWorkRequest request, StepContext context, String sender) {
        AddressHandle handle = ah == null
                ? usual(context, sender)
                : context.node().handles().named().get(ah);
        return request.to(
                handle, number == null ? numberOf(context) : number, queueKey == null ? keyOf(context) : queueKey);
    }

    /** One to the node of the queue pair, in the domain of the sender and by its port. */
    private AddressHandle usual(StepContext context, String sender) {
        NodeState node = context.node();
        QpSpec own = Objects.requireNonNull(node.names().qps().get(sender), sender);
        AhSpec way = new AhSpec(Objects.requireNonNull(qp).node(), own.pd(), own.portNumber());
        return node.handles().to(way, () -> ObjectCreation.create(context, way));
    }

    private int numberOf(StepContext context) {
        QpRef end = Objects.requireNonNull(qp);
        return context.node(end.node()).qp(end.qp()).number();
    }

    private int keyOf(StepContext context) {
        QpSpec spec = qp == null ? null : context.node(qp.node()).names().qps().get(qp.qp());
        return spec == null ? QpSpec.USUAL_QUEUE_KEY : spec.queueKey();
    }
}
