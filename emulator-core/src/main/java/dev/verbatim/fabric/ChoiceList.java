// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choices of a run, in the order in which they were made. Only those between more than one alternative count, and only
 * those that were not taken at the first are written out; behind its end a list goes on with first alternatives for good.
 *
 * <p>As text it is one line, such as {@code 3:read-fetch=1/2,17:placement=2/5}: the choice at position 3 (the fourth) was
 * between 2 alternatives at point READ_FETCH, and alternative 1 (the second) was taken. A bare number behind them is the
 * length, where more first alternatives follow. The list without any choice is {@code canonical}.
 *
 * @param length how many choices it holds
 * @param deviations those not taken at the first alternative, by position
 */
public record ChoiceList(int length, List<Deviation> deviations) {

    /** The list that leaves everything to first alternatives. */
    public static final ChoiceList CANONICAL = new ChoiceList(0, List.of());

    private static final String CANONICAL_TEXT = "canonical";

    /**
     * A choice that was not taken at its first alternative.
     *
     * @param position where in the list, from 0
     * @param alternatives how many there were
     * @param taken which, from 1
     */
    public record Deviation(int position, ChoicePoint point, int alternatives, int taken) {

        /** Refuses numbers out of their ranges. */
        public Deviation {
            if (position < 0 || taken < 1 || taken >= alternatives) {
                throw new IllegalArgumentException("position=" + position + " is below 0, or taken=" + taken
                        + " is not in 1.." + (alternatives - 1) + ", at " + point.label());
            }
        }

        @Override
        public String toString() {
            return position + ":" + point.label() + "=" + taken + "/" + alternatives;
        }
    }

    /** Refuses deviations out of order, or behind the end. */
    public ChoiceList {
        deviations = List.copyOf(deviations);
        int next = 0;
        for (Deviation deviation : deviations) {
            if (deviation.position < next) {
                throw new IllegalArgumentException(
                        "choice " + deviation + " is not behind the one before it; positions must rise");
            }
            next = deviation.position + 1;
        }
        if (length < next) {
            throw new IllegalArgumentException(
                    "length=" + length + " < " + next + ", which the last deviation needs; it ends too early");
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException naming the part that is no choice
     */
    public static ChoiceList parse(String text) {
        String line = text.strip();
        if (line.equals(CANONICAL_TEXT)) {
            return CANONICAL;
        }
        List<Deviation> deviations = new ArrayList<>();
        String[] parts = line.split(",", -1);
        int length = 0;
        for (int i = 0; i < parts.length; i++) {
            if (i == parts.length - 1 && parts[i].indexOf(':') < 0) {
                length = number(parts[i], parts[i]);
            } else {
                Deviation deviation = parseDeviation(parts[i]);
                deviations.add(deviation);
                length = deviation.position + 1;
            }
        }
        return new ChoiceList(length, deviations);
    }

    private static Deviation parseDeviation(String part) {
        int colon = part.indexOf(':');
        int equals = part.indexOf('=', colon + 1);
        int slash = part.indexOf('/', equals + 1);
        if (colon < 0 || equals < 0 || slash < 0) {
            throw noChoice(part);
        }
        return new Deviation(
                number(part.substring(0, colon), part),
                ChoicePoint.labelled(part.substring(colon + 1, equals)),
                number(part.substring(slash + 1), part),
                number(part.substring(equals + 1, slash), part));
    }

    private static int number(String digits, String part) {
        try {
            int number = Integer.parseInt(digits);
            if (number >= 0 && number < Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, with the part that it is in.
        }
        throw noChoice(part);
    }

    private static IllegalArgumentException noChoice(String part) {
        return new IllegalArgumentException("\"" + part + "\" is no choice; a list is \"" + CANONICAL_TEXT
                + "\", or choices such as 3:read-fetch=1/2 with commas between them, without spaces");
    }

    /** The same choices in the shortest list: without first alternatives at its end. */
    public ChoiceList trimmed() {
        int needed = deviations.isEmpty() ? 0 : deviations.get(deviations.size() - 1).position + 1;
        return needed == length ? this : new ChoiceList(needed, deviations);
    }

    /** The first {@code newLength} choices; behind them, first alternatives. */
    public ChoiceList prefix(int newLength) {
        int kept = 0;
        while (kept < deviations.size() && deviations.get(kept).position < newLength) {
            kept++;
        }
        return new ChoiceList(newLength, deviations.subList(0, kept));
    }

    /** The first choice of this list that a run whose choices were {@code made} did not come to; null if it made all. */
    public @Nullable Deviation firstMissingIn(ChoiceList made) {
        int same = 0;
        while (same < deviations.size()
                && same < made.deviations.size()
                && deviations.get(same).equals(made.deviations.get(same))) {
            same++;
        }
        return same == deviations.size() ? null : deviations.get(same);
    }

    /** This list and one more choice. */
    public ChoiceList then(ChoicePoint point, int alternatives, int taken) {
        List<Deviation> longer = new ArrayList<>(deviations);
        if (taken != 0) {
            longer.add(new Deviation(length, point, alternatives, taken));
        }
        return new ChoiceList(length + 1, longer);
    }

    /** One line that {@link #parse} reads. */
    @Override
    public String toString() {
        if (length == 0) {
            return CANONICAL_TEXT;
        }
        StringBuilder text = new StringBuilder();
        for (Deviation deviation : deviations) {
            text.append(text.length() == 0 ? "" : ",").append(deviation);
        }
        if (trimmed().length < length) {
            text.append(text.length() == 0 ? "" : ",").append(length);
        }
        return text.toString();
    }
}
