// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.verbs.Rkey;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key, as a number or by what has it: a region or a window of the node whose memory it leads to, or a register of the node
 * that uses it.
 *
 * @param name what has it; null for a number
 * @param which which of its keys
 * @param binding of a window: its key of that posted bind, 0 for the one that it had before any; null for the last
 * @param twist what is made of that key
 * @param number the key itself, or the operand of the twist
 */
public record KeyRef(
        @Nullable String name, Which which, @Nullable Integer binding, Twist twist, int number) {

    /** Which key. */
    public enum Which {
        /** Of a region the remote key towards a peer, the local one otherwise; of a window that of its last posted bind. */
        FITTING(""),
        /** The local key of a region. */
        LKEY("lkey:"),
        /** The remote key of a region; of a window what its handle has as rkey now. */
        RKEY("rkey:");

        private final String prefix;

        Which(String prefix) {
            this.prefix = prefix;
        }
    }

    /** Another key made of one. */
    public enum Twist {
        /** The key itself. */
        NONE(""),
        /** The same index with the next variant, as ibv_inc_rkey has it. */
        NEXT("++"),
        /** The same index with another variant. */
        VARIANT("/"),
        /** A number is added to all 32 bits. */
        PLUS("+"),
        /** Bits are turned over. */
        XOR("^");

        private final String sign;

        Twist(String sign) {
            this.sign = sign;
        }

        boolean hasOperand() {
            return this != NONE && this != NEXT;
        }

        int of(int key, int operand) {
            return switch (this) {
                case NONE -> key;
                case NEXT -> Rkey.increment(key);
                case VARIANT -> Rkey.withVariant(key, operand);
                case PLUS -> key + operand;
                case XOR -> key ^ operand;
            };
        }
    }

    private static final Pattern NAMED = Pattern.compile(
            "(lkey:|rkey:)?(" + Forms.NAME + ")(@[0-9]{1,6})?(\\+\\+|(/|\\+|\\^)([0-9]{1,9}|0x[0-9a-fA-F]{1,8}))?");

    private static final int NAME_GROUP = 2;
    private static final int BINDING_GROUP = 3;
    private static final int TWIST_GROUP = 4;
    private static final int SIGN_GROUP = 5;
    private static final int OPERAND_GROUP = 6;

    private static final String WHAT = "a number, or the name of a region, window or register, such as w, lkey:buffer,"
            + " rkey:w, w@1, w++, w+1, w^0x100 or w/0x41";

    private static final Form<KeyRef> OF_SOMETHING = Forms.parsed(WHAT, NAMED, KeyRef::parse, KeyRef::toString);

    /** In a file. */
    public static final Form<KeyRef> FORM = Forms.either(
            Forms.converted(Forms.halfWord(), KeyRef::of, KeyRef::number),
            key -> key.name == null,
            OF_SOMETHING,
            "a key: " + WHAT);

    /** A key as a number. */
    public static KeyRef of(int number) {
        return new KeyRef(null, Which.FITTING, null, Twist.NONE, number);
    }

    /** The fitting key of a region, the key that a window was bound with last, or what a register holds. */
    public static KeyRef of(String name) {
        return of(name, Which.FITTING);
    }

    /** One of the keys of a region or window. */
    public static KeyRef of(String name, Which which) {
        return new KeyRef(name, which, null, Twist.NONE, 0);
    }

    /** Another key made of it. */
    public KeyRef twisted(Twist other, int operand) {
        return new KeyRef(name, which, binding, other, operand);
    }

    /** What {@link #toString} wrote. */
    public static KeyRef ofText(String text) {
        return text.startsWith("0x") ? of(operand(text)) : parse(text);
    }

    private static KeyRef parse(String text) {
        Matcher matcher = NAMED.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not " + WHAT);
        }
        Which which = Which.FITTING;
        for (Which each : Which.values()) {
            if (each.prefix.equals(matcher.group(1))) {
                which = each;
            }
        }
        String binding = matcher.group(BINDING_GROUP);
        String operand = matcher.group(OPERAND_GROUP);
        return new KeyRef(
                matcher.group(NAME_GROUP),
                which,
                binding == null ? null : (Integer) Integer.parseInt(binding.substring(1)),
                twist(matcher),
                operand == null ? 0 : operand(operand));
    }

    private static int operand(String text) {
        return text.startsWith("0x") ? Integer.parseUnsignedInt(text.substring(2), 16) : Integer.parseInt(text);
    }

    private static Twist twist(Matcher matcher) {
        if (matcher.group(TWIST_GROUP) == null) {
            return Twist.NONE;
        }
        for (Twist twist : Twist.values()) {
            if (twist.sign.equals(matcher.group(SIGN_GROUP))) {
                return twist;
            }
        }
        return Twist.NEXT;
    }

    /** What is made of the key that it names. */
    public int twisted(int key) {
        return twist.of(key, number);
    }

    /** As in a file. */
    @Override
    public String toString() {
        if (name == null) {
            return String.format(Locale.ROOT, "0x%08x", number);
        }
        return which.prefix
                + name
                + (binding == null ? "" : "@" + binding)
                + twist.sign
                + (twist.hasOperand() ? String.format(Locale.ROOT, "0x%x", number) : "");
    }
}
