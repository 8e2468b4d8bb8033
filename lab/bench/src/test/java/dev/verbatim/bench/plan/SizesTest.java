// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {

    @Test
    void listIsReadInOrderAndEachSizeOnce() {
        assertThat(Sizes.parse("64k, 8,1M,8")).containsExactly(8, 65_536, 1_048_576);
    }

    @Test
    void rangeHasAllPowersOfTwoFromItsBeginning() {
        assertThat(Sizes.parse("8-16M")).hasSize(22).startsWith(8, 16, 32).endsWith(8 << 20, 16 << 20);
        assertThat(Sizes.parse("24-100")).containsExactly(24, 48, 96);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "big | 'big' is not a size",
                "'' | '' is not a size",
                "8,,64 | '' is not a size",
                "-8 | '' is not a size",
                "1G | '1G' is not a size",
                "4 | '4' is not in 8 to 16M",
                "17M | '17M' is not in 8 to 16M",
                "999999999K | '999999999K' is not in 8 to 16M"
            })
    void anythingElseIsRefusedWithItsText(String text, String reason) {
        assertThatThrownBy(() -> Sizes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
