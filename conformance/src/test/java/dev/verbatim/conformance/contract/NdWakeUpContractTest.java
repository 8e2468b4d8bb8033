// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.Await;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** CQ-1 (5.4) as a race: two threads that sleep whenever their queue is empty. Not in virtual time, which has one thread. */
@ParameterizedClass
@EnumSource(
        value = FabricKind.class,
        names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
@Timeout(600)
class NdWakeUpContractTest {

    private static final int ROUNDS = 100;

    @Parameter
    FabricKind fabric;

    @Test
    void cq1_noWakeUpIsLostBetweenThreads() throws Exception {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends unused = meeting.connected();
            post(meeting.client);
            post(meeting.server);
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    awaitMessage(meeting.server);
                    send(meeting.server);
                }
            });
            for (int i = 0; i < ROUNDS; i++) {
                send(meeting.client);
                awaitMessage(meeting.client);
            }
            Await.result("the server", server);
        }
    }

    private static void post(NdSide side) {
        assertThat(side.qp.receive("message", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
    }

    private static void send(NdSide side) {
        assertThat(side.qp.send("message", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
    }

    /** Asks for a Notify after each look that found nothing, and sleeps until it comes. */
    private static void awaitMessage(NdSide side) {
        NdResult result = side.result();
        while (result.requestType() == NdRequestType.SEND) {
            assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
            result = side.result();
        }
        assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
        post(side);
    }
}
