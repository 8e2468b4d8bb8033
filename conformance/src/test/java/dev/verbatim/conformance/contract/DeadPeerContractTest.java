// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import java.util.function.Consumer;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer that is gone shows as a timeout: not before the retries are used up, and in virtual time not long after. */
@OnEveryFabric
class DeadPeerContractTest {

    private static final int TIMEOUT = 12;
    private static final int RETRIES = 2;
    private static final long NOMINAL_NANOS = (RETRIES + 1) * AckTimeout.nanos(TIMEOUT);

    private enum Death {
        DEVICE_CLOSED(pair -> pair.right.device.closeAll()),
        QUEUE_PAIR_DESTROYED(pair -> pair.right.qp.close());

        private final Consumer<RcPair> how;

        Death(Consumer<RcPair> how) {
            this.how = how;
        }
    }

    @Parameter
    FabricKind fabric;

    @ParameterizedTest
    @CsvSource({
        "DEVICE_CLOSED, SPINNING",
        "DEVICE_CLOSED, PARKED",
        "QUEUE_PAIR_DESTROYED, SPINNING",
        "QUEUE_PAIR_DESTROYED, PARKED"
    })
    @Rule({"WC-36", "RT-01", "RT-02", "QP-07", "QP-29"})
    void requestToADeadPeerFailsWhenItsRetriesAreUsedUp(Death death, Waiter waiter) {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL)) {
            pair.connect(RcConnection.USUAL.withRetries(TIMEOUT, RETRIES, 7, 12));
            pair.left.qp.postSend(write(pair, 1));
            assertThat(waiter.next(pair.left.sendCq)).isSuccess().hasId(1);

            death.how.accept(pair);
            assertState(pair.left.qp, QpState.RTS);
            long startNanos = FabricKind.nowNanos(pair.left.device);
            pair.left.qp.postSend(write(pair, 2));
            pair.left.qp.postSend(write(pair, 3));
            assertThat(waiter.next(pair.left.sendCq))
                    .hasStatus(WcStatus.RETRY_EXC_ERR)
                    .hasId(2)
                    .isExplainedBy("WC-36", "retry_cnt=2");
            long tookNanos = FabricKind.nowNanos(pair.left.device) - startNanos;
            assertThat(tookNanos).isGreaterThanOrEqualTo(NOMINAL_NANOS);
            if (fabric == FabricKind.LOSSY) {
                assertThat(tookNanos).isLessThanOrEqualTo(4 * NOMINAL_NANOS);
            }
            assertThat(waiter.next(pair.left.sendCq))
                    .hasStatus(WcStatus.WR_FLUSH_ERR)
                    .hasId(3);
            assertState(pair.left.qp, QpState.ERR);
        }
    }

    private static SendWorkRequest write(RcPair pair, long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
