// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Windows of RXE_LIKE, as measured on soft-RoCE. */
class RxeLikeWindowTest extends RxeLikeFixture {

    @Test
    @Rule({"MW-32", "MW-01", "WC-33", "MW-60"})
    void failedBindEndsTheBindingQueuePairOnlyAndLeavesTheOldBinding() {
        MemoryRegion region = bench.region();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
        BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_WRITE);
        right.qp.bindWindow(window, WindowBind.signaled(1, info));
        assertThat(right.sent()).isSuccess();
        int good = window.rkey();
        QueuePair binder = bench.anotherQueuePair();
        MemoryRegion noBind = right.pd.register(bench.memory, AccessFlags.LOCAL_WRITE);
        binder.bindWindow(window, WindowBind.signaled(2, BindInfo.of(noBind, AccessFlags.REMOTE_WRITE)));
        assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
        assertState(binder, QpState.ERR);
        bothIn(QpState.RTS, QpState.RTS);
        assertThat(bench.write(region.address(), good, 8)).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    @Rule({"MW-23", "MW-32", "MW-01"})
    void typeOneIsBoundAgainAndTypeTwoIsNot() {
        MemoryRegion region = bench.region();
        BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_WRITE);
        MemoryWindow two = bench.window(MemoryWindowType.TYPE_2);
        bench.bind(two, 1, info);
        for (BindInfo again : List.of(info, new BindInfo(region, region.address(), 0, 0))) {
            QueuePair binder = bench.anotherQueuePair();
            binder.postSend(SendWorkRequest.bindWindow(1, two, 2, again));
            assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
            assertState(binder, QpState.ERR);
        }
        MemoryWindow one = bench.window(MemoryWindowType.TYPE_1);
        QueuePair binder = bench.anotherQueuePair();
        binder.bindWindow(one, WindowBind.signaled(2, info));
        int old = one.rkey();
        binder.bindWindow(one, WindowBind.signaled(3, info));
        assertThat(right.sent()).isSuccess();
        assertThat(right.sent()).isSuccess();
        // Bound over one queue pair, used over another.
        assertThat(bench.write(region.address(), one.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
        assertThat(bench.invalidate(binder, one.rkey())).hasStatus(WcStatus.LOC_QP_OP_ERR);
        assertThat(bench.write(region.address(), old, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Rule({"MW-01", "MW-104"})
    void typeTwoWorksOverItsQueuePairOnly() {
        MemoryRegion region = bench.region();
        int key = bench.bind(bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(region, AccessFlags.REMOTE_WRITE));
        QueuePair other = left.newQueuePair();
        RcConnection.USUAL.join(other, right.newQueuePair());
        other.postSend(SendWorkRequest.write(1, region.address(), key, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    @Rule({"MW-106", "MW-51", "MW-50"})
    void windowMayGrantMoreThanItsRegionAndNothingAtAll() {
        MemoryRegion region = right.pd.register(bench.memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        assertThat(outcome(SendWorkRequest.read(1, region.address(), region.rkey(), left.sge(0, 0))))
                .isEqualTo(WcStatus.SUCCESS);
        bench.bind(bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(region, 0));
        int key = bench.bind(window, 1, BindInfo.of(region, WindowBench.READ_WRITE));
        assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
        MemoryRegion readOnly = right.pd.register(bench.memory, AccessFlags.MW_BIND);
        QueuePair binder = bench.anotherQueuePair();
        binder.postSend(SendWorkRequest.bindWindow(
                2, bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(readOnly, AccessFlags.REMOTE_WRITE)));
        assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
    }

    @Test
    @Rule({"MR-50", "MW-06", "PD-01", "PD-04"})
    void whatIsInUseStays() {
        MemoryRegion region = bench.region();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        int key = bench.bind(window, 1, BindInfo.of(region, AccessFlags.REMOTE_WRITE));
        assertRefused(Errno.EINVAL, "MR-50", region::close);
        assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
        window.close();
        region.close();
        assertRefused(Errno.EBUSY, "PD-01", right.pd::close);
        assertRefused(Errno.EBUSY, "PD-04", right.sendCq::close);
    }

    @Test
    @Rule({"MR-31", "MR-12", "WC-25"})
    void nothingNeedsNoKeyAndRightsAreOfTheRegionAndOfTheQueuePair() {
        assertThat(outcome(SendWorkRequest.write(1, 1, NO_KEY, left.sge(0, 0)))).isEqualTo(WcStatus.SUCCESS);
        assertThat(outcome(SendWorkRequest.read(2, 3, NO_KEY, left.sge(0, 0)))).isEqualTo(WcStatus.SUCCESS);
        MemoryRegion readable =
                right.pd.register(Memory.allocate(8), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        assertThat(bench.write(readable.address(), readable.rkey(), 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        bothIn(QpState.ERR, QpState.ERR);
        QueuePair sender = left.newQueuePair();
        QueuePair reader = right.newQueuePair();
        RcConnection.USUAL.join(sender, reader);
        reader.modify(new QpAttributes().accessFlags(AccessFlags.REMOTE_READ));
        sender.postSend(write(3));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertState(sender, QpState.ERR);
        assertState(reader, QpState.ERR);
    }
}
