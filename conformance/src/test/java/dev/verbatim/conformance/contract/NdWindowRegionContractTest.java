// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Windows and the life of their region and queue pair, tokens as keys, and silent requests (5.4, MW-10 to MW-15). */
@OnEveryFabric
class NdWindowRegionContractTest extends NdWindowFixture {

    @Test
    void mw10_ndMrDeregister_regionIsBusyUntilTheLastWindowHasGone() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow first = pair.owner.adapter.createMemoryWindow();
            NdMemoryWindow second = pair.owner.adapter.createMemoryWindow();
            NdMemoryWindow third = pair.owner.adapter.createMemoryWindow();
            NdQueuePair other = pair.owner.newQueuePair("other");
            NdSide.connect(pair.peer.newQueuePair("other"), other, 16, 16);
            pair.bind(first, AT, WINDOW_BYTES, 0);
            pair.bind(second, AT, WINDOW_BYTES, NdPair.READ);
            pair.bind(other, third, AT, WINDOW_BYTES, NdPair.READ);
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.invalidate(first);
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            second.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            other.release();
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void ndMrDeregister_twoWindowsNeedTwoInvalidates() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow[] windows = {pair.owner.adapter.createMemoryWindow(), pair.owner.adapter.createMemoryWindow()
            };
            for (NdMemoryWindow window : windows) {
                pair.bind(window, AT, WINDOW_BYTES, 0);
            }
            for (NdMemoryWindow window : windows) {
                assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
                pair.invalidate(window);
            }
            assertThat(pair.owner.deregister(pair.owner.mr)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** The Bind waits for the Read before it, so it has been posted and not executed where time has to pass for that. */
    @Test
    void bindThatWasPostedHoldsItsRegionBeforeItIsExecuted() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.read(
                            "read",
                            pair.owner.sge(0, WINDOW_BYTES),
                            pair.peer.address(0),
                            pair.peer.mr.getRemoteToken(),
                            NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.qp.bind(
                            "bind", region, window, region.addressOf(0), 64, NdPair.READ | NdOpFlags.READ_FENCE))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.DEVICE_BUSY);
            pair.invalidate(window);
            assertThat(pair.owner.deregister(region)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void windowIsUnboundAndUsableAgainWhenItsQueuePairWasReleased() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdQueuePair other = pair.owner.newQueuePair("other");
            NdSide.connect(pair.peer.newQueuePair("other"), other, 16, 16);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int old = pair.bind(other, window, AT, WINDOW_BYTES, NdPair.WRITE);
            other.release();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.WRITE);
            assertThat(token).isNotEqualTo(old);
            assertThat(pair.write(token, pair.owner.address(AT), 8).status()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void mw13_regionWithLocalWriteOnlyGrantsPeersNothingButItsWindowMay() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryRegion region = pair.owner.register(pair.owner.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.owner.qp.bind("bind", region, window, region.addressOf(AT), 64, NdPair.READ | NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.owner.succeeds(NdRequestType.BIND, "bind");
            assertThat(pair.write(window.getRemoteToken(), region.addressOf(AT), 8)
                            .status())
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(region.getRemoteToken()).isZero();
            assertRefused(pair, Integer.reverseBytes(region.getLocalToken()), region.addressOf(AT), 8, false);
        }
    }

    @Test
    void mw12_tokensAreBigEndianKeys() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow window = pair.owner.adapter.createMemoryWindow();
            int token = pair.bind(window, AT, WINDOW_BYTES, NdPair.READ);
            int key = window.life().get(window.life().size() - 1).rkey();
            ByteBuffer stored = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            stored.putInt(0, token);
            assertThat(stored.order(ByteOrder.BIG_ENDIAN).getInt(0)).isEqualTo(key);
        }
    }

    @Test
    void mw15_silentRequestsHoldTheirPlacesUntilALaterResultIsTaken() {
        NdSide.Sizes four = NdSide.Sizes.USUAL.initiatorDepth(4);
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE, four)) {
            int token = pair.owner.mr.getRemoteToken();
            for (int i = 0; i < 3; i++) {
                assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(pair.peer.qp.write("loud", pair.peer.sge(0, 8), pair.owner.address(0), token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
            pair.peer.succeeds(NdRequestType.WRITE, "loud");
            for (int i = 0; i < 4; i++) {
                assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.SUCCESS);
            }
            // Nobody will ever take a result behind these four.
            assertThat(silentWrite(pair, token)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        }
    }

    @Test
    void mw15_silentRequestsFreeTheirPlacesWhenExecutedIfTheProfileSaysSo() {
        NdSide.Sizes four = NdSide.Sizes.USUAL.initiatorDepth(4).cqDepth(2);
        NdProfile profile = NdProfile.REFERENCE.withSilentSlotReclaim(NdProfile.SilentSlotReclaim.ON_EXECUTION);
        try (NdPair pair = NdPair.open(fabric, profile, four)) {
            int token = pair.owner.mr.getRemoteToken();
            for (int i = 0; i < 50; i++) {
                while (silentWrite(pair, token).equals(NdStatus.NO_MORE_ENTRIES)) {
                    assertThat(pair.peer.poll()).isNull();
                }
            }
            while (!pair.peer
                    .qp
                    .write("loud", pair.peer.sge(0, 8), pair.owner.address(0), token, 0)
                    .isSuccess()) {
                assertThat(pair.peer.poll()).isNull();
            }
            pair.peer.succeeds(NdRequestType.WRITE, "loud");
            assertThat(pair.peer.poll()).isNull();
        }
    }

    private static NdStatus silentWrite(NdPair pair, int token) {
        return pair.peer.qp.write(
                "silent", pair.peer.sge(0, 8), pair.owner.address(0), token, NdOpFlags.SILENT_SUCCESS);
    }
}
