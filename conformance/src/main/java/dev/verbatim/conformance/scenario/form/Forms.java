// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Forms of single values. */
public final class Forms {

    /** Names of nodes, regions, words, registers, queue pairs: a letter, then letters, digits, {@code _} and {@code -}. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

    private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]{1,20}");
    private static final Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F_]{1,20}");
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(Long.SIZE);

    private Forms() {}

    /** One line of text. */
    public static Form<String> text(String what) {
        return scalar(what, Schema.type("string"), scalar -> scalar.text(), text -> text);
    }

    /** A name. */
    public static Form<String> name(String what) {
        return matching(NAME, what + ": a letter, then letters, digits, _ or -");
    }

    /** Text that matches a pattern. */
    public static Form<String> matching(Pattern pattern, String what) {
        return scalar(
                what,
                Schema.type("string").with("pattern", "^(" + pattern.pattern() + ")$"),
                scalar -> pattern.matcher(scalar.text()).matches() ? scalar.text() : null,
                text -> text);
    }

    /** A truth value. */
    public static Form<Boolean> flag() {
        return scalar("true or false", Schema.type("boolean"), Forms::asFlag, flag -> flag);
    }

    /** The word true, for keys that say all by being there. */
    public static Form<Boolean> yes() {
        return scalar(
                "true",
                Schema.of("const", true),
                scalar -> (scalar.plain() && scalar.text().equals("true")) ? Boolean.TRUE : null,
                yes -> yes);
    }

    private static @Nullable Boolean asFlag(Tree.Scalar scalar) {
        if (!scalar.plain()) {
            return null;
        }
        return switch (scalar.text()) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> null;
        };
    }

    /** A whole number from {@code least} to {@code most}, decimal or hexadecimal. */
    public static Form<Integer> integer(int least, int most) {
        return scalar(
                "a whole number in " + least + ".." + most,
                Schema.type("integer").with("minimum", (long) least).with("maximum", (long) most),
                scalar -> {
                    Long value = asNumber(scalar);
                    return value == null || value < least || value > most ? null : (Integer) value.intValue();
                },
                value -> (long) value);
    }

    /** Any 64 bits as a number: -2^63 to 2^64-1, decimal or hexadecimal. */
    public static Form<Long> word() {
        return scalar("a whole number of at most 64 bits", Schema.type("integer"), Forms::asNumber, value -> value);
    }

    /** Any 32 bits as a number: -2^31 to 2^32-1, decimal or hexadecimal. */
    public static Form<Integer> halfWord() {
        long least = Integer.MIN_VALUE;
        long most = (1L << Integer.SIZE) - 1;
        return scalar(
                "a whole number of at most 32 bits",
                Schema.type("integer").with("minimum", least).with("maximum", most),
                scalar -> {
                    Long value = asNumber(scalar);
                    return value == null || value < least || value > most ? null : (Integer) value.intValue();
                },
                value -> Integer.toUnsignedLong(value));
    }

    static @Nullable Long asNumber(Tree.Scalar scalar) {
        String text = scalar.text();
        if (!scalar.plain()) {
            return null;
        }
        BigInteger value;
        if (DECIMAL.matcher(text).matches()) {
            value = new BigInteger(text.startsWith("+") ? text.substring(1) : text);
        } else if (HEXADECIMAL.matcher(text).matches() && text.chars().skip(2).anyMatch(digit -> digit != '_')) {
            value = new BigInteger(text.substring(2).replace("_", ""), 16);
        } else {
            return null;
        }
        boolean fits = value.bitLength() < Long.SIZE || (value.signum() > 0 && value.compareTo(TWO_TO_64) < 0);
        return fits ? (Long) value.longValue() : null;
    }

    /** A number, or else something that no number is. */
    public static <T> Form<T> either(Form<T> number, Predicate<T> isNumber, Form<T> other, String what) {
        return new NumberOr<>(number, isNumber, other, what);
    }

    /** One of some words, each with what it means. */
    public static <T> Form<T> oneOf(String what, Map<String, T> byWord) {
        return new Choice<>(what, byWord);
    }

    /** The name of a constant. */
    public static <E extends Enum<E>> Form<E> constant(String what, Class<E> type) {
        return constant(what, type, Enum::name);
    }

    /** A constant under the word that {@code word} gives it. */
    public static <E extends Enum<E>> Form<E> constant(String what, Class<E> type, Function<E, String> word) {
        Map<String, E> byWord = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            byWord.put(word.apply(constant), constant);
        }
        return new Choice<>(what, byWord);
    }

    /** Bits with names: one name or a list of them. */
    public static Form<Integer> bits(String what, Map<String, Integer> byWord) {
        return new Bits(what, byWord);
    }

    /** A list. */
    public static <T> Form<List<T>> listOf(Form<T> form) {
        return new ListForm<>(form, false);
    }

    /** A list, or a single item without brackets. */
    public static <T> Form<List<T>> oneOrMany(Form<T> form) {
        return new ListForm<>(form, true);
    }

    /** A mapping whose keys are the writer's own. */
    public static <V> Form<Map<String, V>> mapOf(Form<String> key, Form<V> value) {
        return new MapForm<>(key, value);
    }

    /** A short form for values that are {@code isShort}, a single value in the file; and a long one. */
    public static <T> Form<T> shortOr(Form<T> brief, Predicate<T> isShort, Form<T> full) {
        return new ShortOr<>(brief, isShort, full);
    }

    /** Another type for what {@code form} reads; an {@link IllegalArgumentException} tells what is wrong with it. */
    public static <S, T> Form<T> converted(Form<S> form, Function<S, T> read, Function<T, S> write) {
        return new Form<>() {
            @Override
            public @Nullable T read(Spot spot) {
                S value = form.read(spot);
                try {
                    return value == null ? null : read.apply(value);
                } catch (IllegalArgumentException e) {
                    return spot.refuse(String.valueOf(e.getMessage()));
                }
            }

            @Override
            public Object write(T value) {
                return form.write(write.apply(value));
            }

            @Override
            public Schema schema(Schema.Definitions definitions) {
                return form.schema(definitions);
            }

            @Override
            public String what() {
                return form.what();
            }
        };
    }

    /** A single value that is converted, null if it is none of its kind. */
    static <T> Form<T> scalar(
            String what, Schema schema, Function<Tree.Scalar, @Nullable T> read, Function<T, Object> write) {
        return new ScalarForm<>(what, schema, read, write);
    }

    /** A single text that is converted; an {@link IllegalArgumentException} tells what is wrong with it. */
    public static <T> Form<T> parsed(
            String what, Pattern pattern, Function<String, T> read, Function<T, String> write) {
        return converted(matching(pattern, what), read, write);
    }
}
