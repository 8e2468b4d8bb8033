// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A window is deallocated in the middle of a message, by somebody who watches (MW-07): whatever the step, the bytes are safe. */
class WindowDeallocationTest {

    private static final int MTU = 1024;
    private static final int BYTES = 6 * MTU;
    private static final byte OLD = 0x11;
    private static final byte NEW = 0x22;
    private static final byte SENTINEL = 0x33;

    private final RecordingTap tap = new RecordingTap();
    private @Nullable Class<? extends TraceEvent> place;
    private int left;
    private Runnable action = () -> {};

    /** What the watcher does when the right device comes to this place for the n-th time. */
    private void when(Class<? extends TraceEvent> where, int times, Runnable what) {
        place = where;
        left = times;
        action = what;
    }

    private void watch(TraceEvent event) {
        tap.on(event);
        if (place != null && place.isInstance(event) && event.device().equals("right") && --left == 0) {
            action.run();
        }
    }

    private RcPair pair() {
        Verbatim rdma = Verbatim.inProcess().tap(this::watch);
        return new RcPair(
                        new Side(rdma.open("left"), QpCapabilities.USUAL),
                        new Side(rdma.open("right"), QpCapabilities.USUAL),
                        tap,
                        rdma::close)
                .connect(RcPair.WITHOUT_TIMER);
    }

    private static void fill(Memory memory, byte value) {
        byte[] bytes = new byte[(int) memory.sizeBytes()];
        Arrays.fill(bytes, value);
        memory.buffer().put(0, bytes);
    }

    /** Asserts that memory begins with so many bytes of the one value and goes on with the other. */
    private static void assertPrefix(Memory memory, int count, byte first, byte second) {
        for (int i = 0; i < BYTES; i++) {
            assertThat(memory.buffer().get(i)).as("byte %d", i).isEqualTo(i < count ? first : second);
        }
    }

    @ParameterizedTest
    @CsvSource({"MemoryTouched, 1", "MemoryTouched, 2", "PacketSent, 1", "PacketSent, 2", "PacketSent, 5"})
    @Rule({"MW-07", "MW-92", "MW-08"})
    void responseUnderWayHasTheBytesThatWereThereWhenItsWindowWasDeallocated(String where, int packet)
            throws ReflectiveOperationException {
        try (RcPair pair = pair()) {
            MemoryRegion source = pair.right.pd.register(Memory.allocate(BYTES), AccessFlags.MW_BIND);
            MemoryRegion result = pair.left.pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE);
            fill(source.memory(), NEW);
            fill(result.memory(), OLD);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            int key = bind(pair, window, BindInfo.of(source, AccessFlags.REMOTE_READ));
            when(event(where), packet, () -> {
                window.close();
                fill(source.memory(), SENTINEL);
            });
            pair.left.qp.postSend(SendWorkRequest.read(2, source.address(), key, result.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
            assertPrefix(result.memory(), packet * MTU, NEW, OLD);
            assertState(pair.right.qp, QpState.ERR);
        }
    }

    @ParameterizedTest
    @CsvSource({"MemoryTouched, 1, 1", "MemoryTouched, 3, 3", "PacketReceived, 1, 0", "PacketReceived, 4, 3"})
    @Rule({"MW-07", "MW-92", "MW-08", "N7"})
    void writeUnderWayEndsWhereItsWindowWasDeallocated(String where, int times, int placed)
            throws ReflectiveOperationException {
        try (RcPair pair = pair()) {
            MemoryRegion target =
                    pair.right.pd.register(Memory.allocate(BYTES), AccessFlags.MW_BIND | AccessFlags.LOCAL_WRITE);
            MemoryRegion source = pair.left.pd.register(Memory.allocate(BYTES), 0);
            fill(source.memory(), NEW);
            fill(target.memory(), OLD);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            int key = bind(pair, window, BindInfo.of(target, AccessFlags.REMOTE_WRITE));
            when(event(where), times, window::close);
            pair.left.qp.postSend(SendWorkRequest.write(2, target.address(), key, source.sge()));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
            assertPrefix(target.memory(), placed * MTU, NEW, OLD);
            assertState(pair.right.qp, QpState.ERR);
        }
    }

    private static int bind(RcPair pair, MemoryWindow window, BindInfo info) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 7, info);
        pair.right.qp.postSend(bind);
        assertThat(pair.right.sent()).isSuccess();
        return bind.boundKey();
    }

    private static Class<? extends TraceEvent> event(String name) throws ReflectiveOperationException {
        return Class.forName(TraceEvent.class.getName() + "$" + name).asSubclass(TraceEvent.class);
    }
}
