// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.SrqAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Arms the limit of a shared receive queue, or changes its size.
 *
 * @param srq its name
 * @param limit the limit; null to leave it
 * @param maxWr the size; null to leave it
 * @param error how it must fail; null if it must succeed
 */
public record ModifySrq(
        String srq,
        @Nullable Integer limit,
        @Nullable Integer maxWr,
        @Nullable Refused error) implements Step {

    static Mapping<ModifySrq> word() {
        Mapping<ModifySrq> mapping = new Mapping<>("modify_srq", "a modify_srq step");
        Key<ModifySrq, String> head = mapping.required(
                "modify_srq",
                Forms.name("the name of a shared receive queue"),
                ModifySrq::srq,
                "The shared receive queue.");
        Key<ModifySrq, Integer> limit = mapping.perhaps(
                "limit",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ModifySrq::limit,
                "An event comes once when fewer receives than that are left; 0 for none.");
        Key<ModifySrq, Integer> maxWr = mapping.perhaps(
                "max_wr",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ModifySrq::maxWr,
                "Room for so many receives.");
        Key<ModifySrq, Refused> error = mapping.perhaps("error", Refused.FORM, ModifySrq::error, "How it must fail.");
        return mapping.making(values ->
                new ModifySrq(values.get(head), values.orNull(limit), values.orNull(maxWr), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.known(
                "modify_srq", "shared receive queue", srq, scope.own().srqs().keySet());
    }

    @Override
    public void run(Workbench bench) {
        int mask = (limit == null ? 0 : SrqAttributes.LIMIT) | (maxWr == null ? 0 : SrqAttributes.MAX_WR);
        SrqAttributes asked = new SrqAttributes(maxWr == null ? 0 : maxWr, 0, limit == null ? 0 : limit);
        bench.verb(error, () -> bench.srqs().get(srq).modify(asked, mask));
    }
}
