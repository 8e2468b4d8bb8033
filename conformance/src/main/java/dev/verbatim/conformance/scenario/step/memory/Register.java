// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.check.StepObjects;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.node.NodeMemory;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Registers memory. */
public record Register(
        String name,
        @Nullable String on,
        int offset,
        @Nullable Integer lengthBytes,
        int access,
        String pd,
        @Nullable Long iova,
        @Nullable ExpectedError error)
        implements Step {

    /** How it is written. */
    public static StepWord<Register> word() {
        StepWord<Register> word = new StepWord<>("register", Register.class);
        Key<Register, String> head =
                word.head(Forms.name("the name of a region"), Register::name, "Name of the region that is made.");
        Key<Register, String> on = word.perhaps(
                "on", Forms.name("the name of a region"), Register::on, "Region whose memory it is, if another.");
        Key<Register, Integer> offset = word.optional(
                "offset", Forms.integer(0, RegionSpec.MOST_BYTES), 0, Register::offset, "First byte of that memory.");
        Key<Register, Integer> length =
                word.perhaps("length", Forms.integer(0, Integer.MAX_VALUE), Register::lengthBytes, "How many bytes.");
        Key<Register, Integer> access = word.optional(
                "access", FlagWords.ACCESS, RegionSpec.ALL_RIGHTS, Register::access, "What may be done with it.");
        Key<Register, String> pd = word.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                Register::pd,
                "Protection domain.");
        Key<Register, Long> iova =
                word.perhaps("iova", Forms.word(), Register::iova, "Address of its first byte, if another.");
        Key<Register, ExpectedError> error = word.error(Register::error);
        return word.making(values -> new Register(
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
    public StepObjects makes() {
        return StepObjects.of(region());
    }

    private StepObjects.Region region() {
        return new StepObjects.Region(name, memoryName(), offset, lengthBytes);
    }

    private String memoryName() {
        return on == null ? name : on;
    }

    @Override
    public void check(NameScope scope) {
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
    public void run(StepContext context) {
        NodeMemory memory = context.node().memory();
        ProtectionDomain domain = context.node().pd(pd);
        int size = region().sizeIn(context.node().names().regions());
        context.verb(error, () -> {
            var bytes = memory.memory(memoryName());
            var region = iova == null
                    ? domain.register(bytes, offset, size, access)
                    : domain.registerIova(bytes, offset, size, iova, access);
            if (on != null) {
                memory.add(name, bytes, offset);
            }
            memory.registered(name, region);
            context.node().keysChanged();
        });
    }
}
