// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** The events of which one is next, in canonical order: the first is the default. */
public interface Candidates {

    /** How many there are; at least 1. */
    int count();

    /** The choice point that lets the event with this index wait. */
    ChoicePoint point(int index);

    /** Identifies the event with this index among those that are possible now. */
    String key(int index);

    /** Describes it in the words of traces. */
    String text(int index);
}
