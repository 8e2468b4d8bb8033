// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices.Candidates;

/** Whose the events of a simulation are, by their keys. */
final class EventSources {

    private static final String PACKET = " packet ";
    private static final String PROGRAM = "program";

    private EventSources() {}

    /**
     * What events belong to that come one after another: a program, a requester, a responder, the packets to a queue pair over one link,
     * its completions. Parts of bytes come in any order, so each is by itself.
     */
    static String streamOf(Candidates events, int index) {
        String key = events.key(index);
        return switch (events.point(index)) {
            case ARRIVAL, COMPLETION, ASYNC_EVENT -> key.substring(0, key.lastIndexOf(' '));
            default -> key;
        };
    }

    /** The queue pair, as {@code left/17}, or the packets to it over one link; empty for programs and what concerns no queue pair. */
    static String queuePairOf(Candidates events, int index) {
        if (events.point(index) == ChoicePoint.PROGRAM_STEP) {
            return "";
        }
        String key = events.key(index);
        int packet = key.indexOf(PACKET);
        if (packet >= 0) {
            return key.substring(0, packet);
        }
        int device = key.indexOf('/');
        int end = key.indexOf(' ', device + 1);
        return device < 0 || end < 0 ? "" : key.substring(0, end);
    }

    /** The name of the device that acts, or that a packet arrives at; empty for programs. */
    static String deviceOf(Candidates events, int index) {
        if (events.point(index) == ChoicePoint.PROGRAM_STEP) {
            return "";
        }
        if (events.point(index) == ChoicePoint.ARRIVAL) {
            String text = events.text(index);
            int name = text.indexOf(" to ");
            int end = text.lastIndexOf(' ');
            return name < 0 || end < name + " to ".length() ? "" : text.substring(name + " to ".length(), end);
        }
        String key = events.key(index);
        int end = key.indexOf('/');
        return end < 0 ? "" : key.substring(0, end);
    }

    /** The program whose step it is; empty for anything else. */
    static String programOf(Candidates events, int index) {
        return events.point(index) == ChoicePoint.PROGRAM_STEP
                        && events.key(index).startsWith(PROGRAM)
                ? events.key(index)
                : "";
    }
}
