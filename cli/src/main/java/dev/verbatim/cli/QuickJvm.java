// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A command that computes in a few threads, and ends. Its JVM collects garbage by one thread, and has no second compiler if the command is
 * over before that has paid. {@link JvmOptions} tells the launchers.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface QuickJvm {

    /** The option that says how long the command computes, in any unit; none if it is always over soon. */
    String option() default JvmOptions.NONE;

    /** Up to this value of the option, or if it is not given, the second compiler does not pay. */
    int most() default 0;
}
