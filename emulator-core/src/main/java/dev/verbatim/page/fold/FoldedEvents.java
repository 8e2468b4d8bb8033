// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.TraceEvent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Events of a run, with its choices between them. Events that come again and again in the same order, such as those of a receiver
 * without a receive, are kept once with a count; times do not matter. Events that change a state or a count, such as posts and
 * completions, are kept each. Nothing is rendered, and the last {@code most} entries are kept.
 */
public final class FoldedEvents {

    /** So often the same has to come before it is kept once. */
    private static final int FEWEST = 3;

    private final int most;
    private final Repetitions<Entry> entries = new Repetitions<>(FEWEST, Entry::isLike);
    private long forgotten;

    /** Keeps so many entries. */
    public FoldedEvents(int most) {
        this.most = most;
    }

    /**
     * One thing that is kept.
     *
     * @param event null for a choice
     * @param point null for an event
     * @param line the text of a choice
     * @param what what a choice was about
     */
    private record Entry(
            @Nullable TraceEvent event, @Nullable ChoicePoint point, String line, String what) {

        private boolean isLike(Entry other) {
            TraceEvent own = event;
            TraceEvent its = other.event;
            return own != null && its != null && EventShape.areAlike(own, its);
        }
    }

    /** An event. */
    public void add(TraceEvent event) {
        Entry entry = new Entry(event, null, "", "");
        if (Foldable.is(event)) {
            entries.add(entry, EventShape.hash(event));
        } else {
            entries.addAlone(entry);
        }
        forgetOld();
    }

    /** A choice: as a line of text, and what it was about. */
    public void add(ChoicePoint point, String line, String what) {
        entries.addAlone(new Entry(null, point, line, what));
        forgetOld();
    }

    private Repeated describe(Repetitions.Entry<Entry> repetition) {
        TraceEvent last = Objects.requireNonNull(repetition.thing().event());
        return Repeated.of(
                repetition,
                entries.repeatedBy(repetition).stream()
                        .map(each -> each.thing().event())
                        .filter(TraceEvent.PacketSent.class::isInstance)
                        .map(event -> ((TraceEvent.PacketSent) event).packetName()),
                last.timeNanos());
    }

    /** Reads what is kept, in order. */
    public interface Reader {

        /** Something that happened. */
        void event(TraceEvent event);

        /** A choice, as it was added. */
        void choice(ChoicePoint point, String line, String what);

        /** The events before came again. */
        void again(Repeated repeated);
    }

    /** Gives the reader what is kept, oldest first. */
    public void read(Reader reader) {
        List<Repetitions.Entry<Entry>> all = entries.entries();
        for (Repetitions.Entry<Entry> entry : all.subList(Math.max(0, all.size() - most), all.size())) {
            TraceEvent event = entry.thing().event();
            ChoicePoint point = entry.thing().point();
            if (entry.isRepetition()) {
                reader.again(describe(entry));
            } else if (event != null) {
                reader.event(event);
            } else if (point != null) {
                reader.choice(point, entry.thing().line(), entry.thing().what());
            }
        }
    }

    /** How many entries were before those. */
    public long forgotten() {
        return forgotten + Math.max(0, entries.entries().size() - most);
    }

    private void forgetOld() {
        int kept = most + Repetitions.LONGEST_PERIOD * FEWEST;
        int size = entries.entries().size();
        if (size >= 2 * kept) {
            forgotten += size - kept;
            entries.forget(size - kept);
        }
    }
}
