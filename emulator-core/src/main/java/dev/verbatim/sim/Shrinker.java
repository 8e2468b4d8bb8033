// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Minimizes a failure: removes steps of the program, and replaces choices by the first alternative, as long as the program still
 * fails. The result is the same each time.
 *
 * <p>A trial runs the program with the given choices and returns whether it still fails <em>in the same way</em>. It must not throw,
 * and must do the same whenever it is given the same.
 */
public final class Shrinker {

    private final int mostTries;
    private final Consumer<Shrunk<?>> observer;

    /** A shrinker that makes at most so many runs. */
    public Shrinker(int mostTries) {
        this(mostTries, shrunk -> {});
    }

    /** The same, which shows each smaller failure to {@code observer}. */
    public Shrinker(int mostTries, Consumer<Shrunk<?>> observer) {
        if (mostTries < 0) {
            throw new IllegalArgumentException("mostTries=" + mostTries + " < 0; each try is a run");
        }
        this.mostTries = mostTries;
        this.observer = observer;
    }

    /** Shrinks the choices with which a program fails that stays as it is. */
    public ChoiceList shrink(ChoiceList choices, Predicate<Choices> stillFails) {
        return shrink(List.of(), choices, (program, tried) -> stillFails.test(tried))
                .choices();
    }

    /** Shrinks program and choices in turn, until neither gets any smaller. */
    public <T> Shrunk<T> shrink(List<T> program, ChoiceList choices, BiPredicate<List<T>, Choices> stillFails) {
        return new Shrinking<>(program, choices.trimmed(), stillFails, mostTries, observer).run();
    }
}
