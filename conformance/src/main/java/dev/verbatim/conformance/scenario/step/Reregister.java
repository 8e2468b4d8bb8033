// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReregistrationFlags;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives a region other rights, or puts it into another domain.
 *
 * @param region its name
 * @param access {@link dev.verbatim.verbs.AccessFlags}; null to leave them
 * @param pd name of the domain; null to leave it
 * @param error how it must fail; null if it must succeed
 */
public record Reregister(
        String region,
        @Nullable Integer access,
        @Nullable String pd,
        @Nullable Refused error) implements Step {

    static Mapping<Reregister> word() {
        Mapping<Reregister> mapping = new Mapping<>("reregister", "a reregister step");
        Key<Reregister, String> head = mapping.required(
                "reregister", Forms.name("the name of a region"), Reregister::region, "The region that is changed.");
        Key<Reregister, Integer> access =
                mapping.perhaps("access", FlagWords.ACCESS, Reregister::access, "Its rights from now on.");
        Key<Reregister, String> pd = mapping.perhaps(
                "pd", Forms.name("the name of a protection domain"), Reregister::pd, "Its domain from now on.");
        Key<Reregister, Refused> error = mapping.perhaps("error", Refused.FORM, Reregister::error, "How it must fail.");
        return mapping.making(values ->
                new Reregister(values.get(head), values.orNull(access), values.orNull(pd), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        if (!scope.own().isRegion(region)) {
            scope.known("reregister", "region", region, scope.own().regions().keySet());
        }
        if (pd != null) {
            scope.known("pd", "protection domain", pd, new TreeSet<>(scope.own().pds()));
        }
    }

    @Override
    public void run(Workbench bench) {
        MemoryRegion registered = bench.lands().region(region);
        if (registered == null) {
            bench.fail(region + " was never registered; register it first");
            return;
        }
        int flags = (access == null ? 0 : ReregistrationFlags.CHANGE_ACCESS)
                | (pd == null ? 0 : ReregistrationFlags.CHANGE_PD);
        bench.verb(
                error,
                () -> registered.reregister(
                        flags, pd == null ? null : bench.pd(pd), null, 0, 0, access == null ? 0 : access));
        bench.lands().registered(region, registered);
        bench.keysNamed();
    }
}
