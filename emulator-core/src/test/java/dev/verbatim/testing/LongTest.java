// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The test of Jupiter runs with {@code -Dverbatim.ci}, as in {@code .ci/night} and, in turn, each third day in {@code .ci/run}. It is skipped in
 * a build: it takes about a second or more, since it
 * starts JVMs, waits for real timeouts or computes much. A mistake in what it is about mostly fails a shorter test as well, or it measures
 * the code (its structure, calls, allocation) and not what the code does.
 */
@EnabledIf(
        value = "dev.verbatim.testing.Tries#runs",
        disabledReason = "Runs with -Dverbatim.ci, if -Dverbatim.part has it")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface LongTest {}
