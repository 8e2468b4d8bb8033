// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for programs in Java in particular: what one thread may conclude from what it polled, and unsigned numbers. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublicationTest {

    private static final int ROUNDS = Tries.of("publications", 500, 2_000, 50_000);
    private static final int WORDS = 16;
    private static final long KEY_SEED = 1;

    /** So many that some of their keys have the highest bit set. */
    private static final DeviceLimits MANY_WINDOWS =
            DeviceLimits.DEFAULT.toBuilder().maxMw(1 << 23).build();

    @Test
    @Rule("N-02")
    void whoPollsACompletionSeesWhatWasPlacedBeforeItWhoeverMovedTheDevice() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (RcPair pair = RcPair.inProcess()) {
            Future<?> reader = threads.submit(() -> readEachMessage(pair.right));
            for (int round = 1; round <= ROUNDS; round++) {
                for (int word = 0; word < WORDS; word++) {
                    pair.left.bytes().putLong(word * Long.BYTES, round);
                }
                pair.left.qp.postSend(SendWorkRequest.writeWithImmediate(
                        round, pair.right.address(0), pair.right.rkey(), round, pair.left.sge(0, WORDS * Long.BYTES)));
                assertThat(pair.left.sent()).isSuccess().hasId(round);
            }
            Await.result("the reader", reader);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A receive is there for the next message only when this one was read: so nobody writes meanwhile. */
    private static void readEachMessage(Side side) {
        for (int round = 1; round <= ROUNDS; round++) {
            side.qp.postRecv(ReceiveWorkRequest.of(round));
            WorkCompletion completion = side.received();
            assertThat(completion).isSuccess();
            assertThat(completion.immediate()).isEqualTo(round);
            for (int word = 0; word < WORDS; word++) {
                assertThat(side.bytes().getLong(word * Long.BYTES)).isEqualTo(round);
            }
        }
    }

    @Test
    @Rule("N-04")
    void keyWithItsHighestBitSetWorksLikeAnyOther() {
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .limits(MANY_WINDOWS)
                .randomKeys(KEY_SEED)
                .build();
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(profile), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            while (window.rkey() >= 0) {
                window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            }
            MemoryRegion region =
                    pair.right.pd.register(pair.right.region.memory(), Side.ALL_RIGHTS | AccessFlags.MW_BIND);
            BindInfo info = new BindInfo(region, pair.right.address(0), 64, Side.ALL_RIGHTS & ~1);
            pair.right.qp.postSend(SendWorkRequest.bindWindow(1, window, window.rkey() + 1, info));
            assertThat(pair.right.sent()).isSuccess();
            int key = window.rkey() + 1;
            assertThat(key).isNegative();
            pair.left.qp.postSend(SendWorkRequest.write(2, pair.right.address(0), key, pair.left.sge(0, 64)));
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule("QP-09")
    void dataLandsInOrderWhereNothingIsHeldBack() {
        try (RcPair pair = RcPair.inProcess()) {
            assertThat(pair.left.qp.queryDataInOrder(WrOpcode.RDMA_WRITE)).isTrue();
            pair.left.qp.postSend(
                    SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 64)));
            assertThat(pair.left.sent()).isSuccess();
        }
    }
}
