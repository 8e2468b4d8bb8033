// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Registrations (1.8), and what a Bind refuses at once (2.1). */
class NdMemoryRegionTest {

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private NdMemoryRegion region;
    private final NdOverlapped overlapped = new NdOverlapped();
    private final Memory memory = Memory.allocate(4096);

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        left = new NdSide(rdma.open("left"));
        right = new NdSide(rdma.open("right"));
        NdSide.connect(left, right);
        region = left.adapter.createMemoryRegion(left.file);
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void ndMrInvalidBuffer_nothingIsRefusedInEitherDialect(Statuses whose) {
        NdSide side = new NdSide(rdma.open("third"), NdProfile.REFERENCE.withStatuses(whose), NdSide.Sizes.USUAL);
        NdMemoryRegion none = side.adapter.createMemoryRegion(side.file);
        boolean reference = whose == Statuses.REFERENCE;
        assertThat(none.register(null, 0, 0, 0, overlapped))
                .isEqualTo(reference ? NdStatus.INVALID_PARAMETER : NdStatus.ACCESS_VIOLATION);
        assertThat(none.register(memory, 0, 0, 0, overlapped))
                .isEqualTo(reference ? NdStatus.INVALID_BUFFER_SIZE : NdStatus.ACCESS_VIOLATION);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4097, ACCESS_VIOLATION",
        "1, 4096, ACCESS_VIOLATION",
        "-1, 8, ACCESS_VIOLATION",
        "2147483647, 2147483647, ACCESS_VIOLATION",
        "0, 2147483648, ACCESS_VIOLATION",
        "0, 140737488355329, INVALID_PARAMETER",
        "0, -1, INVALID_PARAMETER",
        "0, 4096, PENDING",
        "4095, 1, PENDING"
    })
    void rangeIsInTheMemoryAndNotTooLarge(int offset, long lengthBytes, String status) {
        assertThat(region.register(memory, offset, lengthBytes, 0, overlapped).name())
                .isEqualTo(status);
    }

    @Test
    void unknownFlagsAndHeapBuffersAreRefused() {
        assertThat(region.register(memory, 0, 8, 0x10, overlapped)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(region.register(memory, 0, 8, NdMrFlags.DO_NOT_SECURE_VM, overlapped))
                .isEqualTo(NdStatus.PENDING);
        NdMemoryRegion other = left.adapter.createMemoryRegion(left.file);
        assertThat(other.register(ByteBuffer.allocate(8), 0, overlapped)).isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(other.register(
                        ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), NdMrFlags.ALLOW_LOCAL_WRITE, overlapped))
                .isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(other.register(ByteBuffer.allocateDirect(8), 0, overlapped)).isEqualTo(NdStatus.PENDING);
    }

    @Test
    void objectIsUsedForOneRegistrationAfterAnother() {
        assertThat(region.deregister(overlapped)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
        assertThat(region.getLocalToken()).isZero();
        assertThatThrownBy(() -> region.addressOf(0)).isInstanceOf(IllegalStateException.class);
        assertThat(region.register(memory, 64, 64, NdSide.ALL_RIGHTS, overlapped))
                .isEqualTo(NdStatus.PENDING);
        int token = region.getRemoteToken();
        assertThat(token).isNotZero();
        assertThat(region.addressOf(0)).isEqualTo(memory.address() + 64);
        assertThat(region.register(memory, 0, 8, 0, overlapped)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
        assertThat(region.deregister(overlapped)).isEqualTo(NdStatus.PENDING);
        assertThat(region.getRemoteToken()).isZero();
        assertThat(region.register(memory, 0, 8, NdSide.ALL_RIGHTS, overlapped)).isEqualTo(NdStatus.PENDING);
        assertThat(region.getRemoteToken()).isNotEqualTo(token);
        assertThat(region.addressOf(0)).isEqualTo(memory.address());
        region.release();
        assertThat(region.register(memory, 0, 8, 0, overlapped)).isEqualTo(NdStatus.INVALID_HANDLE);
        assertThat(region.deregister(overlapped)).isEqualTo(NdStatus.INVALID_HANDLE);
    }

    /** The trap of 0x5: local write is not remote write. */
    @ParameterizedTest
    @CsvSource({
        "0, false, false",
        "1, false, false",
        "2, true, false",
        "3, true, false",
        "4, false, true",
        "5, false, true",
        "6, true, true",
        "7, true, true",
        "8, false, false",
        "9, false, false"
    })
    void flagsGrantPeersWhatTheySay(int flags, boolean readable, boolean writable) {
        NdMemoryRegion granted = right.register(memory, flags);
        int token = granted.getRemoteToken();
        if (readable || writable) {
            assertThat(outcome(token, granted.addressOf(0), true).isSuccess()).isEqualTo(readable);
        }
        if (writable && !readable) {
            left = new NdSide(rdma.open("left again"));
            NdQueuePair fresh = right.newQueuePair("fresh");
            NdSide.connect(left.qp, fresh, 16, 16);
        }
        if (readable || writable) {
            assertThat(outcome(token, granted.addressOf(0), false).isSuccess()).isEqualTo(writable);
        } else {
            assertThat(token).isZero();
        }
    }

    private NdStatus outcome(int token, long address, boolean reads) {
        NdStatus posted = reads
                ? left.qp.read("try", left.sge(0, 8), address, token, 0)
                : left.qp.write("try", left.sge(0, 8), address, token, 0);
        assertThat(posted).isEqualTo(NdStatus.SUCCESS);
        return left.result().status();
    }

    @Test
    void receivesNeedLocalWrite() {
        NdMemoryRegion readOnly = right.register(memory, NdMrFlags.ALLOW_REMOTE_READ);
        assertThat(right.qp.receive("receive", new NdSge[] {readOnly.sge(0, 8)}))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.send("send", left.sge(0, 8), 0)).isEqualTo(NdStatus.SUCCESS);
        right.expect(NdStatus.ACCESS_VIOLATION, NdRequestType.RECEIVE, "receive");
        left.expect(NdStatus.DATA_ERROR, NdRequestType.SEND, "send");
    }

    @Test
    void readSinkLetsPeersWriteInIwarpModeOnly() {
        NdSide iwarp = new NdSide(rdma.open("iwarp"), NdProfile.REFERENCE.withIwarpMode(true), NdSide.Sizes.USUAL);
        assertThat(iwarp.register(memory, NdMrFlags.RDMA_READ_SINK).getRemoteToken())
                .isNotZero();
        assertThat(left.register(memory, NdMrFlags.RDMA_READ_SINK).getRemoteToken())
                .isZero();
    }

    @Test
    void mw11_bindTakesObjectsOfItsOwnAdapterInstanceOnly() {
        NdSide other = new NdSide(rdma.open("other"));
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        NdMemoryWindow foreign = other.adapter.createMemoryWindow();
        assertThat(bind(null, window, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_2);
        assertThat(bind(other.mr, window, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_2);
        assertThat(bind(left.mr, null, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_3);
        assertThat(bind(left.mr, foreign, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_3);
        assertThat(left.qp.invalidate(1, null, 0)).isEqualTo(NdStatus.INVALID_PARAMETER_2);
        assertThat(left.qp.invalidate(1, foreign, 0)).isEqualTo(NdStatus.INVALID_PARAMETER_2);
        window.release();
        assertThat(bind(left.mr, window, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_3);
        assertThat(left.poll()).isNull();
    }

    private NdStatus bind(
            @Nullable NdMemoryRegion of, @Nullable NdMemoryWindow window, int offset, long lengthBytes, int flags) {
        return left.qp.bind(1, of, window, left.address(offset), lengthBytes, flags);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 65537",
        "1, 65536",
        "-1, 8",
        "65536, 1",
        "8, -1",
        "8, -8",
        "-8, 16",
    })
    void mw14_bindOutsideItsRegionFailsAtOnceAndLeavesTheToken(int offset, long lengthBytes) {
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        assertThat(bind(left.mr, window, 0, 64, 8)).isEqualTo(NdStatus.SUCCESS);
        int token = window.getRemoteToken();
        assertThat(bind(left.mr, window, offset, lengthBytes, 8)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(window.getRemoteToken()).isEqualTo(token);
        left.succeeds(NdRequestType.BIND, 1);
        assertThat(left.poll()).isNull();
    }

    @Test
    void bindToWriteNeedsLocalWriteAndBindToReadNeedsNothing() {
        NdMemoryRegion plain = left.register(memory, 0);
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        assertThat(left.qp.bind(1, plain, window, plain.addressOf(0), 8, NdOpFlags.ALLOW_WRITE))
                .isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(window.getRemoteToken()).isZero();
        assertThat(left.qp.bind(1, plain, window, plain.addressOf(0), 8, NdOpFlags.ALLOW_READ))
                .isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.BIND, 1);
        // The rights that are asked for decide, not those of the binding before (C10-74).
        assertThat(left.qp.invalidate(2, window, 0)).isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.INVALIDATE, 2);
        assertThat(left.qp.bind(1, plain, window, plain.addressOf(0), 8, NdOpFlags.ALLOW_WRITE))
                .isEqualTo(NdStatus.ACCESS_VIOLATION);
    }

    @Test
    void bindWithoutBytesRightsOrRegistrationIsRefusedAsTheProfileSays() {
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        assertThat(bind(left.mr, window, 0, 0, 8)).isEqualTo(NdStatus.INVALID_PARAMETER_5);
        assertThat(bind(region, window, 0, 8, 8)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(bind(left.mr, window, 0, 8, 0)).isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.BIND, 1);

        left = new NdSide(
                rdma.open("documented"), NdProfile.DOCUMENTED.withEmptyBindRefusedAtPost(false), NdSide.Sizes.USUAL);
        NdSide.connect(left.qp, right.newQueuePair("other"), 16, 16);
        NdMemoryWindow other = left.adapter.createMemoryWindow();
        assertThat(bind(left.adapter.createMemoryRegion(left.file), other, 0, 8, 8))
                .isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(bind(left.mr, other, 0, 8, 0)).isEqualTo(NdStatus.INVALID_PARAMETER_6);
        assertThat(bind(left.mr, other, 0, 0, 8)).isEqualTo(NdStatus.SUCCESS);
        left.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.BIND, 1);
    }

    @Test
    void regionOfASilentBindIsBusyAndFreeAgainAfterASilentInvalidate() {
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        int silent = NdOpFlags.SILENT_SUCCESS;
        for (int i = 0; i < 5; i++) {
            assertThat(bind(left.mr, window, 0, 8, silent | 8)).isEqualTo(NdStatus.SUCCESS);
            assertThat(left.deregister(left.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
            assertThat(left.qp.invalidate(1, window, silent)).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(left.deregister(left.mr)).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void bindThatWasCancelledHoldsNothingAndLeavesTheWindowInvalid() {
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        assertThat(left.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        assertThat(bind(left.mr, window, 0, 8, 8)).isEqualTo(NdStatus.CONNECTION_INVALID);
        assertThat(left.deregister(left.mr)).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void windowOfADeadQueuePairStaysBoundUntilItIsReleased() {
        NdMemoryWindow window = left.adapter.createMemoryWindow();
        assertThat(bind(left.mr, window, 0, 8, 8)).isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.BIND, 1);
        assertThat(left.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.invalidate(1, window, 0)).isEqualTo(NdStatus.CONNECTION_INVALID);
        assertThat(left.deregister(left.mr)).isEqualTo(NdStatus.DEVICE_BUSY);
        window.release();
        assertThat(left.deregister(left.mr)).isEqualTo(NdStatus.SUCCESS);
    }
}
