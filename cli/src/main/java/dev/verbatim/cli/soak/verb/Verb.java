// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.Worker;
import java.util.function.Consumer;

/**
 * Something that threads do.
 *
 * @param name for the report
 * @param weight how often, relative to the others
 * @param action does it once with whatever objects it finds
 */
record Verb(String name, int weight, Consumer<Worker> action) {}
