// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.windows.trial.Trial;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.PerProperty;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Whatever programs do with memory windows, devices do what the reference model does: after each step both agree about
 * completions of both sides, states, errnos, events, keys, what windows are bound to, and every byte.
 */
class ReferenceModelPropertiesTest {

    private static final String SEED = "4";
    private static final int MANY = 450;
    private static final int SOME = 150;
    private static final int ENOUGH_STEPS = Tries.isLong() ? 50_000 : 6_000;

    private static Tally tally = new Tally();

    /** Random programs are only worth something if there are many steps. */
    private static final class Enough implements PerProperty.Lifecycle {
        @Override
        public void before(PropertyLifecycleContext context) {
            tally = new Tally();
        }

        @Override
        public void onSuccess() {
            assertThat(tally.steps()).isGreaterThan(ENOUGH_STEPS);
        }
    }

    @Property(tries = MANY, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @PerProperty(Enough.class)
    @Rule({
        "T-08", "MW-01", "MW-04", "MW-06", "MW-20", "MW-21", "MW-23", "MW-24", "MW-32", "MW-35", "MW-54", "MW-56",
        "MW-60", "MW-63", "MW-64", "MW-80", "MW-81", "MW-84", "MW-85", "MW-86", "MW-94", "MW-95", "MW-102", "MW-103",
        "MW-104", "MW-105", "MW-106", "MW-107", "MR-50", "MR-51", "KEY-P1", "KEY-P2", "KEY-P3", "KEY-P4", "KEY-P5",
        "KEY-P7", "WC-33", "WC-34", "WC-35"
    })
    void windows2BAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("STRICT_2B", program);
    }

    @Property(tries = MANY, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @PerProperty(Enough.class)
    @Rule({"T-08", "MW-01", "MW-02", "MW-95", "MW-96", "MW-104", "KEY-P1", "KEY-P2"})
    void windows2AAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("STRICT_2A", program);
    }

    @Property(tries = SOME, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Rule({"MR-50", "MW-85", "MW-108"})
    void orphansAndNaksAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("ORPHANS", program);
    }

    @Property(tries = SOME, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Rule({"MR-50", "MW-33", "MW-82", "MW-85", "MW-94"})
    void lenientWindowsAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("LENIENT", program);
    }

    @Property(tries = SOME, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Rule({"MW-31", "MW-81"})
    void obligingDevicesAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("OBLIGING", program);
    }

    @Property(tries = SOME, seed = SEED, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Rule({"MW-41", "MW-43", "MW-57"})
    void frugalDevicesAreAsTheModelHasThem(@ForAll("programs") Program program) {
        agree("FRUGAL", program);
    }

    private static void agree(String conduct, Program program) {
        try {
            Trial.run(conduct, program, tally);
        } catch (Mismatch failure) {
            throw Shrinking.shrink(failure, smaller -> Trial.run(conduct, smaller, new Tally()));
        }
        asserted();
    }

    @Provide
    Arbitrary<Program> programs() {
        return Programs.any();
    }
}
