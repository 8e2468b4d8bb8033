// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** COM objects are released in any order; afterwards nothing is left on the device (2.6, 4.1, CM-5). */
class NdReleaseTest {

    @Test
    void objectsAreReleasedInAnyOrder() {
        Random order = new Random(7);
        for (int round = 0; round < 60; round++) {
            releaseAll(order);
        }
    }

    private static void releaseAll(Random order) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Device device = rdma.open("left");
            NdSide left = new NdSide(device);
            NdSide right = new NdSide(rdma.open("right"));
            NdSide.connect(left, right);
            NdMemoryWindow window = left.adapter.createMemoryWindow();
            NdSharedReceiveQueue srq = left.adapter.createSharedReceiveQueue(left.file, 4, 1, 1, 0, 0);
            NdQueuePair shared = left.adapter.createQueuePairWithSrq(left.cq, left.cq, srq, null, 4, 1, 0);
            assertThat(srq.receive("shared", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(left.qp.receive("own", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(left.qp.bind("bind", left.mr, window, left.address(0), 64, NdOpFlags.ALLOW_READ))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(left.cq.notify(NdNotifyType.ERRORS, new NdOverlapped())).isEqualTo(NdStatus.PENDING);
            List<NdObject> objects =
                    new ArrayList<>(List.of(left.mr, window, left.cq, left.qp, srq, shared, left.adapter));
            java.util.Collections.shuffle(objects, order);
            objects.forEach(object -> assertThat(object.release()).isZero());
            // Refused while it has children (PD-07).
            device.close();
            assertThat(objects).allMatch(NdObject::isReleased);
        }
    }

    @Test
    void regionThatWasReleasedUnderAWindowGoesWithTheWindow() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            NdSide left = new NdSide(rdma.open("left"));
            NdSide right = new NdSide(rdma.open("right"));
            NdSide.connect(left, right);
            NdMemoryWindow window = left.adapter.createMemoryWindow();
            assertThat(left.qp.bind("bind", left.mr, window, left.address(0), 64, NdOpFlags.ALLOW_READ))
                    .isEqualTo(NdStatus.SUCCESS);
            left.succeeds(NdRequestType.BIND, "bind");
            long address = left.address(0);
            left.mr.release();
            assertThat(right.qp.read("read", right.sge(0, 8), address, window.getRemoteToken(), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            right.succeeds(NdRequestType.READ, "read");
            assertThat(left.adapter.context().hasUnused()).isTrue();
            window.release();
            assertThat(left.adapter.context().hasUnused()).isFalse();
        }
    }

    @Test
    void invalidateLetsGoOfARegionThatWasReleased() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            NdSide left = new NdSide(rdma.open("left"));
            NdSide right = new NdSide(rdma.open("right"));
            NdSide.connect(left, right);
            NdMemoryWindow window = left.adapter.createMemoryWindow();
            assertThat(left.qp.bind("bind", left.mr, window, left.address(0), 64, NdOpFlags.ALLOW_READ))
                    .isEqualTo(NdStatus.SUCCESS);
            left.mr.release();
            assertThat(left.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            left.succeeds(NdRequestType.BIND, "bind");
            left.succeeds(NdRequestType.INVALIDATE, "invalidate");
            assertThat(left.adapter.context().hasUnused()).isFalse();
        }
    }
}
