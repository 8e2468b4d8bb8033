// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Things in a row. Those that come again and again in the same order are kept once with a count. */
final class Repetitions<T> {

    /** Things in a row that may be repeated: the events of one exchange of packets, with the rules that decide about them. */
    static final int LONGEST_PERIOD = 64;

    private final int fewest;
    private final BiPredicate<T, T> alike;
    private final List<Entry<T>> entries = new ArrayList<>();

    /**
     * Keeps nothing yet.
     *
     * @param fewest how often the same has to come before it is kept once
     * @param alike whether two things of the same hash are the same
     */
    Repetitions(int fewest, BiPredicate<T, T> alike) {
        this.fewest = fewest;
        this.alike = alike;
    }

    /**
     * A thing, or that the {@code period} things before it came so many times more.
     *
     * @param thing for a repetition, the last thing of it
     * @param hash null for a thing that is never repeated
     * @param period how many things before it are repeated; 0 for none
     * @param times how often they come again
     */
    record Entry<T>(T thing, @Nullable Integer hash, int period, long times) {

        boolean isRepetition() {
            return period > 0;
        }
    }

    /** Adds a thing that may come again. */
    void add(T thing, int hash) {
        entries.add(new Entry<>(thing, hash, 0, 0));
        fold();
    }

    /** Adds a thing that is never taken for a repetition. */
    void addAlone(T thing) {
        entries.add(new Entry<>(thing, null, 0, 0));
    }

    /** What is kept, oldest first. */
    List<Entry<T>> entries() {
        return entries;
    }

    /** Forgets the oldest. */
    void forget(int count) {
        entries.subList(0, count).clear();
    }

    /** What a repetition stands for, which is before it; what was forgotten is missing. */
    List<Entry<T>> repeatedBy(Entry<T> repetition) {
        int end = entries.indexOf(repetition);
        return entries.subList(Math.max(0, end - repetition.period()), end);
    }

    private void fold() {
        for (int period = 1; period <= LONGEST_PERIOD; period++) {
            if (extendsRepetition(period) || beginsRepetition(period)) {
                return;
            }
        }
    }

    /** The last things are once more what the repetition before them stands for. */
    private boolean extendsRepetition(int period) {
        int at = entries.size() - 1 - period;
        if (at < period || entries.get(at).period() != period || !isSame(at - period, at + 1, period)) {
            return false;
        }
        replace(at, period, entries.get(at).times() + 1);
        return true;
    }

    private boolean beginsRepetition(int period) {
        int first = entries.size() - fewest * period;
        if (first < 0 || !isSame(first, first + period, (fewest - 1) * period)) {
            return false;
        }
        replace(first + period, period, fewest - 1);
        return true;
    }

    /** The {@code count} entries from {@code left} on are like those from {@code right} on; the last are looked at first. */
    private boolean isSame(int left, int right, int count) {
        for (int i = count - 1; i >= 0; i--) {
            if (!isLike(entries.get(left + i), entries.get(right + i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isLike(Entry<T> one, Entry<T> other) {
        return one.hash != null
                && Objects.equals(one.hash, other.hash)
                && one.period == 0
                && other.period == 0
                && alike.test(one.thing, other.thing);
    }

    private void replace(int from, int period, long times) {
        T last = entries.get(entries.size() - 1).thing();
        entries.subList(from, entries.size()).clear();
        entries.add(new Entry<>(last, null, period, times));
    }
}
