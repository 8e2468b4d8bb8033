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
 * A test that runs in many simulations: first with default choices, then once per seed, with random
 * choices wherever the rules permit several behaviours of devices, programs and links. With {@link #exhaustive} it runs
 * in every possible way.
 *
 * <pre>{@code
 * @SimulatedTest(seeds = 100)
 * void flagSaysThatTheEntryIsThere(Simulation simulation) {
 *     RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
 *     simulation.node("producer", node -> {
 *         // post ...
 *     });
 *     simulation.node("consumer", node -> {
 *         // poll ...
 *     });
 * }
 * }</pre>
 *
 * <p>The method has a parameter of type {@link dev.verbatim.sim.Simulation}, or of type {@link dev.verbatim.Verbatim}
 * if it is independent of the fabric. When it returns, the programs that it added are run to their end, and everything
 * is closed. The method is called repeatedly on one instance of its class, between {@code @BeforeEach} and
 * {@code @AfterEach}; it must therefore create all its objects anew and keep no state in fields. With the same choices
 * it must behave the same.
 *
 * <p>If a run fails, its choices are minimized. The test then fails with a {@link SimulatedTestFailure}, which contains
 * the arguments of this annotation that repeat the run, the choices other than the default with the
 * rules that permit them, and all events.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(SimulatedTestExtension.class)
public @interface SimulatedTest {

    /**
     * Number of seeds. The seeds are 0, 1, 2 and so on. With 0, only the run with default choices is
     * made.
     */
    int seeds() default 100;

    /** Seeds to run with, instead of {@link #seeds}. */
    long[] seed() default {};

    /** The choices of one run, as printed by a failure, instead of seeds. */
    String choices() default "";

    /**
     * Whether to explore all possible runs instead of using seeds. In these runs time advances only when all programs
     * wait.
     */
    boolean exhaustive() default false;

    /** Maximum number of runs of an exhaustive test; beyond it the test fails, because its result is unknown. */
    long mostRuns() default 1_000_000;

    /** The fabric: {@code sim}, or {@code in-process} for one run in real time with default choices. */
    String fabric() default "sim";

    /** The name of the devices' {@link dev.verbatim.profile.DeviceProfile}. */
    String profile() default "STRICT_IBTA";

    /** The enabled choice points; all if none is listed. */
    ChoicePoint[] points() default {};

    /** The faults of links and devices. */
    Fault[] faults() default {};

    /** Maximum number of faults in one run. */
    int mostFaults() default Integer.MAX_VALUE;

    /**
     * Whether a run fails if it leaves objects open: queue pairs, regions, completion queues, domains, channels,
     * devices.
     */
    boolean leakCheck() default false;

    /**
     * Whether runs are watched by a {@link dev.verbatim.sanitizer.Sanitizer}: then a run also fails for a mistake that the rules permit
     * and that did no harm in it. A parameter of that type is the sanitizer of the run, to silence findings with a reason.
     */
    boolean sanitize() default true;

    /** Maximum number of events of a run; a longer run fails. */
    int mostEvents() default 100_000;

    /** Maximum number of runs to minimize the choices of a failure. */
    int shrinkRuns() default 1_000;
}
