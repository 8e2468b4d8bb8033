// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.conformance.narration.Happening;
import java.util.List;

/** Completes what this process saw of a step by what others saw of it. */
@FunctionalInterface
public interface Chronicle {

    /** Everything of the step that is known; {@code own} is what this process saw, in order. */
    List<Happening> complete(int step, List<Happening> own);

    /** Nothing but what this process saw. */
    static Chronicle ofOneProcess() {
        return (step, own) -> own;
    }
}
