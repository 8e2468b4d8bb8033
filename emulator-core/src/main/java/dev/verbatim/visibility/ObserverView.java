// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Which older values of words an observer may still see. Each is kept with what ends it: its writer's release, a refresh of the
 * observer, or both. What was seen is never older than what was seen before of the same word.
 */
final class ObserverView {

    /** So many older values of a word are kept; the oldest is forgotten when there are more. */
    private static final int MOST_VERSIONS = 16;

    private final Observer observer;
    private final TreeMap<Long, List<Version>> words = new TreeMap<>();

    /** What a word held before a write, while the observer may see it. */
    private static final class Version {

        private final long before;
        private final Observer writer;
        private final boolean awaitsRefresh;
        private boolean awaitsRelease;

        Version(long before, Observer writer, boolean awaitsRelease, boolean awaitsRefresh) {
            this.before = before;
            this.writer = writer;
            this.awaitsRelease = awaitsRelease;
            this.awaitsRefresh = awaitsRefresh;
        }
    }

    ObserverView(Observer observer) {
        this.observer = observer;
    }

    Observer observer() {
        return observer;
    }

    /** A word is about to be written: what it holds may still be seen. */
    void add(long word, long before, Observer writer, boolean awaitsRelease, boolean awaitsRefresh) {
        List<Version> versions = words.computeIfAbsent(word, key -> new ArrayList<>());
        versions.add(new Version(before, writer, awaitsRelease, awaitsRefresh));
        if (versions.size() > MOST_VERSIONS) {
            versions.remove(0);
        }
    }

    /** It sees nothing older than what is now written into the word. */
    void seesNewest(long word) {
        words.remove(word);
    }

    /** How many older values of the word may be seen. */
    int olderOf(long word) {
        List<Version> versions = words.get(word);
        return versions == null ? 0 : versions.size();
    }

    /**
     * One of the values that may be seen.
     *
     * @param age 0 for the newest, then those before it
     * @param newest what the word holds
     */
    long valueOf(long word, int age, long newest) {
        List<Version> versions = words.get(word);
        return age == 0 || versions == null ? newest : versions.get(versions.size() - age).before;
    }

    /** Sees that value: what is older is seen no more. */
    void saw(long word, int age) {
        List<Version> versions = words.get(word);
        if (versions == null) {
            return;
        }
        versions.subList(0, versions.size() - age).clear();
        if (versions.isEmpty()) {
            words.remove(word);
        }
    }

    /** The age of the newest value for which it holds; -1 if it does for none. */
    int ageOf(long word, long newest, LongPredicate isAwaited) {
        for (int age = 0; age <= olderOf(word); age++) {
            if (isAwaited.test(valueOf(word, age, newest))) {
                return age;
            }
        }
        return -1;
    }

    /**
     * From now on it sees what was written in that range before, unless it is still to be released.
     *
     * @return the words of which it may have seen something else
     */
    List<Long> refresh(long address, long lengthBytes) {
        List<Long> refreshed = new ArrayList<>();
        words.subMap(address & -Long.BYTES, address + lengthBytes).entrySet().removeIf(entry -> {
            List<Version> versions = entry.getValue();
            int released = versions.size();
            while (released > 0 && versions.get(released - 1).awaitsRelease) {
                released--;
            }
            if (released > 0) {
                refreshed.add(entry.getKey());
            }
            versions.subList(0, released).clear();
            return versions.isEmpty();
        });
        return refreshed;
    }

    /**
     * What the writer stored so far is released.
     *
     * @return the words of which the observer saw something else
     */
    List<Long> release(Observer writer) {
        List<Long> released = new ArrayList<>();
        words.forEach((word, versions) -> versions.forEach(version -> {
            if (version.awaitsRelease && version.writer.equals(writer)) {
                version.awaitsRelease = false;
                released.add(word);
            }
        }));
        // An older value may be seen as long as something that was written behind it need not be.
        words.values().removeIf(versions -> {
            int seen = versions.size();
            while (seen > 0 && mayBeUnseen(versions.get(seen - 1))) {
                seen--;
            }
            versions.subList(0, seen).clear();
            return versions.isEmpty();
        });
        return released;
    }

    private static boolean mayBeUnseen(Version version) {
        return version.awaitsRelease || version.awaitsRefresh;
    }
}
