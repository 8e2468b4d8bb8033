// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import java.util.List;

/** Completes what this process saw of a step by what others saw of it. */
@FunctionalInterface
public interface EventSource {

    /** Everything of the step that is known; {@code own} is what this process saw, in order. */
    List<NarratedEvent> complete(int step, List<NarratedEvent> own);

    /** Nothing but what this process saw. */
    static EventSource ofOneProcess() {
        return (step, own) -> own;
    }
}
