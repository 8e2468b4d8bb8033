// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Shrinker;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs a program with seeds until it fails. */
record Hunt(Consumer<Simulation> program, LongFunction<Choices> schedules) {

    /** A failure that was found, with how many seeds, and the choices of the run. */
    record Found(long seeds, Throwable failure, ChoiceList choices) {}

    /** The first seed from {@code first} on with which it fails; null if it passes with all. */
    @Nullable
    Found find(long first, int seeds) {
        for (int i = 0; i < seeds; i++) {
            ChoiceRecord record = Choices.recorded(schedules.apply(first + i));
            Throwable failure = failure(record);
            if (failure != null) {
                return new Found(i + 1L, failure, record.list().trimmed());
            }
        }
        return null;
    }

    /** The fewest choices with which it still fails so. */
    ChoiceList shrink(Found found, int mostTries) {
        return new Shrinker(mostTries).shrink(found.choices(), tried -> isLike(failure(tried), found.failure()));
    }

    private static boolean isLike(@Nullable Throwable failure, Throwable expected) {
        return failure != null
                && failure.getClass().equals(expected.getClass())
                && (!(failure instanceof VerbsException one)
                        || !(expected instanceof VerbsException other)
                        || one.errno() == other.errno());
    }

    @Nullable
    Throwable failure(Choices choices) {
        try (Simulation simulation = new Simulation(
                Schedule.by(choices, OpenChoices.LEGAL), SimulationOptions.USUAL.withMostEvents(100_000))) {
            program.accept(simulation);
            simulation.run();
            return null;
        } catch (AssertionError e) {
            return e;
        } catch (VerbsException e) {
            if (e.errno() == Errno.EDEADLK) {
                return e;
            }
            throw e;
        }
    }
}
