// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Arithmetic of keys: the test calls the function that decides. */
class RkeyTest {

    @Test
    @Rule({"MW-72", "KEY-02", "TV-01"})
    void incrementTurnsTheLowByteAndKeepsTheIndex() {
        assertThat(Rkey.increment(0x00000100)).isEqualTo(0x00000101);
        assertThat(Rkey.increment(0x000001ff)).isEqualTo(0x00000100);
        assertThat(Rkey.increment(0xffffffff)).isEqualTo(0xffffff00);
        assertThat(Rkey.increment(0x12345678)).isEqualTo(0x12345679);
        RuleCoverage.reach("MW-72");
        RuleCoverage.reach("KEY-02");
        asserted();
    }

    @Test
    @Rule({"MW-30", "TV-02"})
    void boundKeyHasTheIndexOfTheWindowAndTheVariantThatWasAskedFor() {
        assertThat(Rkey.withVariant(0x0000a7c3, 0x00000400)).isEqualTo(0x0000a700);
        assertThat(Rkey.withVariant(0x0000a7c3, 0xdeadbeef)).isEqualTo(0x0000a7ef);
        RuleCoverage.reach("MW-30");
        asserted();
    }

    @Property
    @Rule("MW-72")
    void after256IncrementsEachVariantWasThereOnce(@ForAll int key) {
        Set<Integer> variants = new TreeSet<>();
        int next = key;
        for (int i = 0; i < 256; i++) {
            next = Rkey.increment(next);
            assertThat(next >>> 8).isEqualTo(key >>> 8);
            variants.add(next & 0xff);
        }
        assertThat(next).isEqualTo(key);
        assertThat(variants).hasSize(256);
        RuleCoverage.reach("MW-72");
        asserted();
    }
}
