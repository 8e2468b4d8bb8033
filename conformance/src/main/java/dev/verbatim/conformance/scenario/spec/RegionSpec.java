// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.AccessFlags;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a node, and the region registered on all of it.
 *
 * @param sizeBytes its size
 * @param access its {@link AccessFlags}
 * @param words names of its first 64-bit words, one after the other, with what they hold at first
 * @param fill what all its bytes hold at first
 * @param hex what its first bytes hold instead, as pairs of hexadecimal digits
 * @param text the same as text
 * @param pd protection domain
 * @param iova address of its first byte; null for the address of the memory
 * @param registered whether it is registered before the programs start
 * @param domain memory domain that it is in; null for host memory
 * @param shares region of the node whose adapter this node is, whose memory it is; null for memory of its own
 */
public record RegionSpec(
        int sizeBytes,
        int access,
        Map<String, Long> words,
        int fill,
        String hex,
        String text,
        String pd,
        @Nullable Long iova,
        boolean registered,
        @Nullable String domain,
        @Nullable String shares) {

    /** Host memory of its own. */
    public RegionSpec(
            int sizeBytes,
            int access,
            Map<String, Long> words,
            int fill,
            String hex,
            String text,
            String pd,
            @Nullable Long iova,
            boolean registered) {
        this(sizeBytes, access, words, fill, hex, text, pd, iova, registered, null, null);
    }

    /** Bytes of a word. */
    public static final int WORD_BYTES = 8;

    /** Largest region: enough for every message that a lesson needs. */
    public static final int MOST_BYTES = 1 << 26;

    /** Name of the region that holds the words of a node that have none of their own. */
    public static final String WORDS = "words";

    /** Protection domain of everything that names none. */
    public static final String USUAL_PD = "pd";

    /** All rights that a peer can be given. */
    public static final int ALL_RIGHTS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Named words with what they hold at first. */
    public static final Form<Map<String, Long>> WORDS_FORM =
            Forms.mapOf(Forms.name("the name of a word"), Forms.word());

    /** In a file. */
    public static final Form<RegionSpec> FORM = form();

    private static final int MOST_IN_BYTE = 255;

    /** Copies the words and checks that everything has room. */
    public RegionSpec {
        words = Collections.unmodifiableMap(new LinkedHashMap<>(words));
        int needed = natural(words, hex, text);
        if (sizeBytes < needed) {
            throw new IllegalArgumentException(
                    "size=" + sizeBytes + " is less than the " + needed + " bytes of its content; make it larger");
        }
    }

    /** A region that holds named words and grants every right. */
    public static RegionSpec ofWords(Map<String, Long> words) {
        return new RegionSpec(words.size() * WORD_BYTES, ALL_RIGHTS, words, 0, "", "", USUAL_PD, null, true);
    }

    /** The same with other access flags. */
    public RegionSpec granting(int other) {
        return new RegionSpec(sizeBytes, other, words, fill, hex, text, pd, iova, registered, domain, shares);
    }

    /** Whether it is no more than {@link #ofWords} says. */
    public boolean isPlainWords() {
        return !words.isEmpty() && equals(ofWords(words));
    }

    /** What its first bytes hold at first, as {@link #hex} and {@link #text} say. */
    public byte[] content() {
        return hex.isEmpty()
                ? text.getBytes(StandardCharsets.UTF_8)
                : HexFormat.of().parseHex(hex);
    }

    private static int natural(Map<String, Long> words, String hex, String text) {
        int bytes = hex.isEmpty() ? text.getBytes(StandardCharsets.UTF_8).length : hex.length() / 2;
        return Math.max(words.size() * WORD_BYTES, bytes);
    }

    private static Form<RegionSpec> form() {
        Mapping<RegionSpec> mapping = new Mapping<>("region", "a region");
        Key<RegionSpec, Integer> size = mapping.perhaps(
                "size",
                Forms.integer(0, MOST_BYTES),
                region -> region.sizeBytes == natural(region.words, region.hex, region.text) ? null : region.sizeBytes,
                "Bytes; as many as its content needs where this is left out.");
        Key<RegionSpec, Integer> access = mapping.optional(
                "access",
                FlagWords.ACCESS,
                ALL_RIGHTS,
                RegionSpec::access,
                "What the device and peers may do with it.");
        Key<RegionSpec, Map<String, Long>> words = mapping.optional(
                "words",
                WORDS_FORM,
                Map.of(),
                RegionSpec::words,
                "Names for its first 64-bit words, and their values.");
        Key<RegionSpec, Integer> fill = mapping.optional(
                "fill", Forms.integer(0, MOST_IN_BYTE), 0, RegionSpec::fill, "What every byte holds at first.");
        Key<RegionSpec, String> hex = mapping.optional(
                "hex",
                Forms.matching(Pattern.compile("([0-9a-fA-F]{2})*"), "pairs of hexadecimal digits in quotes"),
                "",
                RegionSpec::hex,
                "What the first bytes hold, as hexadecimal digits.");
        Key<RegionSpec, String> text = mapping.optional(
                "text", Forms.text("a text"), "", RegionSpec::text, "What the first bytes hold, as text in UTF-8.");
        Key<RegionSpec, String> pd = mapping.optional(
                "pd", Forms.name("the name of a protection domain"), USUAL_PD, RegionSpec::pd, "Protection domain.");
        Key<RegionSpec, Long> iova = mapping.perhaps(
                "iova", Forms.word(), RegionSpec::iova, "Address of the first byte, if not that of the memory.");
        Key<RegionSpec, Boolean> registered = mapping.optional(
                "registered", Forms.flag(), true, RegionSpec::registered, "Whether it is registered from the start.");
        Key<RegionSpec, String> domain = domain(mapping);
        Key<RegionSpec, String> shares = shares(mapping);
        return mapping.making(values -> {
            Integer asked = values.orNull(size);
            if (!values.get(hex).isEmpty() && !values.get(text).isEmpty()) {
                throw new IllegalArgumentException("hex and text both say what the first bytes hold; keep one");
            }
            int sizeBytes = asked == null ? natural(values.get(words), values.get(hex), values.get(text)) : asked;
            return new RegionSpec(
                    sizeBytes,
                    values.get(access),
                    values.get(words),
                    values.get(fill),
                    values.get(hex),
                    values.get(text),
                    values.get(pd),
                    values.orNull(iova),
                    values.get(registered),
                    values.orNull(domain),
                    values.orNull(shares));
        });
    }

    private static Key<RegionSpec, String> domain(Mapping<RegionSpec> mapping) {
        return mapping.perhaps(
                "in",
                Forms.name("the name of a memory domain"),
                RegionSpec::domain,
                "Memory domain, if not the host's.");
    }

    private static Key<RegionSpec, String> shares(Mapping<RegionSpec> mapping) {
        return mapping.perhaps(
                "shares",
                Forms.name("the name of a region"),
                RegionSpec::shares,
                "Region of the node whose adapter this is: this one is on the same memory.");
    }
}
