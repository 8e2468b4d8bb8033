// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Registers memory.
 *
 * @param name of the region that is made; if it is that of a region of the node, its memory is registered (again)
 * @param on region whose memory is registered; null for that of the same name
 * @param offset first byte of that memory
 * @param lengthBytes how many; null for the rest
 * @param access {@link dev.verbatim.verbs.AccessFlags}
 * @param pd protection domain
 * @param iova address of its first byte; null for that of the memory
 * @param error how it must fail; null if it must succeed
 */
public record Register(
        String name,
        @Nullable String on,
        int offset,
        @Nullable Integer lengthBytes,
        int access,
        String pd,
        @Nullable Long iova,
        @Nullable Refused error)
        implements Step {

    static Mapping<Register> word() {
        Mapping<Register> mapping = new Mapping<>("register", "a register step");
        Key<Register, String> head = mapping.required(
                "register", Forms.name("the name of a region"), Register::name, "Name of the region that is made.");
        Key<Register, String> on = mapping.perhaps(
                "on", Forms.name("the name of a region"), Register::on, "Region whose memory it is, if another.");
        Key<Register, Integer> offset = mapping.optional(
                "offset", Forms.integer(0, RegionSpec.MOST_BYTES), 0, Register::offset, "First byte of that memory.");
        Key<Register, Integer> length = mapping.perhaps(
                "length", Forms.integer(0, Integer.MAX_VALUE), Register::lengthBytes, "How many bytes.");
        Key<Register, Integer> access = mapping.optional(
                "access", FlagWords.ACCESS, RegionSpec.ALL_RIGHTS, Register::access, "What may be done with it.");
        Key<Register, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                Register::pd,
                "Protection domain.");
        Key<Register, Long> iova =
                mapping.perhaps("iova", Forms.word(), Register::iova, "Address of its first byte, if another.");
        Key<Register, Refused> error = mapping.perhaps("error", Refused.FORM, Register::error, "How it must fail.");
        return mapping.making(values -> new Register(
                values.get(head),
                values.orNull(on),
                values.get(offset),
                values.orNull(length),
                values.get(access),
                values.get(pd),
                values.orNull(iova),
                values.orNull(error)));
    }

    @Override
    public List<Register> registers() {
        return List.of(this);
    }

    String memoryName() {
        return on == null ? name : on;
    }

    /** Its size. */
    int sizeOn(Names names) {
        RegionSpec memory = names.regions().get(memoryName());
        if (lengthBytes != null || memory == null) {
            return lengthBytes == null ? 0 : lengthBytes;
        }
        return memory.sizeBytes() - offset;
    }

    @Override
    public void check(Scope scope) {
        Names names = scope.own();
        if (!names.regions().containsKey(memoryName())) {
            scope.problem(
                    on == null ? "register" : "on",
                    "node " + names.node() + " has no region " + memoryName() + " whose memory could be registered; "
                            + NearestWord.advice(memoryName(), names.regions().keySet()));
        }
        if (on != null && names.regions().containsKey(name)) {
            scope.problem("register", name + " is a region already; give the new one another name");
        }
        if (names.pds().stream().noneMatch(pd::equals)) {
            scope.problem(
                    "pd",
                    "node " + names.node() + " has no protection domain " + pd + "; "
                            + NearestWord.advice(pd, names.pds()));
        }
    }

    @Override
    public void run(Workbench bench) {
        Lands lands = bench.lands();
        ProtectionDomain domain = bench.pd(pd);
        int size = sizeOn(bench.names());
        bench.verb(error, () -> {
            var memory = lands.memory(memoryName());
            var region = iova == null
                    ? domain.register(memory, offset, size, access)
                    : domain.registerIova(memory, offset, size, iova, access);
            if (on != null) {
                lands.add(name, memory, offset);
            }
            lands.registered(name, region);
            bench.keysNamed();
        });
    }
}
