// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Events of a run, with its choices between them. Events that come again and again in the same order, such as those of a receiver
 * without a receive, are kept once with a count; times do not matter. Nothing is rendered, and the last {@code most} entries are
 * kept.
 */
public final class FoldedEvents {

    /** Events in a row that may be repeated: those of one exchange of packets, with the rules that decide about them. */
    private static final int LONGEST_PERIOD = 64;

    /** So often the same has to come before it is kept once. */
    private static final int FEWEST = 3;

    private final int most;
    private final List<Entry> entries = new ArrayList<>();
    private long forgotten;

    /** Keeps so many entries. */
    public FoldedEvents(int most) {
        this.most = most;
    }

    /**
     * One thing that is kept: an event, a choice, or that the {@code period} events before it came so many times more.
     *
     * @param event null for a choice; for a repetition the last event of it
     * @param point null for an event
     * @param choice the text of a choice, and what it was about
     * @param hash of the event without its time
     * @param period how many events before it are repeated; 0 for none
     * @param times how often they come again
     */
    private record Entry(
            @Nullable TraceEvent event,
            @Nullable ChoicePoint point,
            List<String> choice,
            int hash,
            int period,
            long times) {

        boolean isRepetition() {
            return period > 0;
        }

        private boolean isLike(Entry other) {
            TraceEvent own = event;
            TraceEvent its = other.event;
            return own != null
                    && its != null
                    && hash == other.hash
                    && period == 0
                    && other.period == 0
                    && EventShape.areAlike(own, its);
        }
    }

    /** An event. */
    public void add(TraceEvent event) {
        entries.add(new Entry(event, null, List.of(), EventShape.hash(event), 0, 0));
        fold();
        forgetOld();
    }

    /** A choice: as a line of text, and what it was about. */
    public void add(ChoicePoint point, String line, String what) {
        entries.add(new Entry(null, point, List.of(line, what), 0, 0, 0));
        forgetOld();
    }

    /** The entries, oldest first. */
    private List<Entry> entries() {
        return entries.subList(Math.max(0, entries.size() - most), entries.size());
    }

    /** The entries that a repetition stands for, which are before it; those that were forgotten are missing. */
    private List<Entry> repeatedBy(Entry repetition) {
        int end = entries.indexOf(repetition);
        return entries.subList(Math.max(0, end - repetition.period()), end);
    }

    /** How often the events before a repetition came again, of which packets they are, and until when. */
    private String describe(Entry repetition, long beginNanos) {
        Map<String, Long> packets = new LinkedHashMap<>();
        for (Entry each : repeatedBy(repetition)) {
            if (each.event() instanceof TraceEvent.PacketSent sent) {
                packets.merge(sent.packetName(), repetition.times() + 1, Long::sum);
            }
        }
        StringJoiner counted = new StringJoiner(", ", ": ", "").setEmptyValue("");
        packets.forEach((name, count) -> counted.add(String.format(Locale.ROOT, "%,d x %s", count, name)));
        TraceEvent last = Objects.requireNonNull(repetition.event());
        return String.format(
                Locale.ROOT,
                "the %d events before this line, %,d times more until %.3f us%s",
                repetition.period(),
                repetition.times(),
                (last.timeNanos() - beginNanos) / 1e3,
                counted);
    }

    /** Reads what is kept, in order. */
    public interface Reader {

        /** Something that happened. */
        void event(TraceEvent event);

        /** A choice, as it was added. */
        void choice(ChoicePoint point, String line, String what);

        /** The events before came again; {@code words} say how often, and of which packets they are. */
        void again(String words);
    }

    /**
     * Gives the reader what is kept, oldest first.
     *
     * @param beginNanos the time that counts as 0 in the words about repetitions
     */
    public void read(long beginNanos, Reader reader) {
        for (Entry entry : entries()) {
            TraceEvent event = entry.event();
            if (entry.isRepetition()) {
                reader.again(describe(entry, beginNanos));
            } else if (event != null) {
                reader.event(event);
            } else if (entry.point() != null) {
                reader.choice(
                        entry.point(), entry.choice().get(0), entry.choice().get(1));
            }
        }
    }

    /** How many entries were before those. */
    public long forgotten() {
        return forgotten + Math.max(0, entries.size() - most);
    }

    private void forgetOld() {
        int kept = most + LONGEST_PERIOD * FEWEST;
        if (entries.size() >= 2 * kept) {
            int old = entries.size() - kept;
            forgotten += old;
            entries.subList(0, old).clear();
        }
    }

    private void fold() {
        for (int period = 1; period <= LONGEST_PERIOD; period++) {
            if (extendsRepetition(period) || beginsRepetition(period)) {
                return;
            }
        }
    }

    /** The last events are once more what the repetition before them stands for. */
    private boolean extendsRepetition(int period) {
        int at = entries.size() - 1 - period;
        if (at < period || entries.get(at).period() != period || !isSame(at - period, at + 1, period)) {
            return false;
        }
        replace(at, period, entries.get(at).times() + 1);
        return true;
    }

    private boolean beginsRepetition(int period) {
        int first = entries.size() - FEWEST * period;
        if (first < 0 || !isSame(first, first + period, (FEWEST - 1) * period)) {
            return false;
        }
        replace(first + period, period, FEWEST - 1);
        return true;
    }

    /** The {@code count} entries from {@code left} on are like those from {@code right} on; the last are looked at first. */
    private boolean isSame(int left, int right, int count) {
        for (int i = count - 1; i >= 0; i--) {
            if (!entries.get(left + i).isLike(entries.get(right + i))) {
                return false;
            }
        }
        return true;
    }

    private void replace(int from, int period, long times) {
        TraceEvent last = entries.get(entries.size() - 1).event();
        entries.subList(from, entries.size()).clear();
        entries.add(new Entry(last, null, List.of(), 0, period, times));
    }
}
