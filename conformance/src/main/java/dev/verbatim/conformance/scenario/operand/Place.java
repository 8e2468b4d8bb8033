// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in a node's memory.
 *
 * @param name of a word or a region; null if {@code offset} is an address
 * @param offset bytes from the beginning of what is named, or an address
 * @param lengthBytes how many; null for the whole word, or the region to its end
 * @param key a key that is used instead of the region's own; null for that
 */
public record Place(
        @Nullable String name,
        long offset,
        @Nullable Integer lengthBytes,
        @Nullable KeyRef key) implements Element {

    private static final Pattern PATTERN = Pattern.compile("(" + Forms.NAME + ")(\\+[0-9]{1,9})?(:[0-9]{1,9})?");
    private static final String WHAT = "a place such as x, buffer, buffer+8 or buffer+8:16";

    /** A place as one word. */
    public static final Form<Place> WORD = Forms.parsed(WHAT, PATTERN, Place::parse, Place::toString);

    /** In a file: a word, or a mapping for keys and addresses. */
    public static final Form<Place> FORM = Forms.shortOr(WORD, Place::isWord, mapping());

    /** The whole of a word or region. */
    public static Place of(String name) {
        return new Place(name, 0, null, null);
    }

    /** Part of a region. */
    public static Place of(String name, int offset, int lengthBytes) {
        return new Place(name, offset, lengthBytes, null);
    }

    /** Any address with any key. */
    public static Place at(long address, @Nullable Integer lengthBytes, KeyRef key) {
        return new Place(null, address, lengthBytes, key);
    }

    /** The same place with another key. */
    public Place with(KeyRef other) {
        return new Place(name, offset, lengthBytes, other);
    }

    /** The same place with the key of its region. */
    public Place bare() {
        return new Place(name, offset, lengthBytes, null);
    }

    /** Whether one word says it. */
    boolean isWord() {
        return name != null && key == null;
    }

    public static Place parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not " + WHAT);
        }
        String offset = matcher.group(2);
        String length = matcher.group(3);
        return new Place(
                matcher.group(1),
                offset == null ? 0 : Long.parseLong(offset.substring(1)),
                length == null ? null : (Integer) Integer.parseInt(length.substring(1)),
                null);
    }

    private static Form<Place> mapping() {
        Mapping<Place> mapping = new Mapping<>("place", "a place");
        Key<Place, Place> at = mapping.perhaps(
                "at", WORD, place -> place.name == null ? null : place.bare(), "The place, as one word.");
        Key<Place, Long> address = mapping.perhaps(
                "address", Forms.word(), place -> place.name == null ? place.offset : null, "Any address instead.");
        Key<Place, Integer> length = mapping.perhaps(
                "length",
                Forms.integer(0, Integer.MAX_VALUE),
                place -> place.name == null ? place.lengthBytes : null,
                "How many bytes from the address on.");
        Key<Place, KeyRef> key = mapping.perhaps(
                "key",
                KeyRef.FORM,
                Place::key,
                "Another key than that of the region: a number, or that of a region, window or register.");
        return mapping.making(values -> {
            Place named = values.orNull(at);
            Long number = values.orNull(address);
            if ((named == null) == (number == null)) {
                throw new IllegalArgumentException("a place needs either at or address; write one of them");
            }
            if (named != null && values.orNull(length) != null) {
                throw new IllegalArgumentException("length goes with address; write at: " + named + ":LENGTH");
            }
            KeyRef other = values.orNull(key);
            if (number != null && other == null) {
                throw new IllegalArgumentException("an address belongs to no region here; add its key");
            }
            return named != null
                    ? new Place(named.name, named.offset, named.lengthBytes, other)
                    : new Place(null, number == null ? 0 : number, values.orNull(length), other);
        });
    }

    @Override
    public String toString() {
        String where = name == null ? "address " + Long.toUnsignedString(offset) : name;
        return where
                + (name == null || offset == 0 ? "" : "+" + offset)
                + (lengthBytes == null ? "" : ":" + lengthBytes);
    }
}
