// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of a trace as JSON. Lines that are repeated in the same order are kept once, with a line that says how often;
 * times do not matter. Lines of events that change a state or a count stand each.
 */
public final class FoldedLines {

    /** So often the same has to come: a packet with its usual seven repetitions is folded, and fewer are each drawn. */
    private static final int FEWEST = 8;

    private static final Pattern TIME = Pattern.compile("\"timeNanos\":(-?\\d{1,18})\\b");
    private static final Pattern OPCODE = Pattern.compile("\"opcode\":\"([A-Z_0-9]+)\"");
    private static final Set<String> ACKNOWLEDGEMENTS = Set.of("ACKNOWLEDGE", "XRC_ACKNOWLEDGE");
    private static final Pattern MEANING = Pattern.compile("\"meaning\":\"(RNR NAK|[^\"]*)");
    private static final String SENT = "\"kind\":\"sent\"";

    private FoldedLines() {}

    /** A line, and what it says apart from its time. */
    private record Line(String text, long nanos, String shape) {

        static Line of(String text) {
            Matcher time = TIME.matcher(text);
            return time.find()
                    ? new Line(text, Long.parseLong(time.group(1)), time.replaceFirst(""))
                    : new Line(text, 0, text);
        }

        boolean isLike(Line other) {
            return shape.equals(other.shape);
        }

        boolean isSent() {
            return text.contains(SENT);
        }

        /** What the packet is in one or two words, as {@link dev.verbatim.wire.PacketRecord#name} says it. */
        String packetName() {
            Matcher opcode = OPCODE.matcher(text);
            String name = opcode.find() ? opcode.group(1) : "packet";
            Matcher meaning = MEANING.matcher(text);
            return ACKNOWLEDGEMENTS.contains(name) && meaning.find() ? meaning.group(1) : name;
        }
    }

    /**
     * The lines, folded.
     *
     * @param again makes a line that says how often the lines before it came again
     */
    public static List<String> of(List<String> lines, Function<Repeated, String> again) {
        Repetitions<Line> kept = new Repetitions<>(FEWEST, Line::isLike);
        for (String text : lines) {
            Line line = Line.of(text);
            if (Foldable.is(text)) {
                kept.add(line, line.shape().hashCode());
            } else {
                kept.addAlone(line);
            }
        }
        List<String> folded = new ArrayList<>();
        for (Repetitions.Entry<Line> entry : kept.entries()) {
            Line line = entry.thing();
            folded.add(entry.isRepetition() ? again.apply(describe(kept, entry)) : line.text());
        }
        return folded;
    }

    private static Repeated describe(Repetitions<Line> kept, Repetitions.Entry<Line> repetition) {
        return Repeated.of(
                repetition,
                kept.repeatedBy(repetition).stream()
                        .map(Repetitions.Entry::thing)
                        .filter(Line::isSent)
                        .map(Line::packetName),
                repetition.thing().nanos());
    }
}
