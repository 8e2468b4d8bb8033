// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * That a verb must fail at once.
 *
 * @param errno with which number
 * @param bad index of the first request of a chain that is not posted; null if it does not matter
 * @param rule id of the rule that the device names; null if it does not matter
 */
public record ExpectedError(
        Errno errno, @Nullable Integer bad, @Nullable String rule) {

    private static final Form<Errno> ERRNO = Forms.constant("an errno", Errno.class);
    private static final int LONGEST_CHAIN = 1 << 20;

    /** In a file: the errno, or more about it. */
    public static final Form<ExpectedError> FORM = form();

    /** A failure with that number. */
    static ExpectedError with(Errno errno) {
        return new ExpectedError(errno, null, null);
    }

    /** Why the failure is another; null if it is this one. */
    @Nullable
    public String differenceTo(VerbsException failure) {
        if (failure.errno() != errno) {
            return "errno=" + failure.errno() + ", not " + errno;
        }
        if (bad != null && failure.badRequest() != bad) {
            return "the first request that was not posted is " + failure.badRequest() + ", not " + bad;
        }
        if (rule != null && !rule.equals(failure.refusal().rule())) {
            return "rule=" + failure.refusal().rule() + ", not " + rule;
        }
        return null;
    }

    private static Form<ExpectedError> form() {
        Mapping<ExpectedError> mapping = new Mapping<>("error", "an error of a verb");
        Key<ExpectedError, Errno> errno = mapping.required("errno", ERRNO, ExpectedError::errno, "The error number.");
        Key<ExpectedError, Integer> bad = mapping.perhaps(
                "bad",
                Forms.integer(0, LONGEST_CHAIN),
                ExpectedError::bad,
                "Index of the first request of the chain that is not posted.");
        Key<ExpectedError, String> rule = mapping.perhaps(
                "rule", Forms.text("the id of a rule"), ExpectedError::rule, "The rule that the device names.");
        mapping.making(values -> new ExpectedError(values.get(errno), values.orNull(bad), values.orNull(rule)));
        return Forms.shortOr(
                Forms.converted(ERRNO, ExpectedError::with, ExpectedError::errno),
                refused -> refused.bad == null && refused.rule == null,
                mapping);
    }
}
