// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A kind of fault of the links or devices of a {@link SimulatedTest}, and its rate. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fault {

    /** The choice point of the fault, of kind {@link ChoicePoint.Kind#FAULT}. */
    ChoicePoint value();

    /**
     * Faults per thousand packets in runs with a seed, 1 to 1000; an exhaustive test tries the fault on every packet.
     */
    int perMille() default 20;
}
