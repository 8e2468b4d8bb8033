// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.conformance.narration.Happening.Kind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Draws what two devices did between two lines, the left device's things at the left line, the right one's at the right,
 * packets as arrows from line to line, time downwards. As wide as {@value #WIDTH_CHARS} characters.
 */
public final class Diagram {

    /** Width of a drawing. */
    public static final int WIDTH_CHARS = 100;

    /** Name of the device at the left. */
    public static final String LEFT = "left";

    /** Name of the device at the right. */
    public static final String RIGHT = "right";

    private static final String MARGIN = "    ";
    private static final int INNER_CHARS = WIDTH_CHARS - 2 * MARGIN.length() - 2;
    private static final int NAMES_CHARS = INNER_CHARS + 2 * MARGIN.length() - 2;
    private static final int RIGHT_COLUMN = 38;
    private static final int VERB_CHARS = 11;
    private static final int SHAFT_CHARS = 3;

    private static final Set<Kind> BEHIND_THE_SCENES = EnumSet.of(Kind.KEY, Kind.DECIDED);

    private final PrintWriter out;
    private final boolean coloured;
    private final boolean bothSides;
    private final String left;
    private final String right;

    /**
     * Draws on {@code out}.
     *
     * @param coloured whether {@code out} shows colours
     * @param bothSides whether what both devices did is drawn; a packet is then drawn once, when it is sent
     */
    public Diagram(PrintWriter out, boolean coloured, boolean bothSides) {
        this(out, coloured, bothSides, LEFT, RIGHT);
    }

    /** The same for devices of other names. */
    public Diagram(PrintWriter out, boolean coloured, boolean bothSides, String left, String right) {
        this.out = out;
        this.coloured = coloured;
        this.bothSides = bothSides;
        this.left = left;
        this.right = right;
    }

    /** Draws these things, under the names of the lines. */
    public void draw(List<Happening> happenings) {
        String names = left + " ".repeat(Math.max(1, NAMES_CHARS - left.length() - right.length())) + right;
        out.println("  " + paint(Paint.FAINT, names));
        String said = "";
        for (Happening happening : happenings) {
            if (isShown(happening)) {
                draw(happening, said);
                said = Objects.requireNonNullElse(happening.explanation(), said);
            }
        }
    }

    /** A headline. */
    public String title(String text) {
        return paint(Paint.TITLE, text);
    }

    /** A sentence on how something ended, marked if it should have ended otherwise. */
    public String verdict(String sentence, boolean asExpected) {
        return asExpected ? paint(Paint.GOOD, sentence) : paint(Paint.BAD, "NOT AS EXPECTED: " + sentence);
    }

    private boolean isShown(Happening happening) {
        boolean twice = bothSides && happening.kind() == Kind.RECEIVED;
        return !twice && !BEHIND_THE_SCENES.contains(happening.kind());
    }

    /** @param said the explanation given last, which need not be given again */
    private void draw(Happening happening, String said) {
        boolean fromLeft = happening.side().equals(left);
        if (happening.kind() == Kind.SENT) {
            arrow(happening.text(), fromLeft);
        } else if (happening.kind() == Kind.RECEIVED) {
            arrow(happening.text(), !fromLeft);
        } else {
            note(happening, fromLeft, said);
        }
    }

    private void arrow(String label, boolean rightwards) {
        int shaft = Math.max(0, INNER_CHARS - SHAFT_CHARS - label.length() - 2 - 1);
        String line = rightwards
                ? "-".repeat(SHAFT_CHARS) + " " + label + " " + "-".repeat(shaft) + ">"
                : "<" + "-".repeat(shaft) + " " + label + " " + "-".repeat(SHAFT_CHARS);
        between(line, rightwards ? Paint.LEFT : Paint.RIGHT);
    }

    private void note(Happening happening, boolean atLeft, String said) {
        int column = atLeft ? 2 : RIGHT_COLUMN;
        String explanation = happening.explanation();
        boolean bad = explanation != null || happening.kind() == Kind.DROPPED;
        Paint paint = bad ? Paint.BAD : atLeft ? Paint.LEFT : Paint.RIGHT;
        String verb = happening.kind().verb();
        String first = verb + " ".repeat(VERB_CHARS - verb.length());
        String further = " ".repeat(VERB_CHARS);
        int room = INNER_CHARS - column - VERB_CHARS - 1;
        List<String> lines = wrap(happening.text(), room);
        if (explanation != null && !explanation.equals(said)) {
            lines.addAll(wrap(explanation + " [" + happening.rule() + "]", room));
        }
        for (String line : lines) {
            between(" ".repeat(column) + first + line, paint);
            first = further;
        }
    }

    private void between(String text, Paint paint) {
        String rest = " ".repeat(Math.max(0, INNER_CHARS - text.length()));
        out.println(MARGIN + paint(Paint.FAINT, "|") + paint(paint, text) + rest + paint(Paint.FAINT, "|"));
    }

    private String paint(Paint paint, String text) {
        return coloured ? paint.on(text) : text;
    }

    private static List<String> wrap(String text, int mostChars) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > mostChars) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
