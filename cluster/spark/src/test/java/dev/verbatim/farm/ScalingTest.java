// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Computed by hand. */
class ScalingTest {

    @Test
    void eachFreeCoreTakesTheNextPart() {
        Scaling scaling = new Scaling(List.of(4.0, 1.0, 1.0, 1.0, 3.0), 2, 0);

        assertThat(scaling.seconds(1)).isEqualTo(12);
        assertThat(scaling.seconds(2)).isEqualTo(8); // 4 | 1 1 1 3
        assertThat(scaling.seconds(100)).isEqualTo(6); // the longest part
    }

    @Test
    void driverHandsOutOnePartAfterTheOther() {
        Scaling scaling = new Scaling(List.of(1.0, 1.0, 1.0, 1.0), 0, 0.5);

        assertThat(scaling.seconds(4)).isEqualTo(3); // handed out at 0.5, 1, 1.5, 2
        assertThat(scaling.seconds(1)).isEqualTo(6);
        assertThat(scaling.times(100).seconds(1_000)).isCloseTo(201, within(1e-9));
    }

    /** A core that is free gets its next part a millisecond later, and the last core of a round as many as there are cores. */
    @Test
    void tableSaysWhereTheDriverIsTheLimit() {
        String table = new Scaling(List.of(10.0), 5, 0.001).table(2);

        assertThat(table.lines().skip(2).map(String::strip))
                .containsExactly(
                        "1    400045.0       100 %", // 5 + 40,000 * 10.001
                        "10     40009.0       100 %", // 5 + 4,000 * 10.001
                        "100      4005.6       100 %", // 5 + 400 * 10.001 + 200 ms
                        "1000       407.0        98 %", // 5 + 40 * 10.001 + 2
                        "10000        95.0        42 %"); // 5 + 80,000 ms + 10
    }
}
