// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.form.NearestWord;
import java.util.Arrays;
import java.util.List;

/**
 * How two accesses that follow each other in a {@link Cycle} are related, by the names that herd's diy uses. A communication is between
 * accesses of one location: a read reads from a write (Rf), a read reads what was there before a write (Fr), or a write is overwritten by
 * another (Co); between two programs (e, external) or in one (i, internal). The others are the order of a program: to a different location
 * (Pod) or to the same (Pos), with what the two accesses do.
 */
public enum Edge {
    RFE("Rfe", true, true, true, true, false),
    RFI("Rfi", true, false, true, true, false),
    FRE("Fre", true, true, true, false, true),
    FRI("Fri", true, false, true, false, true),
    COE("Coe", true, true, true, true, true),
    COI("Coi", true, false, true, true, true),
    PODWW("PodWW", false, false, false, true, true),
    PODWR("PodWR", false, false, false, true, false),
    PODRW("PodRW", false, false, false, false, true),
    PODRR("PodRR", false, false, false, false, false),
    POSWW("PosWW", false, false, true, true, true),
    POSWR("PosWR", false, false, true, true, false),
    POSRW("PosRW", false, false, true, false, true),
    POSRR("PosRR", false, false, true, false, false);

    private final String label;
    private final boolean communicates;
    private final boolean external;
    private final boolean sameLocation;
    private final boolean firstWrites;
    private final boolean secondWrites;

    Edge(
            String label,
            boolean communicates,
            boolean external,
            boolean sameLocation,
            boolean firstWrites,
            boolean secondWrites) {
        this.label = label;
        this.communicates = communicates;
        this.external = external;
        this.sameLocation = sameLocation;
        this.firstWrites = firstWrites;
        this.secondWrites = secondWrites;
    }

    /**
     * The edge of that name.
     *
     * @throws IllegalArgumentException if there is none, with the nearest
     */
    public static Edge parse(String word) {
        for (Edge edge : values()) {
            if (edge.label.equals(word)) {
                return edge;
            }
        }
        throw new IllegalArgumentException(
                "edge \"" + word + "\" is unknown; " + NearestWord.advice(word, labels(), "see docs/litmus.md"));
    }

    private static List<String> labels() {
        return Arrays.stream(values()).map(Edge::toString).toList();
    }

    /** Whether it is no order of a program. */
    boolean communicates() {
        return communicates;
    }

    /** Whether it is between two programs. */
    boolean isExternal() {
        return external;
    }

    /** Whether both accesses are of one location. */
    boolean staysAtLocation() {
        return sameLocation;
    }

    /** Whether the first access writes; otherwise it reads. */
    boolean firstWrites() {
        return firstWrites;
    }

    /** Whether the second access writes; otherwise it reads. */
    boolean secondWrites() {
        return secondWrites;
    }

    /** Its name. */
    @Override
    public String toString() {
        return label;
    }
}
