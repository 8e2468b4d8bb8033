// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettingTest {

    @Test
    void spinningIsRefusedWhereThereIsOneProcessor() {
        assertThat(Setting.TCP_SPINNING.refusal(1))
                .isEqualTo("spinning keeps 2 threads running all the time, but there is 1 processor; measure with"
                        + " --mode blocking, or where there are 2");
        assertThat(Setting.ROCE_SPINNING.refusal(1)).contains("--mode blocking");
        assertThat(Setting.ROCE_SPINNING.refusal(2)).isNull();
        assertThat(Setting.ROCE_BLOCKING.refusal(1)).isNull();
        assertThat(Setting.TCP_SPINNING.refusal(2)).isNull();
        assertThat(Setting.TCP_BLOCKING.refusal(1)).isNull();
        assertThat(Setting.IN_PROCESS.refusal(1)).isNull();
    }
}
