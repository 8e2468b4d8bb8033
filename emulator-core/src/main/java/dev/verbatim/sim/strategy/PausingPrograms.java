// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Programs that are held up between two verbs again and again, as by an operating system: each step of a program that becomes possible
 * waits, with a certain probability, until nothing else can happen, or for {@value #LONGEST_PAUSE} choices. The other events are drawn,
 * or in canonical order.
 */
public final class PausingPrograms implements Choices {

    private static final long LONGEST_PAUSE = 200;

    /** Behind so many choices all are drawn: a program that never waits must not hold up the others. */
    private static final long LONGEST_RUN = 10_000;

    private final SplitMix64 sequence;
    private final int oneIn;
    private final boolean isUniform;
    /** Of each program whose step is possible until which choice it waits. */
    private final Map<String, Long> pauses = new TreeMap<>();

    private long asked;

    /**
     * Programs that pause before one step in {@code oneIn}.
     *
     * @param isUniform whether the events of those that do not pause are drawn
     */
    public PausingPrograms(long seed, int oneIn, boolean isUniform) {
        this.sequence = new SplitMix64(seed);
        this.oneIn = oneIn;
        this.isUniform = isUniform;
    }

    @Override
    public int chooseEvent(Candidates events) {
        asked++;
        int[] going = new int[events.count()];
        int count = 0;
        for (int i = 0; i < events.count(); i++) {
            if (events.point(i) != ChoicePoint.PROGRAM_STEP || !isPausing(events.key(i))) {
                going[count++] = i;
            }
        }
        int taken = 0;
        if (asked > LONGEST_RUN) {
            taken = sequence.below(events.count());
        } else if (count == 0) {
            taken = isUniform ? sequence.below(events.count()) : 0;
        } else if (events.count() > 1) {
            taken = going[isUniform ? sequence.below(count) : 0];
        }
        if (events.point(taken) == ChoicePoint.PROGRAM_STEP) {
            pauses.remove(events.key(taken));
        }
        return taken;
    }

    private boolean isPausing(String program) {
        Long until =
                pauses.computeIfAbsent(program, name -> sequence.below(oneIn) == 0 ? asked + LONGEST_PAUSE : asked);
        return asked < until;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return sequence.below(alternatives);
    }

    @Override
    public String toString() {
        return "pausing programs";
    }
}
