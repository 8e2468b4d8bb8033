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
 * Provides each JUnit 5 test with its own {@link dev.verbatim.Verbatim} instances, in real time, and reports resources
 * that the test did not close.
 *
 * <pre>{@code
 * @Test
 * @OnFabric("tcp")
 * void writeArrives(Verbatim near, Verbatim far) {
 *     RcPair rc = RcPair.connect(near.open("left"), far.open("right"));
 *     // post, poll ...
 * }
 * }</pre>
 *
 * <p>Supplies parameters of type {@code Verbatim} of all kinds of test methods and of {@code @BeforeEach} and
 * {@code @AfterEach} methods. Within a test, the first such parameter of every method is the same instance, and so is
 * the second. Devices that are opened through them can reach each other. Over TCP each instance has its own event loop,
 * and packets between them pass through sockets.
 *
 * <p>After {@code @AfterEach} the instances are closed. The test fails if an object of a device was left open, or if a
 * failed completion was not polled; if the test has failed already, this is added as a suppressed exception.
 *
 * <p>On a class the annotation applies to all its tests; on a method it overrides that of the class. For tests in
 * simulations see {@link SimulatedTest}.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(VerbatimExtension.class)
public @interface OnFabric {

    /**
     * {@code in-process}, {@code tcp} if {@code transport-netty} is available, or the name of another {@link
     * dev.verbatim.fabric.FabricProvider}.
     */
    String value() default "in-process";

    /** The name of the devices' {@link dev.verbatim.profile.DeviceProfile}. */
    String profile() default "STRICT_IBTA";

    /**
     * Whether a test fails if it leaves objects of a device open: queue pairs, regions, windows, completion queues,
     * domains, channels. Devices themselves may be left open.
     */
    boolean leakCheck() default true;

    /**
     * Whether a test fails if failed completions were not polled; see {@link
     * dev.verbatim.verbs.Device#unpolledFailures}.
     */
    boolean failureCheck() default true;
}
