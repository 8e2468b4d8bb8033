// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.carrier.SplitMix64;
import dev.verbatim.sim.strategy.EventPriorities;
import dev.verbatim.sim.strategy.LatePlacement;
import dev.verbatim.sim.strategy.PausingPrograms;
import dev.verbatim.sim.strategy.PriorityChoices;
import dev.verbatim.sim.strategy.StarvingChoices;
import dev.verbatim.sim.strategy.StarvingChoices.Victim;
import dev.verbatim.sim.strategy.SwarmChoices;
import dev.verbatim.sim.strategy.TimedFaults;
import java.util.EnumSet;
import java.util.Set;

/**
 * Random choices by several strategies, since each finds what others miss. The strategy and its parameters are a function of the
 * seed alone; {@code Math.floorMod(seed, 10)} says which strategy it is:
 *
 * <table>
 * <caption>Strategies</caption>
 * <tr><th>digit</th><th>strategy</th></tr>
 * <tr><td>0, 1</td><td>a random priority for each event (partial order sampling): that one event waits while m others happen has
 *     the probability 1/(m+1)</td></tr>
 * <tr><td>2</td><td>uniform, as {@link Choices#seeded}</td></tr>
 * <tr><td>3</td><td>no byte is placed before nothing else can happen, everything else uniform</td></tr>
 * <tr><td>4</td><td>random priorities with d-1 changes among the first k choices of events (PCT), d from 1 to 4, k 16, 64, 256 or
 *     1024: a mistake of depth d in a run with n streams of events and at most k choices is found with a probability of at least
 *     1/(n k<sup>d-1</sup>)</td></tr>
 * <tr><td>5</td><td>programs pause between two verbs again and again</td></tr>
 * <tr><td>6</td><td>one queue pair waits for long, or the packets on their way to it over one link</td></tr>
 * <tr><td>7</td><td>one program or one device waits for long</td></tr>
 * <tr><td>8</td><td>bytes are placed late, in pieces and in any order, and completions are seen late</td></tr>
 * <tr><td>9</td><td>faults early or late, everything else uniform</td></tr>
 * </table>
 *
 * <p>With strategies other than uniform (2, 3, 9) about half of the choice points are left at their defaults in each run. Nobody waits
 * for ever: what waits goes on when nothing else can happen, or after a number of choices.
 */
public enum SeedMix {
    /** Each alternative with the same probability. */
    UNIFORM("uniform"),
    /** A random priority for each event. */
    EVENT_PRIORITIES("a priority for each event"),
    /** Random priorities with few changes. */
    PRIORITIES("random priorities"),
    /** Programs pause between two verbs. */
    PAUSING_PROGRAMS("pausing programs"),
    /** A queue pair, or the packets to it over one link, waits. */
    STARVED_QUEUE_PAIR("one queue pair starved"),
    /** A device waits, or a program. */
    STARVED_DEVICE("one device or program starved"),
    /** Placements wait. */
    LATE_PLACEMENT("late placement"),
    /** Placements wait until nothing else can happen. */
    BYTES_LAST("bytes placed last"),
    /** Faults of the first packets only, or none of those. */
    TIMED_FAULTS("faults early or late");

    private static final int STRATEGIES = 10;
    private static final int LONG_TIME = 16_384;
    private static final int[] LENGTHS = {16, 64, 256, 1024};
    private static final int MOST_VICTIMS = 6;
    private static final int DEPTHS = 4;

    private static final Set<ChoicePoint> OF_PLACEMENT =
            EnumSet.of(ChoicePoint.PLACEMENT, ChoicePoint.PLACEMENT_SPLIT, ChoicePoint.COMPLETION);
    private static final Set<ChoicePoint> NONE = EnumSet.noneOf(ChoicePoint.class);

    private final String words;

    SeedMix(String words) {
        this.words = words;
    }

    /** The strategy of a seed. */
    public static SeedMix strategyOf(long seed) {
        return switch ((int) Math.floorMod(seed, (long) STRATEGIES)) {
            case 0, 1 -> EVENT_PRIORITIES;
            case 2 -> UNIFORM;
            case 3 -> BYTES_LAST;
            case 4 -> PRIORITIES;
            case 5 -> PAUSING_PROGRAMS;
            case 6 -> STARVED_QUEUE_PAIR;
            case 7 -> STARVED_DEVICE;
            case 8 -> LATE_PLACEMENT;
            default -> TIMED_FAULTS;
        };
    }

    /** The choices of a seed, for one run. */
    public static Choices choices(long seed) {
        // Parameters are drawn from another sequence than the choices.
        SplitMix64 parameters = new SplitMix64(~seed);
        boolean isUniform = parameters.below(2) == 0;
        int length = LENGTHS[parameters.below(LENGTHS.length)];
        int from = parameters.below(2) == 0 ? 0 : parameters.below(length);
        int number = parameters.below(MOST_VICTIMS);
        Choices drawn = switch (strategyOf(seed)) {
            case UNIFORM -> Choices.seeded(seed);
            case EVENT_PRIORITIES -> new EventPriorities(seed);
            case PRIORITIES -> new PriorityChoices(seed, 1 + parameters.below(DEPTHS), length);
            case PAUSING_PROGRAMS -> new PausingPrograms(seed, 2 << parameters.below(3), isUniform);
            case STARVED_QUEUE_PAIR ->
                new StarvingChoices(seed, Victim.QUEUE_PAIR, number, from, 4 * length, isUniform);
            case STARVED_DEVICE ->
                new StarvingChoices(
                        seed,
                        parameters.below(2) == 0 ? Victim.PROGRAM : Victim.DEVICE,
                        number / 2,
                        from,
                        4 * length,
                        isUniform);
            case LATE_PLACEMENT -> new LatePlacement(seed, 16 * length, isUniform, false);
            case BYTES_LAST -> holdingBytesBack(seed);
            case TIMED_FAULTS -> new TimedFaults(Choices.seeded(seed), isUniform, length / 4);
        };
        return switch (strategyOf(seed)) {
            case UNIFORM, BYTES_LAST, TIMED_FAULTS -> drawn;
            case LATE_PLACEMENT -> new SwarmChoices(drawn, ~seed, OF_PLACEMENT);
            default -> new SwarmChoices(drawn, ~seed, NONE);
        };
    }

    /** Choices that place no byte before nothing else can happen; everything else is uniform, at all points. */
    public static Choices holdingBytesBack(long seed) {
        return new LatePlacement(seed, LONG_TIME, true, true);
    }

    /** The strategy in words. */
    @Override
    public String toString() {
        return words;
    }
}
