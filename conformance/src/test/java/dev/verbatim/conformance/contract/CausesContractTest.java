// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cause of an error gives its statuses, its event and its states, and takes with it what is queued behind it. */
@OnEveryFabric
class CausesContractTest {

    private static final int TAKEN = 100;
    private static final int BEHIND = 101;

    @Parameter
    FabricKind fabric;

    static Stream<Cause> causes() {
        return Causes.rows();
    }

    @ParameterizedTest
    @MethodSource("causes")
    @Rule({
        "WC-05", "WC-20", "WC-21", "WC-22", "WC-23", "WC-24", "WC-25", "WC-26", "WC-27", "WC-29", "WC-30", "WC-31",
        "WC-32", "WC-33", "WC-34", "WC-35", "WC-36", "WC-39", "WC-40", "WC-45", "WC-47", "WC-48", "WC-49", "AE-04",
        "AE-21"
    })
    void causeGivesItsStatusesItsEventAndItsStates(Cause cause) {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL)) {
            cause.connect().accept(pair);
            pair.left.qp.postRecv(ReceiveWorkRequest.of(200));
            if (cause.receives()) {
                pair.right.qp.postRecv(
                        ReceiveWorkRequest.of(TAKEN, cause.element().apply(pair)));
                pair.right.qp.postRecv(ReceiveWorkRequest.of(BEHIND, pair.right.sge(0, 64)));
            }
            pair.left.qp.postSend(List.of(
                    cause.request().apply(pair).unsignaled(),
                    // Fenced: a READ whose result cannot be placed would not hold it back otherwise (N8).
                    SendWorkRequest.send(2, pair.left.sge(0, 8)).withFlags(SendFlags.FENCE)));

            assertThat(pair.left.sent()).hasStatus(cause.requester()).hasId(1);
            assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertThat(pair.left.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(200);
            assertState(pair.left.qp, cause.left());
            assertThat(pair.left.device.pollAsyncEvent()).as("at the requester").isNull();

            assertState(pair.right.qp, cause.right());
            if (cause.event() != null) {
                assertEvent(pair.right.device.pollAsyncEvent(), cause.event(), pair.right.qp);
            }
            assertThat(pair.right.device.pollAsyncEvent())
                    .as("at the responder")
                    .isNull();
            if (cause.receives()) {
                assertReceives(cause, pair);
            }
        }
    }

    private static void assertReceives(Cause cause, RcPair pair) {
        if (cause.right() != QpState.ERR) {
            // Nothing was taken: both are flushed now.
            pair.right.qp.modify(new QpAttributes().state(QpState.ERR));
        }
        WcStatus first = cause.receive() == null ? WcStatus.WR_FLUSH_ERR : cause.receive();
        assertThat(pair.right.received()).hasStatus(first).hasId(TAKEN);
        assertThat(pair.right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(BEHIND);
        assertThat(pair.right.recvCq.poll(1)).isEmpty();
    }
}
