// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** COMPARE_AND_SWAP and FETCH_AND_ADD: WR-34 to WR-38, T-16, TV-12. */
class AtomicTest {

    private static final long TARGET = 40;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final Side left = pair.left;
    private final Side right = pair.right;

    private SendWorkRequest add(long add, Sge... result) {
        return SendWorkRequest.fetchAndAdd(1, right.address((int) TARGET), right.rkey(), add, result);
    }

    private SendWorkRequest swap(long compare, long swap) {
        return SendWorkRequest.compareAndSwap(
                2, right.address((int) TARGET), right.rkey(), compare, swap, left.sge(8, 8));
    }

    private void target(long value) {
        right.bytes().putLong((int) TARGET, value);
    }

    private long target() {
        return right.bytes().getLong((int) TARGET);
    }

    @Test
    @Rule({"TV-12", "WR-36"})
    void fetchAndAddWrapsAroundAndReturnsThePriorValue() {
        target(0xffff_ffff_ffff_ffffL);
        left.qp.postSend(add(2, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.FETCH_ADD).hasByteLength(8);
        assertThat(target()).isEqualTo(1);
        assertThat(left.bytes().getLong(8)).isEqualTo(0xffff_ffff_ffff_ffffL);
    }

    @Test
    @Rule({"TV-12", "WR-36"})
    void compareAndSwapStoresOnEqualityOnlyAndReturnsThePriorValueAlways() {
        target(0x0102_0304_0506_0708L);
        left.qp.postSend(swap(7, 9));
        assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.COMP_SWAP).hasByteLength(8);
        assertThat(target()).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(left.bytes().getLong(8)).isEqualTo(0x0102_0304_0506_0708L);

        left.bytes().putLong(8, 0);
        left.qp.postSend(swap(0x0102_0304_0506_0708L, -2));
        assertThat(left.sent()).isSuccess();
        assertThat(target()).isEqualTo(-2);
        assertThat(left.bytes().getLong(8)).isEqualTo(0x0102_0304_0506_0708L);
    }

    @Test
    @Rule("WR-36")
    void addOfZeroOnlyLoads() {
        target(0x8000_0000_0000_0001L);
        left.qp.postSend(add(0, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(target()).isEqualTo(0x8000_0000_0000_0001L);
        assertThat(left.bytes().getLong(8)).isEqualTo(0x8000_0000_0000_0001L);
    }

    @Test
    @Rule("WR-36")
    void neighboursOfTheTargetAreLeftAlone() {
        right.bytes().putLong((int) TARGET - 8, -1).putLong((int) TARGET + 8, -1);
        left.bytes().putLong(0, 5).putLong(16, 6);
        left.qp.postSend(add(-1, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.bytes().getLong((int) TARGET - 8)).isEqualTo(-1);
        assertThat(right.bytes().getLong((int) TARGET + 8)).isEqualTo(-1);
        assertThat(left.bytes().getLong(0)).isEqualTo(5);
        assertThat(left.bytes().getLong(16)).isEqualTo(6);
        assertThat(target()).isEqualTo(-1);
    }

    @Test
    @Rule("WR-34")
    void resultMayBeSplitOverElementsThatTotalEightBytes() {
        long prior = 0x1122_3344_5566_7788L;
        target(prior);
        left.qp.postSend(add(1, left.sge(0, 4), left.sge(16, 4)));
        assertThat(left.sent()).isSuccess();
        left.bytes().putInt(4, left.bytes().getInt(16));
        assertThat(left.bytes().getLong(0)).isEqualTo(prior);

        left.qp.postSend(add(1, left.sge(101, 1), left.sge(0, 0), left.sge(110, 5), left.sge(120, 2)));
        assertThat(left.sent()).isSuccess();
        byte[] result = new byte[8];
        left.bytes().get(101, result, 0, 1).get(110, result, 1, 5).get(120, result, 6, 2);
        left.bytes().put(0, result);
        assertThat(left.bytes().getLong(0)).isEqualTo(prior + 1);

        // Of another size it fails, with nothing changed.
        left.qp.postSend(add(1, left.sge(0, 4), left.sge(16, 5)));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_LEN_ERR).isExplainedBy("WR-34", "8 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7, 9, 16, 4096})
    @Rule("WR-34")
    void atomicOfAnotherSizeChangesNothing(int count) {
        target(3);
        long[] word = {left.bytes().getLong(8)};
        List<SendWorkRequest> requests = new ArrayList<>(List.of(add(1, left.sge(8, count))));
        if (count == 0) {
            requests.add(add(1));
        }
        for (SendWorkRequest request : requests) {
            QueuePair qp = left.newQueuePair();
            QueuePair peer = right.newQueuePair();
            RcConnection.connect(qp, peer);
            qp.postSend(request);
            assertThat(left.sent()).hasStatus(WcStatus.LOC_LEN_ERR).isExplainedBy("WR-34", "" + count);
            assertState(qp, QpState.ERR);
            assertState(peer, QpState.RTS);
        }
        assertThat(target()).isEqualTo(3);
        assertThat(left.bytes().getLong(8)).isEqualTo(word[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    @Rule({"T-16", "WR-35", "WC-26"})
    void atomicAtAnUnalignedAddressIsAnInvalidRequestWhateverTheKeys(int offset) {
        target(3);
        long address = right.address((int) TARGET) + offset;
        Sge result = left.sge(8, 8);
        Sge badResult = new Sge(left.address(8), 8, 0xbad);
        for (SendWorkRequest request : List.of(
                SendWorkRequest.fetchAndAdd(1, address, right.rkey(), 1, result),
                SendWorkRequest.compareAndSwap(1, address, right.rkey(), 3, 4, result),
                SendWorkRequest.fetchAndAdd(1, address, 0xbad, 1, result),
                SendWorkRequest.fetchAndAdd(1, address, right.rkey(), 1, badResult),
                SendWorkRequest.fetchAndAdd(1, 0x1000 + offset, 0xbad, 1, badResult))) {
            QueuePair qp = left.newQueuePair();
            QueuePair peer = right.newQueuePair();
            RcConnection.connect(qp, peer);
            qp.postSend(request);
            assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
            assertState(qp, QpState.ERR);
            assertState(peer, QpState.ERR);
            assertEvent(right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, peer);
        }
        assertThat(target()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4})
    @Rule("WR-35")
    void alignmentIsThatOfTheAddressOnTheWire(long iova) {
        MemoryRegion region = right.pd.registerIova(right.region.memory(), (int) TARGET, 16, 0x1000, Side.ALL_RIGHTS);
        right.bytes().putLong((int) TARGET, 10);
        left.qp.postSend(SendWorkRequest.fetchAndAdd(1, 0x1000 + iova, region.rkey(), 1, left.sge(8, 8)));
        assertThat(left.sent()).hasStatus(iova == 0 ? WcStatus.SUCCESS : WcStatus.REM_INV_REQ_ERR);
        assertThat(right.bytes().getLong((int) TARGET)).isEqualTo(iova == 0 ? 11 : 10);
        if (iova == 0) {
            left.qp.postSend(SendWorkRequest.fetchAndAdd(1, 0x1001, region.rkey(), 1, left.sge(8, 8)));
            assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        }
    }

    @Test
    @Rule({"WR-38", "WC-25"})
    void atomicNeedsTheRightOfQueuePairAndOfRegion() {
        int withoutAtomic = Side.ALL_RIGHTS & ~AccessFlags.REMOTE_ATOMIC;
        MemoryRegion region = right.pd.register(right.region.memory(), withoutAtomic);
        target(3);
        left.qp.postSend(SendWorkRequest.fetchAndAdd(1, right.address((int) TARGET), region.rkey(), 1, left.sge(8, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, right.qp);

        QueuePair qp = left.newQueuePair();
        QueuePair peer = right.newQueuePair();
        RcConnection.USUAL.withAccess(withoutAtomic).join(qp, peer);
        qp.postSend(add(1, left.sge(8, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, peer);
        assertThat(target()).isEqualTo(3);

        QueuePair allowed = left.newQueuePair();
        RcConnection.USUAL.withAccess(AccessFlags.REMOTE_ATOMIC).join(allowed, right.newQueuePair());
        allowed.postSend(add(1, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(target()).isEqualTo(4);
    }

    @Test
    @Rule("WR-36")
    void operandsTravelBigEndianAndLieInMemoryAsTheHostHasThem() {
        try (RcPair self = RcPair.inProcess(QpCapabilities.USUAL)) {
            RcConnection.connect(self.left.qp, self.left.qp);
            self.left.bytes().putLong(0, 0x0102_0304_0506_0708L);
            self.left.qp.postSend(SendWorkRequest.compareAndSwap(
                    1,
                    self.left.address(0),
                    self.left.rkey(),
                    0x0102_0304_0506_0708L,
                    0x1112_1314_1516_1718L,
                    self.left.sge(64, 8)));
            assertThat(self.left.sent()).isSuccess();
            byte[] request = self.tap.sentBy("left").get(0).packet().emit();
            assertThat(request).endsWith(0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 1, 2, 3, 4, 5, 6, 7, 8);
            assertThat(self.left.bytes().getLong(0)).isEqualTo(0x1112_1314_1516_1718L);
            assertThat(self.left.bytes().getLong(64)).isEqualTo(0x0102_0304_0506_0708L);
        }
    }
}
