// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.page.fold.FoldedEvents;
import dev.verbatim.page.fold.FoldedLines;
import dev.verbatim.page.fold.Repeated;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects one run for a {@link TracePage}: the events of its devices, and between them captions and choices. Any thread.
 */
public final class RunRecorder implements Tap {

    private final Lines lines = new Lines();
    private final JsonLinesTap events = new JsonLinesTap(lines);
    private final Map<String, String> names = new LinkedHashMap<>();
    private String title = "";
    private long lastNanos;
    private boolean timed;

    /** Creates a recorder without events. */
    public RunRecorder() {}

    @Override
    public synchronized void on(TraceEvent event) {
        lastNanos = event.timeNanos();
        timed = true;
        events.on(event);
    }

    /**
     * Adds an event as a line of a trace, as {@link JsonLinesTap} writes it: a JSON object. It is not checked; what is not
     * JSON makes the page say so instead of drawing.
     */
    public synchronized void line(String json) {
        lines.add(json.strip());
    }

    /** Adds a caption: a title, and a text of any length, which may be empty. */
    public synchronized void caption(String heading, String text) {
        lines.add(PageJson.of(captionOf(heading, text)));
    }

    /** Adds a caption at which the page opens; what stands before it is reached by scrolling back. */
    public synchronized void opening(String heading, String text) {
        Map<String, Object> caption = captionOf(heading, text);
        caption.put("opens", true);
        lines.add(PageJson.of(caption));
    }

    private Map<String, Object> captionOf(String heading, String text) {
        Map<String, Object> caption = entry("caption");
        caption.put("title", heading);
        caption.put("text", text);
        return caption;
    }

    /**
     * Adds a choice that is not the default, which is the first alternative of its choice point.
     *
     * @param what which event was chosen before which; empty if the choice point does not choose an order of events
     */
    public synchronized void choice(ChoicePoint point, String what) {
        Map<String, Object> choice = entry("choice");
        choice.put("point", point.label());
        choice.put("text", what);
        choice.put("rules", List.copyOf(point.rules()));
        lines.add(PageJson.of(choice));
    }

    private Map<String, Object> entry(String kind) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("kind", kind);
        if (timed) {
            entry.put("timeNanos", lastNanos);
        }
        return entry;
    }

    /** Internal: adds events that were kept folded; repetitions are captions. */
    public synchronized void addAll(FoldedEvents events) {
        events.read(new FoldedEvents.Reader() {
            @Override
            public void event(TraceEvent event) {
                on(event);
            }

            @Override
            public void choice(ChoicePoint point, String line, String what) {
                RunRecorder.this.choice(point, what);
            }

            @Override
            public void again(Repeated repeated) {
                lastNanos = repeated.untilNanos();
                lines.add(captionOf(repeated));
            }
        });
    }

    /** Names addresses of memory; the page shows the names in their place. */
    public synchronized void names(Map<Long, String> byAddress) {
        byAddress.forEach((address, name) -> names.put("0x" + Long.toHexString(address), name));
    }

    /** Sets the title of the run. */
    public synchronized void title(String text) {
        title = text;
    }

    /** The number of events, captions and choices. */
    public synchronized int size() {
        return lines.complete.size();
    }

    /** Removes what was recorded so far. */
    public synchronized void clear() {
        lines.complete.clear();
    }

    /** The lines recorded so far, each a JSON object; {@code <} is escaped in them. */
    public synchronized List<String> lines() {
        return List.copyOf(lines.complete);
    }

    @Override
    public synchronized String toString() {
        return "run '" + title + "' of " + lines.complete.size() + " events, captions and choices";
    }

    /** The run as JSON that may stand in a script element. */
    synchronized String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>(); // the same run is the same text
        fields.put("title", title);
        fields.put("names", names);
        String head = PageJson.of(fields);
        return head.substring(0, head.length() - 1) + ",\"events\":[\n" + String.join(",\n", folded()) + "]}";
    }

    /** What changes no state and comes eight times or more is drawn once, with a caption that says how often. */
    private List<String> folded() {
        return FoldedLines.of(lines.complete, this::captionOf);
    }

    /** The time stands in fields of its own, since it does not count where two runs are compared. */
    private String captionOf(Repeated repeated) {
        Map<String, Object> caption = captionOf(repeated.words(), "");
        caption.put("timeNanos", repeated.untilNanos());
        caption.put("untilNanos", repeated.untilNanos());
        return PageJson.of(caption);
    }

    /** Complete lines, in order; {@code <} is escaped in each. */
    private static final class Lines extends OutputStream {

        private final List<String> complete = new ArrayList<>();

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("the tap writes whole lines");
        }

        @Override
        public void write(byte[] bytes) {
            add(new String(bytes, StandardCharsets.UTF_8).stripTrailing());
        }

        void add(String line) {
            complete.add(line.replace("<", PageJson.escaped('<')));
        }
    }
}
