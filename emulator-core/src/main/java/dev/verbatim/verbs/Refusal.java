// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why the device said no: the rule that was broken and one sentence with names and values.
 *
 * <p>Only the rule id and the values are kept when the device refuses, as they are then; the sentence is built when somebody reads
 * it, and says the same whenever that is.
 */
public final class Refusal {

    private final Rule rule;
    private final String format;
    private final Object[] values;
    private final @Nullable Refusal cause;

    private Refusal(Rule rule, @Nullable Refusal cause, String format, Object[] values) {
        this.rule = rule;
        this.cause = cause;
        this.format = format;
        this.values = values;
    }

    /**
     * A refusal under {@code rule}; {@code format} and {@code values} are those of {@link String#format} in the root
     * locale. Values may change afterwards: of what can, the text is kept that it has now.
     */
    public static Refusal of(Rule rule, String format, Object... values) {
        Object[] kept = new Object[values.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = isConstant(values[i]) ? values[i] : String.valueOf(values[i]);
        }
        return new Refusal(rule, null, format, kept);
    }

    private static boolean isConstant(Object value) {
        return value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Enum<?>
                || value instanceof Gid
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Refusal;
    }

    /** The same refusal, naming the earlier one that led to it. */
    public Refusal causedBy(Refusal earlier) {
        return new Refusal(rule, earlier, format, values);
    }

    /** The id of the broken rule, such as {@code MR-22}. */
    public String rule() {
        return rule.id();
    }

    /** The broken rule. */
    public Rule brokenRule() {
        return rule;
    }

    /** The earlier refusal that led to this one, if there was one. */
    public @Nullable Refusal cause() {
        return cause;
    }

    /** One sentence with names and values, without the rule id. */
    public String sentence() {
        String own = String.format(Locale.ROOT, format, values);
        return cause == null ? own : own + "; this came of: " + cause;
    }

    @Override
    public String toString() {
        return sentence() + " [" + rule + "]";
    }
}
