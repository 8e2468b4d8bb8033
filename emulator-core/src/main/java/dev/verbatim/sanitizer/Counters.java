// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.WrOpcode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Words that peers change by atomics, in a process whose stores are not seen: a word that is no longer what an atomic left there, though no
 * device wrote to it and no completion or event told the program anything since, was changed by the program at the same time (S14).
 */
final class Counters {

    private static final int MOST_WORDS = 1 << 12;

    /** Small enough for a count that begins, and to be no count in both orders. */
    private static final long MOST_COUNTED = 0xffff;

    private record Word(long value, long tidings, CallSite site) {}

    private final Findings findings;
    private final Programs programs;
    private final Map<Long, Word> words = new LinkedHashMap<>();

    Counters(Findings findings, Programs programs) {
        this.findings = findings;
        this.programs = programs;
    }

    /**
     * The program has put a count there in the other byte order, as far as can be told: it has a small one so, and more than one bit, as flags
     * in the upper bytes have not; or a comparison with the same number failed.
     */
    private void requireNativeOrder(Range word, long before, long after, @Nullable Request request) {
        long swapped = Long.reverseBytes(before);
        long change = after - before;
        boolean isCount = swapped > 0
                && swapped <= MOST_COUNTED
                && Long.bitCount(before) > 1
                && change != 0
                && Math.abs(change) <= MOST_COUNTED;
        boolean isCompared = request != null
                && request.opcode == WrOpcode.ATOMIC_CMP_AND_SWP
                && change == 0
                && before != swapped
                && request.compared == swapped;
        if (isCount || isCompared) {
            findings.report(Finding.at(
                    Mistake.S13,
                    word.toString(),
                    List.of(request == null ? CallSite.UNKNOWN : request.site),
                    (request == null ? "an atomic of a peer" : request.posted()) + " found " + before + " in " + word
                            + ", which is " + swapped + " in the other byte order, "
                            + (isCount
                                    ? "and made " + Long.reverseBytes(after) + " of it"
                                    : "and compared it with that")));
        }
    }

    /** A device writes there. */
    void overwritten(Range range) {
        if (!words.isEmpty()) {
            words.keySet().removeIf(address -> range.overlaps(new Range(address, Long.BYTES)));
        }
    }

    /** An atomic changed the word. */
    void stepped(Range word, long before, long after, @Nullable Request request) {
        if (!programs.isProcess()) {
            return;
        }
        long tidings = programs.current().tidings;
        CallSite site = request == null ? CallSite.UNKNOWN : request.site;
        Word known = words.remove(word.address());
        if (known == null || known.value != before) {
            requireNativeOrder(word, before, after, request);
        }
        if (known != null && known.value != before && known.tidings == tidings && !findings.isScratch(word)) {
            CallSite last = programs.current().last;
            findings.report(
                    Finding.at(
                            Mistake.S14,
                            word.toString(),
                            List.of(known.site, site, last),
                            (request == null ? "an atomic of a peer" : request.posted()) + " found " + before + " in "
                                    + word
                                    + ", where the atomic before it had left " + known.value
                                    + "; the program stored there in between, and nothing told it that no other atomic was under way"));
        }
        if (words.size() >= MOST_WORDS) {
            Iterator<Word> oldest = words.values().iterator();
            oldest.next();
            oldest.remove();
        }
        words.put(word.address(), new Word(after, tidings, site));
    }
}
