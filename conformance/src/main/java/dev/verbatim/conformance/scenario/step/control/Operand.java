// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import org.jspecify.annotations.Nullable;

/**
 * A number, or a register.
 *
 * @param text as it is written
 */
record Operand(String text) {

    /** How it is written, as a regular expression. */
    static final String PATTERN = Forms.NAME.pattern() + "|-?[0-9]{1,19}|0[xX][0-9a-fA-F]{1,16}";

    static Operand of(long number) {
        return new Operand(String.valueOf(number));
    }

    boolean isNumber() {
        return !Character.isLetter(text.charAt(0));
    }

    void check(NameScope scope, String key) {
        if (isNumber()) {
            number(text);
        } else {
            scope.computes(key, text);
        }
    }

    /** What it holds, as registers hold it; null, and a failure of the step, if it was not set on the way to here. */
    @Nullable
    String value(StepContext context) {
        if (isNumber()) {
            return String.valueOf(number(text));
        }
        String value = context.node().registers().get(text);
        if (value == null) {
            context.fail("register " + text + " was not set on the way to this step");
        }
        return value;
    }

    /** The value of a register as a number; null if it is a word such as a status. */
    static @Nullable Long asNumber(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long number(String text) {
        return text.startsWith("0x") || text.startsWith("0X")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.parseLong(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
