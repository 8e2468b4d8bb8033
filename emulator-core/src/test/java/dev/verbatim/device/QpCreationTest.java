// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How queue pairs come to be: section D.1, QP-01 to QP-04 and QP-08. */
class QpCreationTest {

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess().tap(new RecordingTap());

    private final Device device = rdma.open("device");
    private final ProtectionDomain pd = device.allocatePd();
    private final CompletionQueue cq = device.createCq(16);

    private QueuePair create(QpCapabilities capabilities) {
        return pd.createQp(QpInitAttributes.rc(cq, cq, capabilities));
    }

    @Test
    @Rule("QP-01")
    void newQueuePairIsInResetWithANumberOf24Bits() {
        QueuePair qp = create(QpCapabilities.USUAL);
        assertState(qp, QpState.RESET);
        assertThat(qp.query().state()).isEqualTo(QpState.RESET);
        assertThat(qp.number()).isBetween(2, 0xff_ffff);
    }

    @Test
    @Rule({"QP-02", "QP-03"})
    void capacitiesUpToTheDeviceLimitsAreGranted() {
        DeviceAttributes limits = device.query();
        QpCapabilities most = new QpCapabilities(
                limits.maxQpWr(), limits.maxQpWr(), limits.maxSge(), limits.maxSge(), limits.maxInlineDataBytes());
        for (QpCapabilities asked : new QpCapabilities[] {most, new QpCapabilities(0, 0, 0, 0, 0)}) {
            QpCapabilities granted = create(asked).initAttributes().capabilities();
            assertThat(granted.maxSendWr()).isBetween(asked.maxSendWr(), limits.maxQpWr());
            assertThat(granted.maxRecvWr()).isBetween(asked.maxRecvWr(), limits.maxQpWr());
            assertThat(granted.maxSendSge()).isBetween(asked.maxSendSge(), limits.maxSge());
            assertThat(granted.maxRecvSge()).isBetween(asked.maxRecvSge(), limits.maxSge());
            assertThat(granted.maxInlineDataBytes()).isBetween(asked.maxInlineDataBytes(), limits.maxInlineDataBytes());
        }
        refused("QP-02", "max_send_wr", new QpCapabilities(limits.maxQpWr() + 1, 1, 1, 1, 0));
        refused("QP-02", "max_recv_wr", new QpCapabilities(1, limits.maxQpWr() + 1, 1, 1, 0));
        refused("QP-02", "max_send_sge", new QpCapabilities(1, 1, limits.maxSge() + 1, 1, 0));
        refused("QP-02", "max_recv_sge", new QpCapabilities(1, 1, 1, limits.maxSge() + 1, 0));
        refused("QP-02", "max_send_wr", new QpCapabilities(-1, 1, 1, 1, 0));
        refused("QP-03", "max_inline_data", new QpCapabilities(1, 1, 1, 1, limits.maxInlineDataBytes() + 1));
        refused("QP-03", "max_inline_data", new QpCapabilities(1, 1, 1, 1, -1));
    }

    private void refused(String rule, String name, QpCapabilities capabilities) {
        assertRefused(Errno.EINVAL, rule, () -> create(capabilities), name);
    }

    @Test
    @Rule("WR-11")
    void queuesOfNoCapacityTakeNoRequest() {
        QueuePair qp = create(new QpCapabilities(0, 0, 0, 0, 0));
        RcConnection.USUAL.join(qp, qp);
        assertRefused(Errno.ENOMEM, "WR-11", () -> qp.postSend(SendWorkRequest.send(1)), "max_send_wr=0");
        assertRefused(Errno.ENOMEM, "WR-11", () -> qp.postRecv(ReceiveWorkRequest.of(1)), "max_recv_wr=0");
    }

    @Test
    @Rule("QP-04")
    void completionQueueOfAnotherDeviceIsRefused() {
        CompletionQueue foreign = rdma.open("other").createCq(1);
        assertRefused(Errno.EINVAL, "QP-04", () -> pd.createQp(QpInitAttributes.rc(foreign, cq, QpCapabilities.USUAL)));
        assertRefused(Errno.EINVAL, "QP-04", () -> pd.createQp(QpInitAttributes.rc(cq, foreign, QpCapabilities.USUAL)));
        foreign.close();
        pd.close();
    }

    @Test
    @Rule("QP-04")
    void destroyedCompletionQueueIsRefused() {
        CompletionQueue dead = device.createCq(1);
        dead.close();
        for (QpInitAttributes attributes : new QpInitAttributes[] {
            QpInitAttributes.rc(dead, cq, QpCapabilities.USUAL), QpInitAttributes.rc(cq, dead, QpCapabilities.USUAL)
        }) {
            VerbsException refused =
                    Assertions.catchThrowableOfType(VerbsException.class, () -> pd.createQp(attributes));
            assertThat(refused.errno()).isIn(Errno.EINVAL, Errno.ENOENT);
            assertRefused(refused.errno(), "QP-04", () -> pd.createQp(attributes), "destroyed");
        }
        pd.close();
        cq.close();
    }

    @Test
    @Rule("QP-08")
    void freedNumberIsNotGivenOutAgainSoon() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            QueuePair qp = create(new QpCapabilities(1, 1, 1, 1, 0));
            assertState(qp, QpState.RESET);
            assertThat(seen.add(qp.number()))
                    .as("number %d is fresh", qp.number())
                    .isTrue();
            qp.close();
        }
    }

    @Test
    @Rule("QP-08")
    void numberComesBackWhenAllOthersWereGivenOut() {
        DeviceProfile few = DeviceProfile.STRICT_IBTA.toBuilder().qpNumbers(2).build();
        try (Verbatim narrow = Verbatim.inProcess().profile(few).tap(new RecordingTap())) {
            Device small = narrow.open("small");
            CompletionQueue queue = small.createCq(1);
            ProtectionDomain domain = small.allocatePd();
            QueuePair first = domain.createQp(QpInitAttributes.rc(queue));
            QueuePair second = domain.createQp(QpInitAttributes.rc(queue));
            assertRefused(Errno.ENOMEM, "MR-16", () -> domain.createQp(QpInitAttributes.rc(queue)), "qp_numbers=2");
            second.close();
            second = domain.createQp(QpInitAttributes.rc(queue));
            assertThat(second.number()).isEqualTo(first.number() + 1);
            first.close();
            QueuePair third = domain.createQp(QpInitAttributes.rc(queue));
            assertThat(third.number()).isEqualTo(second.number() - 1);
        }
    }

    @Test
    @Rule("QP-08")
    void queuePairNumbersAreOf24Bits() {
        DeviceProfile.Builder builder = DeviceProfile.STRICT_IBTA.toBuilder();
        int all = DeviceProfile.STRICT_IBTA.qpNumbers();
        assertThat(DeviceProfile.FIRST_QP_NUMBER + all).isEqualTo(1 << 24);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.qpNumbers(all + 1))
                .withMessage("qpNumbers=16777200 is not in 1..16777199");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.qpNumbers(0));
    }
}
