// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a refusal: the violated rule and a sentence with names and values.
 *
 * <p>A refusal stores only the rule id and the values at that time. The sentence is built when it is read, with these
 * values. Over a network the cause may follow a little later.
 */
public final class Refusal {

    private final Rule rule;
    private final String format;
    private final Object[] values;
    private volatile @Nullable Refusal cause;

    private Refusal(Rule rule, @Nullable Refusal cause, String format, Object[] values) {
        this.rule = rule;
        this.cause = cause;
        this.format = format;
        this.values = values;
    }

    /**
     * A refusal under {@code rule}; {@code format} and {@code values} are those of {@link String#format} in the root
     * locale. A value that is mutable is kept as its text of now.
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

    /** Returns a copy with the earlier refusal that caused it; this refusal for null. */
    public Refusal causedBy(@Nullable Refusal earlier) {
        return earlier == null ? this : new Refusal(rule, earlier, format, values);
    }

    /** The id of the violated rule, such as {@code MR-22}. */
    public String rule() {
        return rule.id();
    }

    /** The violated rule. */
    public Rule brokenRule() {
        return rule;
    }

    /** The earlier refusal that caused this one, if any. */
    public @Nullable Refusal cause() {
        return cause;
    }

    /**
     * Its cause has become known, which was not when it was made; the first one stays. For implementations of devices, when a peer
     * over a network tells why it refused a request.
     */
    public synchronized void becameClear(Refusal earlier) {
        if (cause == null) {
            cause = earlier;
        }
    }

    /** The first of the refusals that caused this one, as {@link #cause()} of each tells; this refusal if it has no cause. */
    public Refusal root() {
        Refusal first = this;
        for (Refusal earlier = cause; earlier != null; earlier = earlier.cause) {
            first = earlier;
        }
        return first;
    }

    /** One sentence with names and values, without the rule id, and its causes behind it. */
    public String sentence() {
        Refusal earlier = cause;
        return earlier == null ? ownSentence() : ownSentence() + "; caused by: " + earlier;
    }

    /** The same without the causes. */
    public String ownSentence() {
        return String.format(Locale.ROOT, format, values);
    }

    /** Whether it is a refusal under the same rule with the same words, whatever the values. */
    public boolean isLike(Refusal other) {
        return rule == other.rule && format.equals(other.format);
    }

    /** Whether it is a refusal under the same rule with the same sentence. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Refusal refusal
                && rule == refusal.rule
                && format.equals(refusal.format)
                && Arrays.equals(values, refusal.values)
                && Objects.equals(cause, refusal.cause);
    }

    @Override
    public int hashCode() {
        return Objects.hash(rule.id(), format, Arrays.hashCode(values));
    }

    @Override
    public String toString() {
        return sentence() + " [" + rule + "]";
    }
}
