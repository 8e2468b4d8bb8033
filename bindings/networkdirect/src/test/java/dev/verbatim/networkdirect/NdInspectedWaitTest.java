// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.inspect.CqInspector;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tools that watch a device hear of NetworkDirect's waits, as of those for a completion channel. */
class NdInspectedWaitTest {

    private static final CqInspector UNINTERESTED = new CqInspector() {
        @Override
        public void polled(@Nullable QpInspector user, WorkCompletion completion, boolean ofReceive, long sendsDone) {}

        @Override
        public void foundNothing() {}

        @Override
        public void armed(boolean solicitedOnly, long waiting) {}

        @Override
        public void statusSeen() {}
    };

    /** Nothing comes within this time: the wait ends because it is interrupted once it is told. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Counts waits for completion events, and ends each. */
    private static final class Waits implements DeviceInspector {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public QpInspector queuePair(int number, QpInitAttributes attributes, int srq) {
            throw new AssertionError("no queue pair is made here");
        }

        @Override
        public CqInspector completionQueue(CompletionQueue cq) {
            return UNINTERESTED;
        }

        @Override
        public void waitsFor(CompletionChannel channel, boolean hasEvent) {
            count.incrementAndGet();
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void waitForANotifyIsTold() {
        Waits waits = new Waits();
        try (InProcessFabric fabric = new InProcessFabric()) {
            Device device = EmulatedDevice.open(
                    fabric, "a", fabric.freshGuid(), DeviceProfile.STRICT_IBTA, null, opened -> waits);
            NdAdapter adapter = NdProvider.of(NdProfile.REFERENCE, device)
                    .openAdapter(device.query().guid());
            NdCompletionQueue cq = adapter.createCompletionQueue(adapter.createOverlappedFile(), 4, 0, 0);
            NdOverlapped overlapped = new NdOverlapped();
            assertThat(cq.notify(NdNotifyType.ANY, overlapped)).isEqualTo(NdStatus.PENDING);
            assertThat(waits.count).hasValue(0);
            assertThat(cq.getOverlappedResult(overlapped, PATIENCE)).isEqualTo(NdStatus.PENDING);
            assertThat(waits.count).hasValue(1);
            assertThat(Thread.interrupted()).isTrue();
            device.closeAll();
        }
    }
}
