// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DeferredEffect;
import dev.verbatim.verbs.Refusal;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A completion that its queue does not show yet (N4); those of one work queue are shown in their order (ORD-10, ORD-30). */
final class HeldCompletion extends DeferredEffect {

    private final CompletionOutput output;
    private final @Nullable Consumer<Refusal> flush;
    private final long number;
    private @Nullable Runnable completion;

    /**
     * Shown by {@code completion}.
     *
     * @param completion shows it; null if it is of an unsignaled request
     * @param flush shows it as flushed for a reason; null if it did not succeed
     */
    HeldCompletion(
            CompletionOutput output, @Nullable Runnable completion, @Nullable Consumer<Refusal> flush, long number) {
        super(ChoicePoint.COMPLETION);
        this.output = output;
        this.completion = completion;
        this.flush = flush;
        this.number = number;
    }

    boolean isToBeShown() {
        return completion != null;
    }

    boolean hasSucceeded() {
        return flush != null;
    }

    /** Although it succeeded, it will be shown as flushed. */
    void flush(Refusal reason) {
        Consumer<Refusal> shown = flush;
        if (shown != null) {
            completion = () -> shown.accept(reason);
        }
    }

    @Override
    public boolean isNext() {
        return output.isOldest(this);
    }

    @Override
    public String order() {
        return output + " completions";
    }

    @Override
    public void happen() {
        output.shown(this);
        try {
            Objects.requireNonNull(completion).run();
        } catch (RuntimeException | Error e) {
            output.failed(e);
        }
    }

    @Override
    public String toString() {
        return output + " completion " + number;
    }
}
