// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.node.NamedObjects;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.ObjectCreation;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates one object more, which has no name and stays to the end: to see whether the device has room for it. */
public record Create(Thing thing, @Nullable ExpectedError error) implements Step {

    /** What is created: exactly one of these. */
    public record Thing(
            @Nullable QpSpec qp,
            @Nullable CqSpec cq,
            @Nullable Boolean pd,
            @Nullable SrqSpec srq,
            @Nullable Boolean xrcd,
            @Nullable AhSpec ah,
            @Nullable String again) {

        /** Refuses none and several. */
        public Thing {
            long said = Stream.of(qp, cq, pd, srq, xrcd, ah, again)
                    .filter(Objects::nonNull)
                    .count();
            if (said != 1) {
                throw new IllegalArgumentException(
                        said + " objects are named, not one; name qp, cq, pd, srq, xrcd or ah");
            }
        }

        /** What had that name, once more. */
        public static Thing again(String name) {
            return new Thing(null, null, null, null, null, null, name);
        }

        /** Another queue pair. */
        public static Thing of(QpSpec qp) {
            return new Thing(qp, null, null, null, null, null, null);
        }
    }

    /** How it is written. */
    public static StepWord<Create> word() {
        StepWord<Create> word = new StepWord<>("create", Create.class);
        Key<Create, Thing> head = word.head(
                thingForm(),
                Create::thing,
                "Creates one object more; or, by its name, a queue pair, shared receive queue or address handle anew.");
        Key<Create, ExpectedError> error = word.error(Create::error);
        return word.making(values -> new Create(values.get(head), values.orNull(error)));
    }

    private static Form<Thing> thingForm() {
        Mapping<Thing> mapping = new Mapping<>("created", "an object to create");
        Key<Thing, QpSpec> qp = mapping.perhaps("qp", QpSpec.FORM, Thing::qp, "A queue pair; {} for a usual one.");
        Key<Thing, CqSpec> cq =
                mapping.perhaps("cq", CqSpec.FORM, Thing::cq, "A completion queue; {} for a usual one.");
        Key<Thing, Boolean> pd = mapping.perhaps("pd", Forms.yes(), Thing::pd, "A protection domain.");
        Key<Thing, SrqSpec> srq =
                mapping.perhaps("srq", SrqSpec.FORM, Thing::srq, "A shared receive queue; {} for a usual one.");
        Key<Thing, Boolean> xrcd = mapping.perhaps("xrcd", Forms.yes(), Thing::xrcd, "An XRC domain.");
        Key<Thing, AhSpec> ah =
                mapping.perhaps("ah", AhSpec.FORM, Thing::ah, "An address handle, by the node that it leads to.");
        mapping.making(values -> new Thing(
                values.orNull(qp),
                values.orNull(cq),
                values.orNull(pd),
                values.orNull(srq),
                values.orNull(xrcd),
                values.orNull(ah),
                null));
        return Forms.shortOr(
                Forms.converted(
                        Forms.name("the name of what was destroyed"),
                        Thing::again,
                        thing -> Objects.requireNonNull(thing.again())),
                thing -> thing.again() != null,
                mapping);
    }

    @Override
    public void check(NameScope scope) {
        if (thing.cq() != null && thing.cq().channel()) {
            scope.problem("create", "a queue without a name cannot be waited for; leave channel out");
        }
        if (thing.again() != null) {
            Set<String> all = new TreeSet<>(scope.own().qps().keySet());
            all.addAll(scope.own().srqs().keySet());
            all.addAll(scope.own().ahs().keySet());
            scope.known("create", "queue pair, shared receive queue or address handle", thing.again(), all);
        }
        QpSpec qp = thing.qp();
        if (qp != null) {
            Names names = scope.own();
            Set<String> cqs = names.cqs().keySet();
            if (qp.sends()) {
                scope.known("create", "completion queue", qp.sendCq(), cqs);
            }
            if (qp.receives() && !qp.recvCq().equals(qp.sendCq())) {
                scope.known("create", "completion queue", qp.recvCq(), cqs);
            }
            if (qp.srq() != null) {
                scope.known(
                        "create", "shared receive queue", qp.srq(), names.srqs().keySet());
            }
            if (qp.xrcd() != null) {
                scope.known("create", "XRC domain", qp.xrcd(), names.xrcds());
            }
            domain(scope, qp.pd());
        }
        if (thing.srq() != null) {
            domain(scope, thing.srq().pd());
            if (thing.srq().xrcd() != null) {
                scope.known(
                        "create", "XRC domain", thing.srq().xrcd(), scope.own().xrcds());
            }
        }
        if (thing.ah() != null) {
            scope.node("create", thing.ah().node());
            domain(scope, thing.ah().pd());
        }
    }

    private static void domain(NameScope scope, String pd) {
        scope.known("create", "protection domain", pd, new TreeSet<>(scope.own().pds()));
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> {
            if (thing.again() != null) {
                createAgain(context, thing.again());
            } else if (thing.qp() != null) {
                context.node().keep(ObjectCreation.create(context.node(), thing.qp())::close);
            } else if (thing.cq() != null) {
                context.node().keep(ObjectCreation.create(context.node(), thing.cq())::close);
            } else if (thing.srq() != null) {
                context.node().keep(ObjectCreation.create(context.node(), thing.srq())::close);
            } else if (thing.xrcd() != null) {
                context.node().keep(context.node().device().openXrcDomain()::close);
            } else if (thing.ah() != null) {
                context.node().keep(ObjectCreation.create(context, thing.ah())::close);
            } else {
                context.node().keep(context.node().device().allocatePd()::close);
            }
        });
    }

    /** Creates a queue pair, shared receive queue or address handle that was destroyed, as it was at first. */
    private static void createAgain(StepContext context, String name) {
        NodeState node = context.node();
        QpSpec qp = node.names().qps().get(name);
        SrqSpec srq = node.names().srqs().get(name);
        AhSpec ah = node.names().ahs().get(name);
        if (qp != null) {
            if (isDestroyed(context, "queue pair " + name, node.qps(), name)) {
                node.qps().put(name, ObjectCreation.create(node, qp));
                node.keysChanged();
            }
        } else if (srq != null && isDestroyed(context, name, node.srqs(), name)) {
            node.srqs().put(name, ObjectCreation.create(node, srq));
        } else if (ah != null && isDestroyed(context, name, node.handles().named(), name)) {
            node.handles().named().put(name, ObjectCreation.create(context, ah));
        }
    }

    private static boolean isDestroyed(StepContext context, String what, NamedObjects<?> objects, String name) {
        if (!objects.isClosed(name)) {
            context.fail(what + " is there; destroy it first");
        }
        return objects.isClosed(name);
    }
}
