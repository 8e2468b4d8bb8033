// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReregistrationFlags;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Gives a region other memory or other rights, or puts it into another domain. */
public record Reregister(
        String region,
        @Nullable String on,
        @Nullable Integer offset,
        @Nullable Integer lengthBytes,
        @Nullable Integer access,
        @Nullable String pd,
        @Nullable ExpectedError error)
        implements Step {

    /** How it is written. */
    public static StepWord<Reregister> word() {
        StepWord<Reregister> word = new StepWord<>("reregister", Reregister.class);
        Key<Reregister, String> head =
                word.head(Forms.name("the name of a region"), Reregister::region, "The region that is changed.");
        Key<Reregister, String> on = word.perhaps(
                "on", Forms.name("the name of a region"), Reregister::on, "Region whose memory it names from now on.");
        Key<Reregister, Integer> offset = word.perhaps(
                "offset", Forms.integer(0, RegionSpec.MOST_BYTES), Reregister::offset, "First byte of that memory.");
        Key<Reregister, Integer> length =
                word.perhaps("length", Forms.integer(0, Integer.MAX_VALUE), Reregister::lengthBytes, "How many bytes.");
        Key<Reregister, Integer> access =
                word.perhaps("access", FlagWords.ACCESS, Reregister::access, "Its rights from now on.");
        Key<Reregister, String> pd = word.perhaps(
                "pd", Forms.name("the name of a protection domain"), Reregister::pd, "Its domain from now on.");
        Key<Reregister, ExpectedError> error = word.error(Reregister::error);
        return word.making(values -> new Reregister(
                values.get(head),
                values.orNull(on),
                values.orNull(offset),
                values.orNull(length),
                values.orNull(access),
                values.orNull(pd),
                values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
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
    public void run(StepContext context) {
        MemoryRegion registered = context.node().memory().region(region);
        if (registered == null) {
            context.fail(region + " was never registered; register it first");
            return;
        }
        boolean moves = on != null || offset != null || lengthBytes != null;
        int flags = (moves ? ReregistrationFlags.CHANGE_TRANSLATION : 0)
                | (access == null ? 0 : ReregistrationFlags.CHANGE_ACCESS)
                | (pd == null ? 0 : ReregistrationFlags.CHANGE_PD);
        Memory memory = moves ? context.node().memory().memory(on == null ? region : on) : null;
        int first = offset == null ? 0 : offset;
        int rest = memory == null ? 0 : Math.toIntExact(memory.sizeBytes()) - first;
        context.verb(
                error,
                () -> registered.reregister(
                        flags,
                        pd == null ? null : context.node().pd(pd),
                        memory,
                        first,
                        lengthBytes == null ? rest : lengthBytes,
                        access == null ? 0 : access));
        context.node().memory().registered(region, registered);
        context.node().keysChanged();
    }
}
