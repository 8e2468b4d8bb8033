// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoicePoint;
import java.util.Map;
import java.util.TreeMap;

/** Counts what happened, since the steps of a program, and other events, have the same key. */
final class OccurrenceCounts {

    private static final String PIECE = " shows piece ";

    private final Map<String, Integer> happened = new TreeMap<>();
    private final Map<String, Long> firstPieces = new TreeMap<>();
    private final int[] asked = new int[ChoicePoint.values().length];

    /** The event with that key that is possible now. */
    String name(String key) {
        String stable = stable(key);
        return happened.getOrDefault(stable, 0) + " " + stable;
    }

    void happened(String key) {
        happened.merge(stable(key), 1, Integer::sum);
    }

    /** Pieces that are placed are numbered from the first piece of their packet, however many there were before. */
    private String stable(String key) {
        int begin = key.indexOf(PIECE);
        int end = key.indexOf(' ', begin + PIECE.length());
        if (begin < 0 || end < 0) {
            return key;
        }
        long number = Long.parseLong(key.substring(begin + PIECE.length(), end));
        String packet = key.substring(0, begin) + key.substring(end);
        long first = firstPieces.computeIfAbsent(packet, unused -> number);
        return key.substring(0, begin) + PIECE + (number - first) + key.substring(end);
    }

    /** Whether an event of that name has happened. */
    boolean hasHappened(String name) {
        int end = name.indexOf(' ');
        return happened.getOrDefault(name.substring(end + 1), 0) > Integer.parseInt(name.substring(0, end));
    }

    /** How often the point was asked before. */
    int asked(ChoicePoint point) {
        return asked[point.ordinal()]++;
    }
}
