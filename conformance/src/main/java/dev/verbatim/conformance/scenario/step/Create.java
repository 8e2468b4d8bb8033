// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Creates one object more, which has no name and stays to the end: to see whether the device has room for it.
 *
 * @param thing what
 * @param error how it must fail; null if it must succeed
 */
public record Create(Thing thing, @Nullable Refused error) implements Step {

    /**
     * What is created: exactly one of these.
     *
     * @param qp a queue pair; null for none
     * @param cq a completion queue; null for none
     * @param pd true for a protection domain; null for none
     * @param again name of a queue pair that a step destroyed, which is created as it was at first; null for none
     */
    public record Thing(
            @Nullable QpSpec qp,
            @Nullable CqSpec cq,
            @Nullable Boolean pd,
            @Nullable String again) {

        /** Refuses none and several. */
        public Thing {
            int said = (qp == null ? 0 : 1) + (cq == null ? 0 : 1) + (pd == null ? 0 : 1);
            if (said + (again == null ? 0 : 1) != 1) {
                throw new IllegalArgumentException(said + " objects are named, not one; name qp, cq or pd");
            }
        }

        /** The queue pair of that name, once more. */
        public static Thing again(String qp) {
            return new Thing(null, null, null, qp);
        }
    }

    static Mapping<Create> word() {
        Mapping<Create> mapping = new Mapping<>("create", "a create step");
        Key<Create, Thing> head = mapping.required(
                "create",
                thingForm(),
                Create::thing,
                "Creates a queue pair, completion queue or protection domain more; or, by its name, a queue pair anew.");
        Key<Create, Refused> error = mapping.perhaps("error", Refused.FORM, Create::error, "How it must fail.");
        return mapping.making(values -> new Create(values.get(head), values.orNull(error)));
    }

    private static Form<Thing> thingForm() {
        Mapping<Thing> mapping = new Mapping<>("created", "an object to create");
        Key<Thing, QpSpec> qp = mapping.perhaps("qp", QpSpec.FORM, Thing::qp, "A queue pair; {} for a usual one.");
        Key<Thing, CqSpec> cq =
                mapping.perhaps("cq", CqSpec.FORM, Thing::cq, "A completion queue; {} for a usual one.");
        Key<Thing, Boolean> pd = mapping.perhaps("pd", Forms.yes(), Thing::pd, "A protection domain.");
        mapping.making(values -> new Thing(values.orNull(qp), values.orNull(cq), values.orNull(pd), null));
        return Forms.shortOr(
                Forms.converted(
                        Forms.name("the name of a queue pair"),
                        Thing::again,
                        thing -> Objects.requireNonNull(thing.again())),
                thing -> thing.again() != null,
                mapping);
    }

    @Override
    public void check(Scope scope) {
        if (thing.cq() != null && thing.cq().channel()) {
            scope.problem("create", "nobody can wait at the channel of a queue without a name; leave channel out");
        }
        if (thing.again() != null) {
            known(
                    scope,
                    "queue pair",
                    thing.again(),
                    new TreeSet<>(scope.own().qps().keySet()));
        }
        QpSpec qp = thing.qp();
        if (qp != null) {
            Names names = scope.own();
            known(
                    scope,
                    "completion queue",
                    qp.sendCq(),
                    new TreeSet<>(names.cqs().keySet()));
            if (!qp.recvCq().equals(qp.sendCq())) {
                known(
                        scope,
                        "completion queue",
                        qp.recvCq(),
                        new TreeSet<>(names.cqs().keySet()));
            }
            known(scope, "protection domain", qp.pd(), new TreeSet<>(names.pds()));
        }
    }

    private static void known(Scope scope, String what, String name, Set<String> known) {
        if (!known.contains(name)) {
            scope.problem(
                    "create",
                    "node " + scope.own().node() + " has no " + what + " " + name + "; "
                            + NearestWord.advice(name, known));
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> {
            if (thing.again() != null) {
                Setup.createAgain(bench, thing.again());
            } else if (thing.qp() != null) {
                bench.keep(Setup.create(bench, thing.qp())::close);
            } else if (thing.cq() != null) {
                bench.keep(Setup.create(bench, thing.cq())::close);
            } else {
                bench.keep(bench.device().allocatePd()::close);
            }
        });
    }
}
