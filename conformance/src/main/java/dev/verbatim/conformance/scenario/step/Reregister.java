// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReregistrationFlags;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives a region other memory or other rights, or puts it into another domain.
 *
 * @param region its name
 * @param on region whose memory it names from now on; null for its own, if offset or length is said, or else to leave it
 * @param offset first byte of that memory; null for 0
 * @param lengthBytes how many; null for the rest
 * @param access {@link dev.verbatim.verbs.AccessFlags}; null to leave them
 * @param pd name of the domain; null to leave it
 * @param error how it must fail; null if it must succeed
 */
public record Reregister(
        String region,
        @Nullable String on,
        @Nullable Integer offset,
        @Nullable Integer lengthBytes,
        @Nullable Integer access,
        @Nullable String pd,
        @Nullable Refused error)
        implements Step {

    static Mapping<Reregister> word() {
        Mapping<Reregister> mapping = new Mapping<>("reregister", "a reregister step");
        Key<Reregister, String> head = mapping.required(
                "reregister", Forms.name("the name of a region"), Reregister::region, "The region that is changed.");
        Key<Reregister, String> on = mapping.perhaps(
                "on", Forms.name("the name of a region"), Reregister::on, "Region whose memory it names from now on.");
        Key<Reregister, Integer> offset = mapping.perhaps(
                "offset", Forms.integer(0, RegionSpec.MOST_BYTES), Reregister::offset, "First byte of that memory.");
        Key<Reregister, Integer> length = mapping.perhaps(
                "length", Forms.integer(0, Integer.MAX_VALUE), Reregister::lengthBytes, "How many bytes.");
        Key<Reregister, Integer> access =
                mapping.perhaps("access", FlagWords.ACCESS, Reregister::access, "Its rights from now on.");
        Key<Reregister, String> pd = mapping.perhaps(
                "pd", Forms.name("the name of a protection domain"), Reregister::pd, "Its domain from now on.");
        Key<Reregister, Refused> error = mapping.perhaps("error", Refused.FORM, Reregister::error, "How it must fail.");
        return mapping.making(values -> new Reregister(
                values.get(head),
                values.orNull(on),
                values.orNull(offset),
                values.orNull(length),
                values.orNull(access),
                values.orNull(pd),
                values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        if (!scope.own().isRegion(region)) {
            scope.known("reregister", "region", region, scope.own().regions().keySet());
        }
        if (on != null && !scope.own().regions().containsKey(on)) {
            scope.known("on", "region", on, scope.own().regions().keySet());
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
        boolean moves = on != null || offset != null || lengthBytes != null;
        int flags = (moves ? ReregistrationFlags.CHANGE_TRANSLATION : 0)
                | (access == null ? 0 : ReregistrationFlags.CHANGE_ACCESS)
                | (pd == null ? 0 : ReregistrationFlags.CHANGE_PD);
        Memory memory = moves ? bench.lands().memory(on == null ? region : on) : null;
        int first = offset == null ? 0 : offset;
        int rest = memory == null ? 0 : memory.sizeBytes() - first;
        bench.verb(
                error,
                () -> registered.reregister(
                        flags,
                        pd == null ? null : bench.pd(pd),
                        memory,
                        first,
                        lengthBytes == null ? rest : lengthBytes,
                        access == null ? 0 : access));
        bench.lands().registered(region, registered);
        bench.keysNamed();
    }
}
