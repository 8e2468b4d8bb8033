// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.SrqAttributes;
import org.jspecify.annotations.Nullable;

/** Arms the limit of a shared receive queue, or changes its size. */
public record ModifySrq(
        String srq,
        @Nullable Integer limit,
        @Nullable Integer maxWr,
        @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<ModifySrq> word() {
        StepWord<ModifySrq> word = new StepWord<>("modify_srq", ModifySrq.class);
        Key<ModifySrq, String> head = word.head(
                Forms.name("the name of a shared receive queue"), ModifySrq::srq, "The shared receive queue.");
        Key<ModifySrq, Integer> limit = word.perhaps(
                "limit",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ModifySrq::limit,
                "An event comes once when fewer receives than that are left; 0 for none.");
        Key<ModifySrq, Integer> maxWr = word.perhaps(
                "max_wr",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ModifySrq::maxWr,
                "Room for so many receives.");
        Key<ModifySrq, ExpectedError> error = word.error(ModifySrq::error);
        return word.making(values ->
                new ModifySrq(values.get(head), values.orNull(limit), values.orNull(maxWr), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.known(
                "modify_srq", "shared receive queue", srq, scope.own().srqs().keySet());
    }

    @Override
    public void run(StepContext context) {
        int mask = (limit == null ? 0 : SrqAttributes.LIMIT) | (maxWr == null ? 0 : SrqAttributes.MAX_WR);
        SrqAttributes asked = new SrqAttributes(maxWr == null ? 0 : maxWr, 0, limit == null ? 0 : limit);
        context.verb(error, () -> context.node().srqs().get(srq).modify(asked, mask));
    }
}
