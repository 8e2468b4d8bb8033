// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectReasonTest {

    @Test
    void reasonsHaveTheirNumbersAndOthersMayCome() {
        assertThat(RejectReason.of(8)).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertThat(RejectReason.of(35)).isEqualTo(RejectReason.VENDOR_OPTION_NOT_SUPPORTED);
        assertThat(RejectReason.of(34)).isNull();
        assertThat(RejectReason.of(4711)).isNull();
        for (RejectReason reason : RejectReason.values()) {
            assertThat(RejectReason.of(reason.number())).isEqualTo(reason);
        }
    }
}
