// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.verbs.WindowBinding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a binding in the life of a window must be; what is null does not matter. */
public record WantedBinding(
        @Nullable KeyRef rkey,
        @Nullable String qp,
        @Nullable Long length,
        @Nullable Integer access,
        @Nullable Boolean valid,
        @Nullable String end) {

    /** In a file. */
    static final Form<WantedBinding> FORM = form();

    private static Form<WantedBinding> form() {
        Mapping<WantedBinding> mapping = new Mapping<>("wanted_binding", "a binding of a window");
        Key<WantedBinding, KeyRef> rkey = mapping.perhaps("rkey", KeyRef.FORM, WantedBinding::rkey, "Its key.");
        Key<WantedBinding, String> qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), WantedBinding::qp, "The queue pair that made it.");
        Key<WantedBinding, Long> length =
                mapping.perhaps("length", Forms.word(), WantedBinding::length, "How many bytes it was of.");
        Key<WantedBinding, Integer> access =
                mapping.perhaps("access", FlagWords.ACCESS, WantedBinding::access, "Exactly these rights.");
        Key<WantedBinding, Boolean> valid =
                mapping.perhaps("valid", Forms.flag(), WantedBinding::valid, "Whether it is valid still.");
        Key<WantedBinding, String> end = mapping.perhaps(
                "end", Forms.text("a text"), WantedBinding::end, "Part of what is said of its end, such as LOCAL_INV.");
        return mapping.making(values -> new WantedBinding(
                values.orNull(rkey),
                values.orNull(qp),
                values.orNull(length),
                values.orNull(access),
                values.orNull(valid),
                values.orNull(end)));
    }

    void check(NameScope scope, String key) {
        if (rkey != null) {
            scope.key(key, rkey);
        }
        if (qp != null) {
            scope.qp(qp);
        }
    }

    boolean fits(WindowBinding found, StepContext context) {
        String ended = found.end();
        return (rkey == null || context.key(rkey, context.node(), true) == found.rkey())
                && (qp == null || qp.equals(context.node().qpNamed(found.qpNumber())))
                && (length == null || length == found.lengthBytes())
                && (access == null || access == found.access())
                && (valid == null || valid == (ended == null))
                && (end == null
                        || (ended != null && ended.toLowerCase(Locale.ROOT).contains(end.toLowerCase(Locale.ROOT))));
    }
}
