// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No side has to be quick (3.2). In virtual time, where minutes cost nothing. */
@Timeout(600)
class NdSlowAnswersTest {

    @Test
    void slowAnswersAreWaitedFor() {
        try (NdMeeting meeting = new NdMeeting(FabricKind.LOSSY)) {
            NdConnector asking = meeting.newClient();
            NdOverlapped connect = new NdOverlapped();
            assertThat(asking.connect(meeting.client.qp, meeting.address, 1, 1, null, connect))
                    .isEqualTo(NdStatus.PENDING);
            NdConnector asked = meeting.request();
            pass(meeting, Duration.ofMinutes(5));
            assertThat(asking.getOverlappedResult(connect, false)).isEqualTo(NdStatus.PENDING);
            NdOverlapped accept = new NdOverlapped();
            assertThat(asked.accept(meeting.server.qp, 1, 1, null, accept)).isEqualTo(NdStatus.PENDING);
            assertThat(asking.getOverlappedResult(connect, true)).isEqualTo(NdStatus.SUCCESS);
            pass(meeting, Duration.ofMinutes(5));
            assertThat(asked.getOverlappedResult(accept, false)).isEqualTo(NdStatus.PENDING);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(asked.getOverlappedResult(accept, true)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** Whoever polls where nothing else is to be done has virtual time pass. */
    private static void pass(NdMeeting meeting, Duration time) {
        long end = FabricKind.nowNanos(meeting.verbs.left.device) + time.toNanos();
        while (FabricKind.nowNanos(meeting.verbs.left.device) < end) {
            assertThat(meeting.client.poll()).isNull();
        }
    }
}
