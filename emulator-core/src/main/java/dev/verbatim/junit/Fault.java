// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the links, or the devices, of a {@link SimulatedTest} do wrong, and how often. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fault {

    /** A point of {@link ChoicePoint.Kind#FAULT}. */
    ChoicePoint value();

    /** How many packets of a thousand it befalls where a seed decides, 1 to 1000; an exhaustive test has it befall each. */
    int perMille() default 20;
}
