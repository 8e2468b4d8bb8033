// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.EmulatedProtectionDomain;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** Memory that throws when the device uses it, as that of a closed arena does: a failure of the one request, explained. */
class UnusableMemoryTest {

    private static final int BYTES = 64;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    /** A region that claims twice the bytes that its memory has: using those behind the end throws. */
    private static MemoryRegion broken(Side side) {
        Memory memory = Memory.allocate(BYTES);
        return claim(side, memory, 2 * BYTES);
    }

    /** A region with all rights, whatever the memory says to that. */
    private static MemoryRegion claim(Side side, Memory memory, int lengthBytes) {
        EmulatedDevice device = (EmulatedDevice) side.device;
        EmulatedProtectionDomain pd = (EmulatedProtectionDomain) side.pd;
        return device.context().onLane(() -> {
            int lkey = device.memory().keys().nextRegionKey(0);
            EmulatedMemoryRegion region = new EmulatedMemoryRegion(
                    pd.identity(),
                    memory,
                    0,
                    lengthBytes,
                    memory.address(),
                    Side.ALL_RIGHTS,
                    lkey,
                    Rkey.increment(lkey),
                    0);
            device.memory().keys().add(region);
            return new RegionHandle(device.memory(), region);
        });
    }

    private static void assertEventTells(RcPair pair, String rule) {
        AsyncEvent event = pair.right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.refusal().rule()).isEqualTo(rule);
        assertThat(event.refusal().sentence()).contains("cannot be used", "Exception");
        assertEvent(event, EventType.QP_ACCESS_ERR, pair.right.qp);
    }

    @Test
    @Rule("MR-08")
    void sourceThatThrowsFailsItsRequestAlone() {
        Sge bad = broken(pair.left).sge(BYTES, 8);
        pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), bad));
        assertThat(pair.left.sent())
                .hasStatus(WcStatus.LOC_PROT_ERR)
                .isExplainedBy("MR-08", "cannot be used", "IndexOutOfBounds");
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, QpState.RTS);
    }

    @Test
    @Rule("MR-08")
    void resultThatThrowsFailsItsRequestAlone() {
        Sge bad = broken(pair.left).sge(BYTES, 8);
        pair.left.qp.postSend(SendWorkRequest.read(1, pair.right.address(0), pair.right.rkey(), bad));
        assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-08");
        assertState(pair.right.qp, QpState.RTS);
    }

    @Test
    @Rule({"MR-08", "WC-39"})
    void receiveBufferThatThrowsFailsBothSides() {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, broken(pair.right).sge(BYTES, 8)));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.right.received()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-08", "cannot be used");
    }

    @Test
    @Rule({"MR-08", "WC-39"})
    void targetThatThrowsIsRemoteOperationalErrorOfThePeer() {
        MemoryRegion bad = broken(pair.right);
        pair.left.qp.postSend(SendWorkRequest.write(1, bad.address() + BYTES, bad.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertEventTells(pair, "MR-08");
    }

    @Test
    @Rule({"MR-08", "WC-39"})
    void memoryThatCannotBeReadIsRemoteOperationalErrorOfTheReader() {
        MemoryRegion bad = broken(pair.right);
        pair.left.qp.postSend(SendWorkRequest.read(1, bad.address() + BYTES, bad.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertEventTells(pair, "MR-08");
    }

    @Test
    @Rule({"WR-37", "WC-39"})
    void targetOfAtomicThatThrowsIsRemoteOperationalErrorOfThePeer() {
        MemoryRegion bad = broken(pair.right);
        pair.left.qp.postSend(
                SendWorkRequest.fetchAndAdd(1, bad.address() + BYTES, bad.rkey(), 1, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertEventTells(pair, "WR-37");
    }

    @Test
    @Rule("MR-08")
    void memoryThatTurnedReadOnlyFailsTheWriteAndTheDeviceGoesOn() {
        Memory readOnly = Memory.of(ByteBuffer.allocateDirect(BYTES).asReadOnlyBuffer());
        MemoryRegion bad = claim(pair.right, readOnly, BYTES);
        pair.left.qp.postSend(SendWorkRequest.write(1, bad.address(), bad.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertEventTells(pair, "MR-08");

        pair.left.qp.modify(new QpAttributes().state(QpState.RESET));
        pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
        pair.connect(RcPair.WITHOUT_TIMER);
        pair.left.bytes().put(0, (byte) 7);
        pair.left.qp.postSend(SendWorkRequest.write(2, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 1)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.bytes().get(0)).isEqualTo((byte) 7);
    }

    /** An arena of java.lang.foreign, which the tests, compiled for Java 17, can only name by reflection. */
    private record Arena(AutoCloseable arena) {

        static Arena shared() throws ReflectiveOperationException {
            return of("ofShared");
        }

        static Arena confined() throws ReflectiveOperationException {
            return of("ofConfined");
        }

        private static Arena of(String kind) throws ReflectiveOperationException {
            return new Arena((AutoCloseable)
                    Class.forName("java.lang.foreign.Arena").getMethod(kind).invoke(null));
        }

        ByteBuffer allocate(long bytes) throws ReflectiveOperationException {
            Object segment = Class.forName("java.lang.foreign.SegmentAllocator")
                    .getMethod("allocate", long.class, long.class)
                    .invoke(arena, bytes, 8L);
            return (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment")
                    .getMethod("asByteBuffer")
                    .invoke(segment);
        }
    }

    @Test
    @EnabledForJreRange(minVersion = 22, disabledReason = "arenas came with Java 22")
    @Rule("MR-08")
    void closedArenaIsRefusedAtRegistrationAndFailsWhatIsPostedLater() throws Exception {
        Arena arena = Arena.shared();
        ByteBuffer buffer = arena.allocate(BYTES);
        MemoryRegion source = pair.left.pd.register(buffer, Side.ALL_RIGHTS);
        MemoryRegion target = pair.right.pd.register(buffer, Side.ALL_RIGHTS);
        arena.arena().close();
        assertRefused(
                Errno.EINVAL,
                "MR-08",
                () -> pair.left.pd.register(buffer, Side.ALL_RIGHTS),
                "cannot be read by the device",
                "stays open");
        pair.left.qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertEventTells(pair, "MR-08");
        source.close();
        target.close();
    }

    /** Also by the thread that may use it: the device's traffic runs on others. */
    @Test
    @EnabledForJreRange(minVersion = 22, disabledReason = "arenas came with Java 22")
    @Rule("MR-08")
    void confinedArenaIsRefusedAtRegistrationThoughItsOwnThreadAsks() throws Exception {
        Arena arena = Arena.confined();
        ByteBuffer buffer = arena.allocate(BYTES);
        assertRefused(
                Errno.EINVAL,
                "MR-08",
                () -> pair.left.pd.register(buffer.slice(8, 8), Side.ALL_RIGHTS),
                "confined arena",
                "shared arena");
        arena.arena().close();
    }
}
