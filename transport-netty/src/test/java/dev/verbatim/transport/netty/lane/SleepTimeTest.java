// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SleepTimeTest {

    private final SleepTime sleep = new SleepTime();

    @Test
    void growsUpToItsLimitWhileThereIsNothingToDo() {
        assertThat(sleep.nanos()).isEqualTo(SleepTime.SHORTEST_NANOS);
        sleep.lengthen();
        assertThat(sleep.nanos()).isEqualTo(2 * SleepTime.SHORTEST_NANOS);
        for (int i = 0; i < 100; i++) {
            sleep.lengthen();
        }
        assertThat(sleep.nanos()).isEqualTo(SleepTime.LONGEST_NANOS);
    }

    @Test
    void isShortestAgainWhenThereWasSomethingToDo() {
        sleep.lengthen();
        sleep.shortest();
        assertThat(sleep.nanos()).isEqualTo(SleepTime.SHORTEST_NANOS);
    }
}
