// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionQueueCreationTest {

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess();

    private final Device device = rdma.open("device");

    @Rule("CQ-01")
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void queueWithoutRoomIsRefused(int entries) {
        assertRefused(Errno.EINVAL, "CQ-01", () -> device.createCq(entries), "cqe=" + entries);
    }

    @Test
    @Rule("CQ-01")
    void queueLargerThanTheDeviceOffersIsRefusedAndOneOfThatSizeIsMade() {
        int most = device.query().maxCqe();
        assertRefused(Errno.EINVAL, "CQ-01", () -> device.createCq(most + 1), "cqe=" + (most + 1), "1.." + most);
        try (CompletionQueue largest = device.createCq(most)) {
            assertThat(largest.entries()).isGreaterThanOrEqualTo(most);
        }
    }

    @Test
    @Rule("CQ-01")
    void completionVectorOutsideTheDevicesIsRefusedAndTheLastOneIsNot() {
        int vectors = device.query().completionVectors();
        assertRefused(Errno.EINVAL, "CQ-01", () -> device.createCq(8, null, null, -1), "comp_vector=-1");
        assertRefused(Errno.EINVAL, "CQ-01", () -> device.createCq(8, null, null, vectors), "comp_vector=" + vectors);
        try (CompletionQueue cq = device.createCq(8, "mine", null, vectors - 1)) {
            assertThat(cq.context()).isEqualTo("mine");
            assertThat(cq.channel()).isNull();
            assertThat(cq.device()).isSameAs(device);
        }
    }

    @Test
    @Rule("CQ-01")
    void grantedRoomIsAtLeastTheRoomAskedFor() {
        try (RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);
                CompletionQueue cq = pair.left.device.createCq(3)) {
            assertThat(cq.entries()).isGreaterThanOrEqualTo(3);
            assertRefused(Errno.EINVAL, "CQ-01", () -> pair.left.device.createCq(0));
        }
    }

    @Test
    @Rule("CQ-01")
    void channelOfAnotherDeviceIsRefused() {
        CompletionChannel foreign = rdma.open("other").createCompletionChannel();
        assertRefused(Errno.EINVAL, "CQ-01", () -> device.createCq(8, null, foreign, 0), "device");
    }

    @Test
    @Rule("CQ-05")
    void armingWithoutChannelDoesNothing() {
        try (RcPair pair = RcPair.inProcess()) {
            pair.left.sendCq.requestNotify(false);
            pair.left.qp.postSend(write(pair));
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule("CQ-05")
    void armingWithoutChannelIsRefusedWhereTheProfileWantsOne() {
        DeviceProfile strict = DeviceProfile.STRICT_IBTA.toBuilder()
                .name("WANTS_CHANNEL")
                .notifyNeedsChannel(true)
                .build();
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(strict), QpCapabilities.USUAL)) {
            pair.connect(RcPair.WITHOUT_TIMER);
            assertRefused(Errno.EINVAL, "CQ-05", () -> pair.left.sendCq.requestNotify(false), "WANTS_CHANNEL");
            CompletionChannel channel = pair.left.device.createCompletionChannel();
            pair.left.device.createCq(8, null, channel, 0).requestNotify(true);
        }
    }

    @Test
    @Rule({"PD-03", "PD-04"})
    void queueInUseIsNotDestroyedAndADestroyedOneIsOfNoUse() {
        try (RcPair pair = RcPair.inProcess()) {
            assertRefused(Errno.EBUSY, "PD-04", pair.left.sendCq::close, "1 queue pairs");
            assertRefused(Errno.EBUSY, "PD-04", pair.left.recvCq::close, "1 queue pairs");
            pair.left.qp.postSend(write(pair));
            assertThat(pair.left.sent()).isSuccess();
            pair.left.qp.close();
            pair.left.sendCq.close();
            assertRefused(Errno.EINVAL, "PD-03", () -> pair.left.sendCq.poll(1));
            assertRefused(Errno.EINVAL, "PD-03", () -> pair.left.sendCq.requestNotify(false));
            assertRefused(Errno.ENOENT, "PD-03", pair.left.sendCq::close);
        }
    }

    @Test
    @Rule("PD-03")
    void queueOfAClosedDeviceSaysThatItIsGone() {
        CompletionQueue cq = device.createCq(8);
        device.closeAll();
        assertRefused(Errno.EINVAL, "PD-03", () -> cq.poll(1), "destroyed");
        asserted();
    }

    private static SendWorkRequest write(RcPair pair) {
        return SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
