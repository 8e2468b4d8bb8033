// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A million windows on one device, with keys in random order. */
@LongTest
class WindowScaleTest {

    private static final int WINDOWS = 1_000_000;
    private static final int SIGNALED_EVERY = 16;
    private static final long MOST_BYTES_OF_A_WINDOW = 160;
    private static final int BYTES = 1 << 16;

    private final WorkCompletion completion = new WorkCompletion();
    private final WorkCompletion[] holders = {completion};

    @Test
    void aMillionBoundWindowsAreSmallAndEachIsItsOwn() {
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(2026).build();
        try (Verbatim rdma = Verbatim.inProcess().profile(profile)) {
            RcPair pair = RcPair.connect(rdma.open("user"), rdma.open("owner"));
            RcPeer owner = pair.right();
            Memory memory = Memory.allocate(BYTES);
            MemoryRegion region = owner.pd().register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            MemoryWindow[] windows = new MemoryWindow[WINDOWS];
            long before = usedBytes();
            for (int i = 0; i < WINDOWS; i++) {
                windows[i] = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
                SendWorkRequest bind = SendWorkRequest.bindWindow(i, windows[i], i, place(region, i));
                boolean signaled = i % SIGNALED_EVERY == SIGNALED_EVERY - 1;
                owner.qp().postSend(signaled ? bind : bind.unsignaled());
                if (signaled) {
                    await(owner);
                }
            }
            long bytesOfAWindow = (usedBytes() - before) / WINDOWS;
            assertThat(bytesOfAWindow).isLessThanOrEqualTo(MOST_BYTES_OF_A_WINDOW);

            for (int i = 0; i < WINDOWS; i += 9_999) {
                pair.left().memory().buffer().put(0, (byte) i);
                int key = windows[i].currentRkey();
                pair.left()
                        .qp()
                        .postSend(SendWorkRequest.write(
                                i, place(region, i).address(), key, pair.left().sge(0, 1)));
                await(pair.left());
                assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(memory.buffer().get(i % BYTES)).isEqualTo((byte) i);
            }
            owner.qp().postSend(SendWorkRequest.localInvalidate(1, windows[WINDOWS / 2].currentRkey()));
            await(owner);
            assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
        }
    }

    private static BindInfo place(MemoryRegion region, int number) {
        return new BindInfo(region, region.address() + number % BYTES, 1, AccessFlags.REMOTE_WRITE);
    }

    private void await(RcPeer peer) {
        Await.until("a completion", () -> peer.sent().poll(holders) > 0);
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
