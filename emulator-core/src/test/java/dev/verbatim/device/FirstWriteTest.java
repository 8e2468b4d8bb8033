// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shortest way through the whole device. */
@Tag("smoke")
class FirstWriteTest {

    @Test
    void writeOfEightBytesArrivesAndCompletes() {
        try (RcPair pair = RcPair.inProcess()) {
            pair.left.bytes().putLong(0, 0x1122334455667788L);
            pair.left.qp.postSend(
                    SendWorkRequest.write(7, pair.right.address(16), pair.right.rkey(), pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess().hasId(7).hasOpcode(WcOpcode.RDMA_WRITE);
            org.assertj.core.api.Assertions.assertThat(pair.right.bytes().getLong(16))
                    .isEqualTo(0x1122334455667788L);
        }
    }

    @Test
    @Rule({"KEY-04", "WC-23", "WC-45"})
    void writeWithUnknownKeyEndsBothQueuePairsAndTellsTheOwner() {
        try (RcPair pair = RcPair.inProcess()) {
            pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), 0x1234, pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).isExplainedBy("WC-45", "remote access");
            assertState(pair.left.qp, QpState.ERR);
            assertState(pair.right.qp, QpState.ERR);
            assertEvent(pair.right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, pair.right.qp);
        }
    }
}
