// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Conflicts of looks that may be part of a loop: loads of an aligned word by a program, and READs by a queue pair. A loop is not seen as
 * such, and a program that waits is right whichever look ends its loop. So conflicts are held back:
 *
 * <ul>
 *   <li>of a load with writes of this word alone, until the program is seen to wait for the word: it loads it again while it may be
 *       written, or sees what was written;
 *   <li>of a READ with stores of the owner and WRITEs of peers, or of one word with writes of this word alone, until the queue pair READs
 *       the bytes again, compares the word by CMP_SWP, or sees by another word that they are out of date ({@link Versions}).
 * </ul>
 *
 * What is left when the queue pair is destroyed or the run ends is a race, and what is more than can be held is one at once. Steps of
 * scenario files do not loop, and are never held back.
 */
final class Looks {

    private static final int MOST_HELD = 64;
    private static final int MOST_WORDS = 1 << 16;
    private static final int MOST_QUEUE_PAIRS = 1 << 12;

    /** A look, and a write that nothing orders with it. */
    record Conflict(Access look, Access write, @Nullable Unseen unseen) {}

    private record Word(Object reader, long address) {}

    /** Words for which programs and queue pairs wait. */
    private final Set<Word> awaited = new HashSet<>();

    /** Words that queue pairs have READ alone, and those that they have READ alone more than once. */
    private final Set<Word> readAlone = new HashSet<>();

    private final Set<Word> readAgain = new HashSet<>();

    private final Versions versions = new Versions();

    /** Of programs, the only look at a word that conflicts with anything. */
    private final Map<Word, Conflict> loads = new LinkedHashMap<>();

    private final Map<QpWatch, List<Conflict>> reads = new LinkedHashMap<>();

    /** It waits for the word by looking at it. */
    void waits(Object reader, long address) {
        Word word = new Word(reader, address);
        loads.remove(word);
        if (awaited.size() < MOST_WORDS) {
            awaited.add(word);
        }
    }

    /** Whether it waits for the word, or READs it around what it vouches for. */
    boolean isAwaited(@Nullable Object reader, long address) {
        return reader != null && awaited.contains(new Word(reader, address));
    }

    /**
     * A READ is executed: what its queue pair has read of the same bytes before is out of date, and a word that it READs alone again it
     * waits for, or compares with what it was.
     */
    void readAgain(Request read, Access fetch) {
        QpWatch queuePair = read.queuePair;
        if (queuePair != null && fetch.isWord() && readAlone.size() < MOST_WORDS) {
            Word word = new Word(queuePair, fetch.range().address());
            if (!readAlone.add(word)) {
                readAgain.add(word);
                waits(queuePair, word.address);
            }
        }
        outdates(read, fetch);
    }

    /** Bytes are changed. */
    void changed(Access write) {
        versions.changed(write);
    }

    /**
     * A READ or CMP_SWP is executed: what its queue pair has read of the same bytes before is out of date. If it is of a word alone, so may
     * be what it has read since it looked at this word before.
     */
    void outdates(Request request, Access look) {
        QpWatch queuePair = request.queuePair;
        List<Conflict> before = queuePair == null ? null : reads.get(queuePair);
        if (queuePair != null
                && look.isWord()
                && versions.looked(request, queuePair, look.range().address())
                && before != null) {
            before.removeIf(conflict -> {
                Request read = conflict.look.request();
                return read != null && versions.isOutdated(read, conflict.write);
            });
        }
        if (queuePair != null
                && before != null
                && before.removeIf(conflict -> isCovered(conflict.look.request(), request))) {
            waits(queuePair, request.remoteAddress);
        }
    }

    private static boolean isCovered(@Nullable Request earlier, Request read) {
        return earlier != null
                && earlier != read
                && earlier.remoteKey == read.remoteKey
                && earlier.remoteAddress >= read.remoteAddress
                && earlier.remoteAddress + earlier.lengthBytes() <= read.remoteAddress + read.lengthBytes();
    }

    /** Whether the two are a look and a write about which nothing is said yet, or never. */
    boolean holds(Access one, Access other, @Nullable Unseen unseen) {
        Access look = one.isLook() ? one : other;
        Access write = one.isLook() ? other : one;
        if (!look.isLook() || !write.kind().isWrite) {
            return false;
        }
        boolean isOfWord =
                look.isWord() && write.isWriteOfWord() && look.range().equals(write.range());
        ProgramClock program = look.program();
        if (program != null) {
            return isOfWord
                    && (unseen != null || !write.isOfProgram())
                    && holdsLoad(program, new Conflict(look, write, unseen));
        }
        if (look.covers(write)) {
            // Who changes a word in one step lets others look at it (ORD-37).
            return true;
        }
        Request read = look.request();
        return read != null
                && read.queuePair != null
                && (isOfWord || write.kind() == Access.Kind.STORE || write.isRemotePlacement())
                && !isByOneWhoWasTold(write, read)
                && holdsRead(read.queuePair, read, new Conflict(look, write, unseen));
    }

    /**
     * Whether who writes has heard of a later request of the queue pair, a message for example: it takes the READ for done, which a
     * message does not say (ORD-32).
     */
    private static boolean isByOneWhoWasTold(Access write, Request read) {
        ProgramClock owner = write.program();
        Request request = write.request();
        VectorClock known = owner != null ? owner.clock : request != null ? request.clock : null;
        return known != null && read.queuePair != null && known.get(read.queuePair.shown) > read.number;
    }

    private boolean holdsLoad(ProgramClock program, Conflict conflict) {
        Word word = new Word(program, conflict.look.range().address());
        if (awaited.contains(word)) {
            return true;
        }
        if (loads.size() >= MOST_WORDS && !loads.containsKey(word)) {
            return false;
        }
        Conflict first = loads.putIfAbsent(word, conflict);
        if (first != null && !first.look.equals(conflict.look)) {
            waits(program, word.address);
        }
        return true;
    }

    private boolean holdsRead(QpWatch queuePair, Request read, Conflict conflict) {
        if ((awaited.contains(new Word(queuePair, read.remoteAddress)) && conflict.look.isWord())
                || versions.isOutdated(read, conflict.write)) {
            return true;
        }
        if (reads.size() >= MOST_QUEUE_PAIRS && !reads.containsKey(queuePair)) {
            return false;
        }
        List<Conflict> held = reads.computeIfAbsent(queuePair, first -> new ArrayList<>());
        return held.size() < MOST_HELD && held.add(conflict);
    }

    /** The queue pair READs nothing any more: what was held back of it is a race. */
    List<Conflict> end(QpWatch queuePair) {
        versions.end(queuePair);
        List<Conflict> left = reads.remove(queuePair);
        return left == null ? List.of() : left.stream().filter(this::isRace).toList();
    }

    /**
     * Whether the READ is of more than one word that was stored whole behind it: it has fetched the one value or the other (ORD-21), and a
     * reader that looks at one word before all else takes either. What it was told of is data: it has heard of who stores it by a message
     * before, has seen another word stored or executed an atomic before, READs another word again and again, or sees by another word
     * afterwards that it was stored.
     */
    private boolean isRace(Conflict conflict) {
        Request read = conflict.look.request();
        QpWatch queuePair = read == null ? null : read.queuePair;
        return read == null
                || queuePair == null
                || conflict.unseen != null
                || !Races.isOfSameWord(conflict.look, conflict.write)
                || isToldBy(conflict.write, read)
                || queuePair.hasSeenBefore(read)
                || readsAnotherWordAgain(queuePair, read.remoteAddress)
                || Races.isKnown(conflict.write, queuePair.seen(), false);
    }

    private static boolean isToldBy(Access write, Request read) {
        ProgramClock writer = write.program();
        Request request = write.request();
        ProgramClock poster = writer != null || request == null ? writer : request.poster;
        return poster != null && read.clock.get(poster.component) > 0;
    }

    private boolean readsAnotherWordAgain(QpWatch queuePair, long address) {
        return readAgain.stream().anyMatch(word -> queuePair.equals(word.reader) && word.address != address);
    }

    /** Nothing more happens: what was held back is a race. */
    List<Conflict> end() {
        List<Conflict> left = new ArrayList<>(loads.values());
        reads.values().forEach(all -> all.stream().filter(this::isRace).forEach(left::add));
        loads.clear();
        reads.clear();
        return left;
    }
}
