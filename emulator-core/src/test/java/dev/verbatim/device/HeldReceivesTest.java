// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What tests let happen to a receiver and to a link: receives that messages do not find, and another MTU. */
class HeldReceivesTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    @Test
    @Rule({"WC-47", "PR-02"})
    void messageFindsAReceiveOnlyWhenTheyAreNotHeldAnyMore() {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
        pair.right.qp.holdReceives(Duration.ofHours(1));

        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));

        assertThat(pair.left.sendCq.poll(1)).isEmpty();
        assertThat(pair.right.recvCq.poll(1)).isEmpty();
        assertThat(pair.right.device.counters().get(DeviceCounter.SEND_RNR_ERR)).isPositive();

        pair.right.qp.holdReceives(Duration.ZERO);
        assertThat(pair.left.sent().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(pair.right.received().id()).isEqualTo(1);
    }

    @Test
    void timeMustBeUpToAnHour() {
        assertRefused(
                Errno.EINVAL, "WC-47", () -> pair.left.qp.holdReceives(Duration.ofHours(2)), "PT2H", "PT0S..PT1H");
        assertRefused(Errno.EINVAL, "WC-47", () -> pair.left.qp.holdReceives(Duration.ofNanos(-1)), "PT1H");
    }

    @Test
    @Rule("QV-03")
    void linkSaysWhatItWasChangedToAndBoundsThePathMtu() {
        pair.left.device.changeLink(PathMtu.MTU_512, LinkWidth.X4, LinkSpeed.HDR);

        PortAttributes port = pair.left.device.queryPort(1);
        assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_512);
        assertThat(port.activeWidth()).isEqualTo(LinkWidth.X4);
        assertThat(port.activeSpeed()).isEqualTo(LinkSpeed.HDR);
        assertThat(pair.left.qp.state()).as("those connected before go on").isEqualTo(QpState.RTS);
        assertRefused(
                Errno.EINVAL,
                "QV-03",
                () -> RcPair.WITHOUT_TIMER
                        .withPathMtu(PathMtu.MTU_1024)
                        .join(pair.left.newQueuePair(), pair.right.newQueuePair()),
                "path_mtu bytes=1024",
                "512");
    }
}
