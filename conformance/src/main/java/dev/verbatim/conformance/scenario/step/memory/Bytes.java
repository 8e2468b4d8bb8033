// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What memory holds, or is to hold: one of the four.
 *
 * @param how which of them
 * @param value a number, the name of a register, a text, or hexadecimal digits
 */
public record Bytes(How how, String value) {

    /** How bytes are said. */
    public enum How {
        /** A number of 1, 2, 4 or 8 bytes, as the CPU reads it. */
        NUMBER,
        /** What a register holds, or the status that it holds. */
        WORD,
        /** A key as a number. */
        KEY,
        /** The same byte everywhere. */
        FILL,
        /** Text in UTF-8. */
        TEXT,
        /** Pairs of hexadecimal digits. */
        HEX
    }

    /** In a file. */
    public static final Form<Bytes> FORM = form();

    private static final int MOST_IN_BYTE = 255;

    /** A number. */
    public static Bytes of(long number) {
        return new Bytes(How.NUMBER, String.valueOf(number));
    }

    /** A key as a number. */
    public static Bytes of(KeyRef key) {
        return new Bytes(How.KEY, key.toString());
    }

    private static Form<Bytes> form() {
        Mapping<Bytes> mapping = new Mapping<>("bytes", "bytes");
        Key<Bytes, Integer> fill = mapping.perhaps(
                "fill",
                Forms.integer(0, MOST_IN_BYTE),
                bytes -> bytes.how == How.FILL ? (Integer) Integer.parseInt(bytes.value) : null,
                "The same byte everywhere.");
        Key<Bytes, String> text = mapping.perhaps(
                "text", Forms.text("a text"), bytes -> bytes.how == How.TEXT ? bytes.value : null, "Text in UTF-8.");
        Key<Bytes, String> hex = mapping.perhaps(
                "hex",
                Forms.matching(Pattern.compile("([0-9a-fA-F]{2})*"), "pairs of hexadecimal digits in quotes"),
                bytes -> bytes.how == How.HEX ? bytes.value : null,
                "Pairs of hexadecimal digits, in quotes.");
        Key<Bytes, KeyRef> key = mapping.perhaps(
                "key",
                KeyRef.FORM,
                bytes -> bytes.how == How.KEY ? KeyRef.ofText(bytes.value) : null,
                "A key, as a number.");
        mapping.making(values -> {
            Integer byteValue = values.orNull(fill);
            String characters = values.orNull(text);
            String digits = values.orNull(hex);
            KeyRef named = values.orNull(key);
            List<Bytes> said = new ArrayList<>();
            if (byteValue != null) {
                said.add(new Bytes(How.FILL, String.valueOf(byteValue)));
            }
            if (characters != null) {
                said.add(new Bytes(How.TEXT, characters));
            }
            if (digits != null) {
                said.add(new Bytes(How.HEX, digits));
            }
            if (named != null) {
                said.add(of(named));
            }
            if (said.size() != 1) {
                throw new IllegalArgumentException("bytes need one of fill, text, hex, key; keep one");
            }
            return said.get(0);
        });
        Form<Bytes> number = Forms.converted(Forms.word(), Bytes::of, bytes -> Long.parseLong(bytes.value));
        Form<Bytes> name = Forms.converted(Forms.name("a name"), word -> new Bytes(How.WORD, word), Bytes::value);
        return Forms.shortOr(
                Forms.either(number, bytes -> bytes.how == How.NUMBER, name, "a number, or the name of a register"),
                bytes -> bytes.how == How.NUMBER || bytes.how == How.WORD,
                mapping);
    }

    boolean isSingle() {
        return how == How.NUMBER || how == How.WORD || how == How.KEY;
    }

    /** Reports a key or register that is not there. */
    void check(NameScope scope, String where) {
        if (how == How.KEY) {
            scope.key(where, KeyRef.ofText(value));
        }
    }

    /** Reports a number that a place of the CPU cannot hold. */
    void checkFit(NameScope scope, String where, Place place, boolean stored) {
        if (how == How.NUMBER) {
            scope.fits(where, place, Long.parseLong(value), stored);
        }
    }

    /** A single number as text; a register is for the caller to look up. */
    String number(StepContext context) {
        return how == How.KEY
                ? Integer.toUnsignedString(context.key(KeyRef.ofText(value), context.node(), true))
                : value;
    }

    /** So many bytes, the said ones first and zeros behind them. */
    byte[] expand(int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        if (how == How.FILL) {
            Arrays.fill(bytes, (byte) Integer.parseInt(value));
        } else {
            byte[] said = content();
            System.arraycopy(said, 0, bytes, 0, Math.min(said.length, lengthBytes));
        }
        return bytes;
    }

    /** How many bytes are said; 0 for those that fit anywhere. */
    int lengthBytes() {
        return how == How.TEXT || how == How.HEX ? content().length : 0;
    }

    private byte[] content() {
        return how == How.TEXT
                ? value.getBytes(StandardCharsets.UTF_8)
                : HexFormat.of().parseHex(value);
    }

    @Override
    public String toString() {
        return how == How.NUMBER || how == How.WORD ? value : how.name().toLowerCase(Locale.ROOT) + " " + value;
    }
}
