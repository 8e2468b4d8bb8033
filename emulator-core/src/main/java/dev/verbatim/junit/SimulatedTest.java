// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs in many simulations: first in that of the simplest devices, then in one for each seed, in which devices,
 * programs and links do whatever else the rules permit. Or, where it is {@link #exhaustive}, in all there are.
 *
 * <pre>{@code
 * @SimulatedTest(seeds = 100)
 * void flagSaysThatTheEntryIsThere(Simulation simulation) {
 *     RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
 *     simulation.node("producer", node -> ...);
 *     simulation.node("consumer", node -> ...);
 * }
 * }</pre>
 *
 * <p>The method has a parameter of type {@link dev.verbatim.sim.Simulation}, or of type {@link dev.verbatim.Verbatim} if it does
 * not care where it runs. When it returns, the programs that it added are run to their end, and everything is closed. It is
 * called again and again on one instance of its class, between {@code @BeforeEach} and {@code @AfterEach}, so it makes
 * everything anew and keeps nothing in fields. With the same choices it must do the same.
 *
 * <p>If it fails, the choices of that run are made as few and as early as they can be; then it fails with a
 * {@link SimulatedTestFailure}: a line to be put into this annotation that repeats the failure, which choices were not those of
 * a simple device and which rules permit them, and what happened, event by event.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(SimulatedTestExtension.class)
public @interface SimulatedTest {

    /** How many seeds: 0, 1, 2 and so on. With 0 there is only the run of the simplest devices. */
    int seeds() default 100;

    /** Seeds to run with, instead of all others. */
    long[] seed() default {};

    /** The choices of one run, as a failure tells them, instead of all seeds. */
    String choices() default "";

    /** Whether to walk through all runs that there are, instead of some seeds. Time stands still in them until all wait. */
    boolean exhaustive() default false;

    /** After so many runs an exhaustive test fails, since it is not seen whether it passes. */
    long mostRuns() default 1_000_000;

    /** Where devices are: {@code sim}, or {@code in-process}: in real time, once, and as the simplest devices do it. */
    String fabric() default "sim";

    /** The name of the devices' {@link dev.verbatim.profile.DeviceProfile}. */
    String profile() default "STRICT_IBTA";

    /** Where devices and programs may do otherwise than the simplest do: everywhere, unless some are named. */
    ChoicePoint[] points() default {};

    /** What goes wrong. */
    Fault[] faults() default {};

    /** How often something goes wrong in one run, at most. */
    int mostFaults() default Integer.MAX_VALUE;

    /** Whether a run fails that leaves something open: queue pairs, regions, completion queues, domains, channels, devices. */
    boolean leakCheck() default false;

    /** A run with more events fails. */
    int mostEvents() default 100_000;

    /** How many runs may be made to find the fewest choices with which it fails. */
    int shrinkRuns() default 1_000;
}
