// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Draws what two devices did between two lines, the left device's things at the left line, the right one's at the right,
 * packets as arrows from line to line, time downwards.
 */
public final class Diagram {

    /** A drawing is at least so wide. */
    public static final int LEAST_WIDTH_CHARS = 60;

    /** A drawing is at most so wide. */
    public static final int MOST_WIDTH_CHARS = 100;

    /** Name of the device at the left. */
    public static final String LEFT = "left";

    /** Name of the device at the right. */
    public static final String RIGHT = "right";

    private static final String MARGIN = "    ";
    /** Of so many characters between the lines the first 38 are left of what the right device does. */
    private static final int WIDEST_INNER_CHARS = MOST_WIDTH_CHARS - 2 * MARGIN.length() - 2;

    private static final int RIGHT_COLUMN = 38;
    private static final int VERB_CHARS = 11;
    private static final int SHAFT_CHARS = 3;
    private static final int HEAD_CHARS = 1;

    private static final String WRONG = "NOT AS EXPECTED: ";

    private static final Set<Kind> BEHIND_THE_SCENES = EnumSet.of(Kind.KEY, Kind.POLLED, Kind.DECIDED);

    private final PrintWriter out;
    private final boolean coloured;
    private final int widthChars;
    private final int innerChars;
    private final boolean bothSides;
    private final String left;
    private final String right;

    /**
     * Draws on {@code out}.
     *
     * @param coloured whether {@code out} shows colours
     * @param widthChars how wide it is, {@value #LEAST_WIDTH_CHARS} to {@value #MOST_WIDTH_CHARS}
     * @param bothSides whether what both devices did is drawn; a packet is then drawn once, when it is sent
     */
    public Diagram(PrintWriter out, boolean coloured, int widthChars, boolean bothSides) {
        this(out, coloured, widthChars, bothSides, LEFT, RIGHT);
    }

    /** The same for devices of other names. */
    public Diagram(PrintWriter out, boolean coloured, int widthChars, boolean bothSides, String left, String right) {
        if (widthChars < LEAST_WIDTH_CHARS || widthChars > MOST_WIDTH_CHARS) {
            throw new IllegalArgumentException("widthChars=" + widthChars + " is not in " + LEAST_WIDTH_CHARS + ".."
                    + MOST_WIDTH_CHARS + "; choose the nearest");
        }
        this.widthChars = widthChars;
        this.innerChars = widthChars - 2 * MARGIN.length() - 2;
        this.out = out;
        this.coloured = coloured;
        this.bothSides = bothSides;
        this.left = left;
        this.right = right;
    }

    /** Draws these things, under the names of the lines. */
    public void draw(List<NarratedEvent> narratedEvents) {
        int namesChars = innerChars + 2 * MARGIN.length() - 2;
        String names = left + " ".repeat(Math.max(1, namesChars - left.length() - right.length())) + right;
        out.println("  " + paint(Colours.FAINT, names));
        String said = "";
        for (NarratedEvent narrated : narratedEvents) {
            if (isShown(narrated)) {
                draw(narrated, said);
                said = Objects.requireNonNullElse(narrated.explanation(), said);
            }
        }
    }

    /** A headline. */
    public void title(String text) {
        LineWrap.indented(text, widthChars).forEach(line -> out.println(paint(Colours.TITLE, line)));
    }

    /** Text as wide as a drawing, further lines indented by two more than the first. */
    public void prose(String text) {
        LineWrap.indented(text, widthChars).forEach(out::println);
    }

    /** How something ended, in text as wide as a drawing, marked if it should have ended otherwise. */
    public void ending(String indent, String sentence, boolean asExpected) {
        LineWrap.indented(indent + (asExpected ? "" : WRONG) + sentence, widthChars)
                .forEach(line -> out.println(paint(asExpected ? Colours.GOOD : Colours.BAD, line)));
    }

    /** A sentence on how something ended, marked if it should have ended otherwise. */
    public String verdict(String sentence, boolean asExpected) {
        return asExpected ? paint(Colours.GOOD, sentence) : paint(Colours.BAD, WRONG + sentence);
    }

    private boolean isShown(NarratedEvent narrated) {
        boolean twice = bothSides && narrated.kind() == Kind.RECEIVED;
        return !twice && !BEHIND_THE_SCENES.contains(narrated.kind());
    }

    /** @param said the explanation given last, which need not be given again */
    private void draw(NarratedEvent narrated, String said) {
        boolean fromLeft = narrated.side().equals(left);
        if (narrated.kind() == Kind.SENT) {
            arrow(narrated.text(), fromLeft);
        } else if (narrated.kind() == Kind.RECEIVED) {
            arrow(narrated.text(), !fromLeft);
        } else {
            note(narrated, fromLeft, said);
        }
    }

    private void arrow(String label, boolean rightwards) {
        Colours paint = rightwards ? Colours.LEFT : Colours.RIGHT;
        int tailChars = Math.max(1, Math.min(SHAFT_CHARS, innerChars - label.length() - 2 - HEAD_CHARS));
        int room = innerChars - tailChars - 2 - HEAD_CHARS;
        List<String> lines = LineWrap.of(label, room);
        String first = lines.get(0);
        String shaft = "-".repeat(room - first.length());
        String tail = "-".repeat(tailChars);
        between(rightwards ? tail + " " + first + " " + shaft + ">" : "<" + shaft + " " + first + " " + tail, paint);
        for (String further : lines.subList(1, lines.size())) {
            int indent = rightwards ? tailChars + 1 : HEAD_CHARS + 1 + room - further.length();
            between(" ".repeat(indent) + further, paint);
        }
    }

    private void note(NarratedEvent narrated, boolean atLeft, String said) {
        int column = atLeft ? 2 : innerChars * RIGHT_COLUMN / WIDEST_INNER_CHARS;
        String explanation = narrated.explanation();
        boolean bad = explanation != null || narrated.kind() == Kind.DROPPED;
        Colours paint = bad ? Colours.BAD : atLeft ? Colours.LEFT : Colours.RIGHT;
        String verb = narrated.kind().verb();
        String first = verb + " ".repeat(VERB_CHARS - verb.length());
        String further = " ".repeat(VERB_CHARS);
        int room = innerChars - column - VERB_CHARS - 1;
        List<String> lines = LineWrap.of(narrated.text(), room);
        if (explanation != null && !explanation.equals(said)) {
            lines.addAll(LineWrap.of(explanation + " [" + narrated.rule() + "]", room));
        }
        for (String line : lines) {
            between(" ".repeat(column) + first + line, paint);
            first = further;
        }
    }

    private void between(String text, Colours paint) {
        String rest = " ".repeat(Math.max(0, innerChars - text.length()));
        out.println(MARGIN + paint(Colours.FAINT, "|") + paint(paint, text) + rest + paint(Colours.FAINT, "|"));
    }

    private String paint(Colours paint, String text) {
        return coloured ? paint.on(text) : text;
    }
}
