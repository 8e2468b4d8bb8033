// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Simulated fabrics: virtual time, links that fail as a seed or a test decides, and every run that the rules permit.
 *
 * <p>Whatever is left open in a run, a {@link dev.verbatim.sim.Schedule} decides: which event is next, which legal
 * alternative a device shows, whether a link fails. A {@link dev.verbatim.sim.OpenChoices} says how much is left open. The
 * schedule is made of {@link dev.verbatim.fabric.Choices}: canonical, drawn from a seed, or replayed from a
 * {@link dev.verbatim.fabric.ChoiceList} that a failure printed.
 *
 * <pre>{@code
 * ChoiceRecord record = Choices.recorded(Choices.seeded(42));
 * run(Schedule.by(record, OpenChoices.LEGAL));                                      // some legal run
 * run(Schedule.by(Choices.replayed(record.list()), OpenChoices.LEGAL));             // the same again
 * ChoiceList small = new Shrinker(1_000).shrink(record.list(), choices -> fails(Schedule.by(choices, OpenChoices.LEGAL)));
 * Explored all = new Exploration(OpenChoices.LEGAL).run(schedule -> run(schedule)); // every legal run
 * }</pre>
 */
@NullMarked
package dev.verbatim.sim;

import org.jspecify.annotations.NullMarked;
