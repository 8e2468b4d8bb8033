// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Postponed;

/** A completion that its queue does not show yet (N4); those of one work queue are shown in their order (ORD-10, ORD-30). */
final class HeldCompletion extends Postponed {

    private final CompletionOutput output;
    private final Runnable completion;
    private final long number;

    HeldCompletion(CompletionOutput output, Runnable completion, long number) {
        super(ChoicePoint.COMPLETION);
        this.output = output;
        this.completion = completion;
        this.number = number;
    }

    @Override
    public boolean isNext() {
        return output.isOldest(this);
    }

    @Override
    public void happen() {
        output.shown(this);
        completion.run();
    }

    @Override
    public String toString() {
        return output + " completion " + number;
    }
}
