// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of JUnit 5 a {@link dev.verbatim.Verbatim} of its own, in real time, and says what the test left behind.
 *
 * <pre>{@code
 * @Test
 * @OnFabric("tcp")
 * void writeArrives(Verbatim near, Verbatim far) {
 *     RcPair rc = RcPair.connect(near.open("left"), far.open("right"));
 *     ...
 * }
 * }</pre>
 *
 * <p>Parameters of type {@code Verbatim} are filled, of test methods of any kind and of {@code @BeforeEach} and {@code @AfterEach}:
 * within a test the first of a method is always the same one, and so is the second. Devices that are opened through them reach each
 * other. Over TCP each of them has an event loop of its own, and packets between them pass through sockets.
 *
 * <p>After {@code @AfterEach} all of it is closed. The test fails if something was left open on a device, or if a completion failed
 * and nobody polled it; where it failed before, that is added to its failure as suppressed.
 *
 * <p>On a class it is for all its tests; on a method for that one, instead of what the class says. For tests that run in many
 * simulations there is {@link SimulatedTest}.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(VerbatimExtension.class)
public @interface OnFabric {

    /** {@code in-process}, {@code tcp} if {@code transport-netty} is there, or the name of another {@link dev.verbatim.fabric.FabricProvider}. */
    String value() default "in-process";

    /** The name of the devices' {@link dev.verbatim.profile.DeviceProfile}. */
    String profile() default "STRICT_IBTA";

    /**
     * Whether a test fails that leaves something open on a device: queue pairs, regions, windows, completion queues, domains, channels.
     * Devices themselves may be left open.
     */
    boolean leakCheck() default true;

    /** Whether a test fails in which completions failed that nobody polled; see {@link dev.verbatim.verbs.Device#unpolledFailures}. */
    boolean failureCheck() default true;
}
