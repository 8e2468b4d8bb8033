// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.function.UnaryOperator;

/** Two devices in virtual time whose windows behave as some switches say; the right one owns memory and windows. */
final class WindowBench implements AutoCloseable {

    static final int REGION_BYTES = 256;
    static final int READ_WRITE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
    private static final int LOCAL_RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    final RcPair pair;
    final Memory memory = Memory.allocate(REGION_BYTES);

    private WindowBench(DeviceProfile profile) {
        Verbatim rdma = Verbatim.over(new LossyFabric(1, LinkFaults.NONE)).profile(profile);
        pair = RcPair.over(rdma, QpCapabilities.USUAL).connect(RcConnection.USUAL);
    }

    /** As the rules have it. */
    static WindowBench strict() {
        return new WindowBench(DeviceProfile.STRICT_IBTA);
    }

    static WindowBench of(DeviceProfile profile) {
        return new WindowBench(profile);
    }

    /** As the rules have it but for what is changed here. */
    static WindowBench with(UnaryOperator<WindowSwitches.Builder> change) {
        WindowSwitches switches =
                change.apply(WindowSwitches.STRICT.toBuilder()).build();
        return new WindowBench(
                DeviceProfile.STRICT_IBTA.toBuilder().windows(switches).build());
    }

    /** A region of the right side, for windows. */
    MemoryRegion region(int moreRights) {
        return pair.right.pd.register(memory, LOCAL_RIGHTS | moreRights);
    }

    MemoryRegion region() {
        return region(0);
    }

    MemoryWindow window(MemoryWindowType type) {
        return pair.right.pd.allocateWindow(type);
    }

    /** One more queue pair of the right side, connected to one of the left that is returned with it. */
    QueuePair anotherQueuePair() {
        QueuePair right = pair.right.newQueuePair();
        RcConnection.USUAL.join(pair.left.newQueuePair(), right);
        return right;
    }

    /** Binds a window of type 2 over the right queue pair; the key that it has then. */
    int bind(MemoryWindow window, int variant, BindInfo info) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(100, window, variant, info);
        pair.right.qp.postSend(bind);
        assertThat(pair.right.sent()).isSuccess();
        return bind.boundKey();
    }

    WorkCompletion invalidate(QueuePair qp, int key) {
        qp.postSend(SendWorkRequest.localInvalidate(101, key));
        return pair.right.sent();
    }

    /** The left queue pair writes bytes by a key; the status of it. */
    WcStatus write(long address, int key, int lengthBytes) {
        pair.left.qp.postSend(SendWorkRequest.write(102, address, key, pair.left.sge(0, lengthBytes)));
        return pair.left.sent().status();
    }

    @Override
    public void close() {
        pair.close();
    }
}
