// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What deregistration ends, and when (section A.6). */
class DeregistrationTest {

    private static final int MTU = 1024;
    private static final int PACKETS = 6;
    private static final int BYTES = PACKETS * MTU;
    private static final byte OLD = 0x11;
    private static final byte NEW = 0x22;

    /** A pair whose devices' events go to {@code watcher} too, on the lane, as they happen. */
    private static RcPair watchedBy(Consumer<TraceEvent> watcher) {
        RecordingTap tap = new RecordingTap();
        Verbatim rdma = Verbatim.inProcess().tap(event -> {
            tap.on(event);
            watcher.accept(event);
        });
        Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
        Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
        return new RcPair(left, right, tap, rdma::close).connect(RcPair.WITHOUT_TIMER);
    }

    private static MemoryRegion filled(Side side, byte value) {
        Memory memory = Memory.allocate(BYTES);
        fill(memory, value);
        return side.pd.register(memory, Side.ALL_RIGHTS);
    }

    private static void fill(Memory memory, byte value) {
        for (int i = 0; i < memory.sizeBytes(); i++) {
            memory.buffer().put(i, value);
        }
    }

    /** The first bytes are {@code prefix}, all others {@code rest}; returns how many are {@code prefix}. */
    private static int assertPrefix(Memory memory, byte prefix, byte rest) {
        int count = 0;
        while (count < memory.sizeBytes() && memory.buffer().get(count) == prefix) {
            count++;
        }
        for (int i = count; i < memory.sizeBytes(); i++) {
            assertThat(memory.buffer().get(i))
                    .as("byte %d of %d", i, memory.sizeBytes())
                    .isEqualTo(rest);
        }
        return count;
    }

    /** Runs once, when the event that it waits for has come for the n-th time. */
    private static final class Trigger implements Consumer<TraceEvent> {

        private final String device;
        private final Class<? extends TraceEvent> kind;
        private int left;
        private @Nullable Runnable action;

        Trigger(String device, Class<? extends TraceEvent> kind, int times) {
            this.device = device;
            this.kind = kind;
            this.left = times;
        }

        void then(Runnable runnable) {
            action = runnable;
        }

        @Override
        public void accept(TraceEvent event) {
            Runnable now = action;
            if (now != null && kind.isInstance(event) && event.device().equals(device) && --left == 0) {
                action = null;
                now.run();
            }
        }
    }

    @Test
    @Rule("MR-56")
    void deregisteringTwiceIsDetectedAndHarmsNoOther() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion first = pair.right.pd.register(Memory.allocate(8), 0);
            first.close();
            MemoryRegion second = filled(pair.right, OLD);
            assertRefused(Errno.ENOENT, "MR-56", first::close, "was deregistered before", first.toString());
            pair.left.qp.postSend(SendWorkRequest.read(1, second.address(), second.rkey(), pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess();
            pair.right.region.close();
            assertRefused(Errno.EBUSY, "PD-01", pair.right.pd::close, "regions=1");
        }
    }

    @Test
    @Rule({"MR-55", "KEY-P2"})
    void keysOfDeregisteredRegionAreUnknownToPeers() {
        for (int operation = 0; operation < 3; operation++) {
            try (RcPair pair = RcPair.inProcess()) {
                MemoryRegion region = filled(pair.right, OLD);
                region.close();
                pair.left.qp.postSend(
                        switch (operation) {
                            case 0 -> SendWorkRequest.write(1, region.address(), region.rkey(), pair.left.sge(0, 1));
                            case 1 -> SendWorkRequest.read(1, region.address(), region.rkey(), pair.left.sge(0, 1));
                            default ->
                                SendWorkRequest.fetchAndAdd(1, region.address(), region.rkey(), 1, pair.left.sge(0, 8));
                        });
                assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
                assertEndedFor(pair, "MR-55", region.rkey());
                assertPrefix(region.memory(), OLD, OLD);
            }
        }
    }

    private static void assertEndedFor(RcPair pair, String rule, int key) {
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, QpState.ERR);
        AsyncEvent event = pair.right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.refusal().rule()).isEqualTo(rule);
        assertThat(event.refusal().sentence()).contains(String.format(Locale.ROOT, "key 0x%08x", key), "deregistered");
        assertEvent(event, EventType.QP_ACCESS_ERR, pair.right.qp);
    }

    @Test
    @Rule({"MR-55", "KEY-P5", "KEY-P3", "KEY-P2"})
    void oldKeyStaysDeadWhenItsIndexIsUsedAgain() {
        DeviceLimits limits = DeviceLimits.DEFAULT.toBuilder().maxMr(2).build();
        DeviceProfile small =
                DeviceProfile.STRICT_IBTA.toBuilder().limits(limits).build();
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(small), new QpCapabilities(8, 8, 2, 2, 0))
                .connect(RcPair.WITHOUT_TIMER)) {
            MemoryRegion old = filled(pair.right, OLD);
            old.close();
            MemoryRegion successor = pair.right.pd.register(old.memory(), Side.ALL_RIGHTS);
            assertThat(successor.rkey() >>> 8).as("the index").isEqualTo(old.rkey() >>> 8);
            pair.left.qp.postSend(SendWorkRequest.read(1, old.address(), successor.rkey(), pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess();
            pair.left.qp.postSend(SendWorkRequest.read(2, old.address(), old.rkey(), pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertEndedFor(pair, "MR-55", old.rkey());
        }
    }

    @Test
    @Rule({"MR-52", "MR-55", "WC-21"})
    void messageForDeregisteredReceiveBufferFailsBothSides() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion buffer = filled(pair.right, OLD);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, buffer.sge()));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(2, buffer.sge()));
            buffer.close();
            pair.left.qp.postSend(SendWorkRequest.send(3, pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).hasId(3).hasStatus(WcStatus.REM_OP_ERR);
            assertThat(pair.right.received())
                    .hasId(1)
                    .hasStatus(WcStatus.LOC_PROT_ERR)
                    .isExplainedBy("MR-55", String.format(Locale.ROOT, "key 0x%08x", buffer.lkey()), "deregistered");
            assertThat(pair.right.received()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(pair.left.qp, QpState.ERR);
            assertState(pair.right.qp, QpState.ERR);
            assertPrefix(buffer.memory(), OLD, OLD);
        }
    }

    @Test
    @Rule({"MR-53", "MR-55"})
    void postedRequestsThatHaveNotRunFailWhenTheirRegionIsGone() {
        for (boolean read : new boolean[] {true, false}) {
            try (RcPair pair = RcPair.inProcess()) {
                MemoryRegion local = filled(pair.left, OLD);
                SendWorkRequest first = read
                        ? SendWorkRequest.read(1, pair.right.address(0), pair.right.rkey(), local.sge())
                        : SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), local.sge());
                // On the lane nothing that is posted runs before this is over.
                ((EmulatedDevice) pair.left.device).context().lane().call(() -> {
                    pair.left.qp.postSend(first);
                    pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
                    local.close();
                });
                assertThat(pair.left.sent())
                        .hasId(1)
                        .hasStatus(WcStatus.LOC_PROT_ERR)
                        .isExplainedBy("MR-55", "deregistered");
                assertThat(pair.left.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
                assertState(pair.right.qp, QpState.RTS);
                assertPrefix(local.memory(), OLD, OLD);
                assertThat(pair.right.bytes().get(0)).isZero();
            }
        }
    }

    @Test
    @Rule("MR-53")
    void requestsThatHaveRunSucceedThoughTheirRegionIsGoneBeforeTheyArePolled() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion local = filled(pair.left, OLD);
            pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), local.sge()));
            pair.left.qp.postSend(SendWorkRequest.read(2, pair.right.address(0), pair.right.rkey(), local.sge()));
            local.close();
            assertThat(pair.left.sent()).hasId(1).isSuccess();
            assertThat(pair.left.sent()).hasId(2).isSuccess();
            assertThat(pair.right.bytes().get(BYTES - 1)).isEqualTo(OLD);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, PACKETS})
    @Rule({"MR-54", "N-01"})
    void writeUnderWayStopsWhereItsTargetIsDeregistered(int packet) {
        Trigger trigger = new Trigger("right", TraceEvent.PacketReceived.class, packet);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.left, NEW);
            MemoryRegion target = filled(pair.right, OLD);
            trigger.then(target::close);
            pair.left.qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), source.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(assertPrefix(target.memory(), NEW, OLD)).isEqualTo((packet - 1) * MTU);
            assertEndedFor(pair, "MR-55", target.rkey());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, PACKETS - 1})
    @Rule({"MR-54", "N-01"})
    void readUnderWayStopsWhereItsSourceIsDeregistered(int response) {
        Trigger trigger = new Trigger("left", TraceEvent.PacketReceived.class, response);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.right, NEW);
            MemoryRegion result = filled(pair.left, OLD);
            trigger.then(() -> {
                source.close();
                fill(source.memory(), (byte) 0x33);
            });
            pair.left.qp.postSend(SendWorkRequest.read(1, source.address(), source.rkey(), result.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(assertPrefix(result.memory(), NEW, OLD)).isEqualTo(response * MTU);
            assertEndedFor(pair, "MR-55", source.rkey());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, PACKETS})
    @Rule({"MR-53", "MR-54", "WC-30"})
    void readUnderWayStopsWhereItsResultIsDeregistered(int response) {
        Trigger trigger = new Trigger("left", TraceEvent.PacketReceived.class, response);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.right, NEW);
            MemoryRegion result = filled(pair.left, OLD);
            trigger.then(result::close);
            pair.left.qp.postSend(SendWorkRequest.read(1, source.address(), source.rkey(), result.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-55", "deregistered");
            assertThat(assertPrefix(result.memory(), NEW, OLD)).isEqualTo((response - 1) * MTU);
            assertState(pair.right.qp, QpState.RTS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, PACKETS})
    @Rule({"MR-52", "MR-54", "WC-21"})
    void sendUnderWayStopsWhereItsReceiveBufferIsDeregistered(int packet) {
        Trigger trigger = new Trigger("right", TraceEvent.PacketReceived.class, packet);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.left, NEW);
            MemoryRegion buffer = filled(pair.right, OLD);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, buffer.sge()));
            trigger.then(buffer::close);
            pair.left.qp.postSend(SendWorkRequest.send(2, source.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
            assertThat(pair.right.received()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-55", "deregistered");
            assertThat(assertPrefix(buffer.memory(), NEW, OLD)).isEqualTo((packet - 1) * MTU);
        }
    }

    /** Places in the making of a packet at which a tap may deregister what the packet is made of. */
    private static List<Class<? extends TraceEvent>> placesOfSending() {
        return List.of(TraceEvent.MemoryTouched.class, TraceEvent.PacketSent.class);
    }

    @ParameterizedTest
    @MethodSource("placesOfSending")
    @Rule({"MR-53", "MR-54", "N-01"})
    void packetUnderWayHasTheBytesThatWereThereWhenItsSourceWasDeregistered(Class<? extends TraceEvent> place) {
        Trigger trigger = new Trigger("left", place, 2);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.left, NEW);
            MemoryRegion target = filled(pair.right, OLD);
            trigger.then(() -> {
                source.close();
                fill(source.memory(), (byte) 0x33);
            });
            pair.left.qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), source.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-55", "deregistered");
            assertThat(assertPrefix(target.memory(), NEW, OLD)).isEqualTo(2 * MTU);
        }
    }

    @ParameterizedTest
    @MethodSource("placesOfSending")
    @Rule({"MR-54", "N-01"})
    void responseUnderWayHasTheBytesThatWereThereWhenItsSourceWasDeregistered(Class<? extends TraceEvent> place) {
        Trigger trigger = new Trigger("right", place, 2);
        try (RcPair pair = watchedBy(trigger)) {
            MemoryRegion source = filled(pair.right, NEW);
            MemoryRegion result = filled(pair.left, OLD);
            trigger.then(() -> {
                source.close();
                fill(source.memory(), (byte) 0x33);
            });
            pair.left.qp.postSend(SendWorkRequest.read(1, source.address(), source.rkey(), result.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(assertPrefix(result.memory(), NEW, OLD)).isEqualTo(2 * MTU);
        }
    }
}
