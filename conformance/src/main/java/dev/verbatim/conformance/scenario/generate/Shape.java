// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.form.NearestWord;
import java.util.Arrays;
import java.util.List;

/** The published shapes, by their names in the literature, each with its cycle. */
public enum Shape {
    MP("MP", "PodWW Rfe PodRR Fre", "message passing"),
    SB("SB", "PodWR Fre PodWR Fre", "store buffering"),
    LB("LB", "PodRW Rfe PodRW Rfe", "load buffering"),
    S("S", "PodWW Rfe PodRW Coe", "message passing to a writer"),
    R("R", "PodWW Coe PodWR Fre", "two writers, of which one reads"),
    TWO_PLUS_TWO_W("2+2W", "PodWW Coe PodWW Coe", "two writers of two locations"),
    WRC("WRC", "Rfe PodRW Rfe PodRR Fre", "write to read causality"),
    ISA2("ISA2", "PodWW Rfe PodRW Rfe PodRR Fre", "message passing over a third program"),
    IRIW("IRIW", "Rfe PodRR Fre Rfe PodRR Fre", "independent reads of independent writes"),
    CO_RR("CoRR", "Rfe PosRR Fre", "coherence of two reads"),
    CO_WW("CoWW", "PosWW Coi", "coherence of two writes"),
    CO_RW1("CoRW1", "PosRW Rfi", "coherence of a read and a later write of its program"),
    CO_RW2("CoRW2", "Rfe PosRW Coe", "coherence of a read and a later write, with another writer"),
    CO_WR("CoWR", "PosWR Fri", "coherence of a write and a later read");

    private final String label;
    private final String edges;
    private final String meaning;

    Shape(String label, String edges, String meaning) {
        this.label = label;
        this.edges = edges;
        this.meaning = meaning;
    }

    /**
     * The shape of that name.
     *
     * @throws IllegalArgumentException if there is none, with the nearest
     */
    public static Shape parse(String word) {
        for (Shape shape : values()) {
            if (shape.label.equals(word)) {
                return shape;
            }
        }
        throw new IllegalArgumentException("shape \"" + word + "\" is unknown; "
                + NearestWord.advice(word, labels(), "known: " + String.join(", ", labels()))
                + " A cycle is written as edges with spaces between: \"PodWW Rfe PodRR Fre\"");
    }

    /** The names of all. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Shape::toString).toList();
    }

    /** Its cycle. */
    public Cycle cycle() {
        return Cycle.parse(edges);
    }

    /** What it is, in a few words. */
    public String meaning() {
        return meaning;
    }

    /** Its name. */
    @Override
    public String toString() {
        return label;
    }
}
