// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.SparseMemory;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemorySource;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions larger than any buffer, at addresses that their owner gives. */
class LargeMemoryTest {

    private static final long GIB = 1L << 30;
    private static final long SIZE = 5 * GIB;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.MW_BIND;

    @TempDir
    private Path directory;

    private SparseMemory here;
    private SparseMemory there;
    private Verbatim rdma;
    private RcPeer left;
    private RcPeer right;
    private MemoryRegion local;
    private MemoryRegion remote;

    @BeforeEach
    void open() {
        open(true);
    }

    /** On the fast path, or where a tap keeps requests off it. */
    private void open(boolean fast) {
        here = new SparseMemory(directory);
        there = new SparseMemory(directory);
        rdma = Verbatim.inProcess();
        if (!fast) {
            rdma.tap(new RecordingTap());
        }
        RcPair pair = RcPair.connect(rdma.open("left"), rdma.open("right"));
        left = pair.left();
        right = pair.right();
        local = left.pd().register(here.memory(SIZE), RIGHTS);
        remote = right.pd().register(there.memory(SIZE), RIGHTS);
    }

    @AfterEach
    void close() {
        rdma.close();
        here.close();
        there.close();
    }

    /** Where the bytes of messages lie: astride of what could be cut, and the way that requests go. */
    static Stream<Arguments> places() {
        return LongStream.of(GIB - 8, 2 * GIB - 24, 2 * GIB, 3 * GIB - 16, 4 * GIB - 8, 4 * GIB + 8)
                .boxed()
                .flatMap(at -> Stream.of(Arguments.of(at, true), Arguments.of(at, false)));
    }

    private WorkCompletion post(SendWorkRequest request) {
        left.qp().postSend(request);
        return left.sent().poll(2).get(0);
    }

    private void succeed(SendWorkRequest request) {
        WorkCompletion done = post(request);
        assertThat(done.status()).as("%s: %s", request, done).isEqualTo(WcStatus.SUCCESS);
    }

    private static byte[] fill(MemoryRegion region, long offset, int count, int seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        region.memory().buffer(offset, count).put(0, bytes);
        return bytes;
    }

    private static byte[] read(MemoryRegion region, long offset, int count) {
        byte[] bytes = new byte[count];
        region.memory().buffer(offset, count).get(0, bytes);
        return bytes;
    }

    @ParameterizedTest(name = "at {0}, fast path {1}")
    @MethodSource("places")
    @Rule({"MR-20", "MR-22"})
    void everyOperationMovesTheBytesThatItNames(long at, boolean fast) {
        close();
        open(fast);
        for (int count : new int[] {48, 1 << 16}) {
            byte[] sent = fill(local, at, count, 1);
            succeed(SendWorkRequest.write(1, remote.address() + at, remote.rkey(), local.sge(at, count)));
            assertThat(read(remote, at, count)).isEqualTo(sent);

            sent = fill(remote, at, count, 2);
            succeed(SendWorkRequest.read(2, remote.address() + at, remote.rkey(), local.sge(at, count)));
            assertThat(read(local, at, count)).isEqualTo(sent);

            sent = fill(local, at, count, 3);
            right.qp().postRecv(ReceiveWorkRequest.of(4, remote.sge(at, count)));
            succeed(SendWorkRequest.send(3, local.sge(at, count)));
            assertThat(right.received().poll(2)).hasSize(1);
            assertThat(read(remote, at, count)).isEqualTo(sent);
        }
        remote.memory().buffer(at, 8).putLong(0, 5);
        succeed(SendWorkRequest.fetchAndAdd(5, remote.address() + at, remote.rkey(), 2, local.sge(at, 8)));
        assertThat(local.memory().buffer(at, 8).getLong(0)).isEqualTo(5);
        succeed(SendWorkRequest.compareAndSwap(6, remote.address() + at, remote.rkey(), 7, 9, local.sge(at, 8)));
        assertThat(local.memory().buffer(at, 8).getLong(0)).isEqualTo(7);
        assertThat(remote.memory().buffer(at, 8).getLong(0)).isEqualTo(9);
        DeviceContext context = ((EmulatedDevice) left.device()).context();
        if (!fast) {
            assertThat(context.fastPathSent()).isZero();
        } else if (FastPath.isOn()) {
            assertThat(context.fastPathSent()).isGreaterThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2 * GIB, 4 * GIB - 8, 4 * GIB})
    @Rule({"NW-01", "NW-02"})
    void atomicWriteAndFlushReachBeyondTwoGibibytes(long at) {
        byte[] sent = fill(local, at, 8, 7);
        succeed(SendWorkRequest.atomicWrite(1, remote.address() + at, remote.rkey(), local.sge(at, 8)));
        assertThat(read(remote, at, 8)).isEqualTo(sent);
        succeed(SendWorkRequest.flush(
                2,
                remote.address() + at - 64,
                remote.rkey(),
                new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 128)));
        assertThat(there.asked).isEqualTo("read 128 at " + (at - 64));
        succeed(SendWorkRequest.flush(3, 0, remote.rkey(), new FlushTarget(FlushTarget.GLOBAL, FlushTarget.REGION, 0)));
        assertThat(there.asked).isEqualTo("read " + SIZE + " at 0");
    }

    @Test
    @Rule({"MW-40", "MW-107"})
    void windowOfMoreThanFourGibibytesLeadsToItsBytes() {
        MemoryWindow window = right.pd().allocateWindow(MemoryWindowType.TYPE_2);
        BindInfo info = new BindInfo(
                remote, remote.address() + 16, 4 * GIB + 64, AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, window.rkey() + 1, info);
        right.qp().postSend(bind);
        assertThat(right.sent().poll(2).get(0).status()).isEqualTo(WcStatus.SUCCESS);
        byte[] sent = fill(local, 4 * GIB, 8, 1);
        succeed(SendWorkRequest.write(1, 4 * GIB + 56, bind.boundKey(), local.sge(4 * GIB, 8)));
        assertThat(read(remote, 4 * GIB + 16 + 56, 8)).isEqualTo(sent);
        assertThat(post(SendWorkRequest.write(2, 4 * GIB + 57, bind.boundKey(), local.sge(4 * GIB, 8)))
                        .status())
                .isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Rule({"MR-20", "MR-65"})
    void partsAndOtherAddressesAreOfThatMemory() {
        MemoryRegion part = right.pd().registerIova(remote.memory(), 3 * GIB, GIB + 8, 0x1000, RIGHTS);
        assertThat(part.lengthBytes()).isEqualTo(GIB + 8);
        byte[] sent = fill(local, 0, 8, 1);
        succeed(SendWorkRequest.write(1, 0x1000 + GIB, part.rkey(), local.sge(0, 8)));
        assertThat(read(remote, 4 * GIB, 8)).isEqualTo(sent);
        part.reregister(remote.memory(), 2 * GIB, 2 * GIB + 1);
        assertThat(part.lengthBytes()).isEqualTo(2 * GIB + 1);
        assertThat(part.address()).isEqualTo(SparseMemory.ADDRESS + 2 * GIB);
        sent = fill(local, 0, 8, 2);
        succeed(SendWorkRequest.write(1, part.address() + 2 * GIB - 8, part.rkey(), local.sge(0, 8)));
        assertThat(read(remote, 4 * GIB - 8, 8)).isEqualTo(sent);
    }

    @Test
    @Rule("MR-22")
    void accessBehindTheEndIsExplainedWithAddressesOfTheOwner() {
        WorkCompletion done =
                post(SendWorkRequest.write(1, remote.address() + SIZE - 7, remote.rkey(), local.sge(0, 8)));
        assertThat(done.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(right.device().pollAsyncEvent().refusal().sentence())
                .contains(String.format("[0x%x,0x%x)", SparseMemory.ADDRESS, SparseMemory.ADDRESS + SIZE));
    }

    /** It fails when anything of it is asked for. */
    private static final MemorySource RESERVED = new MemorySource() {
        @Override
        public ByteBuffer bytes(long offset, int lengthBytes) {
            throw new IllegalStateException("asked for " + lengthBytes + " at " + offset);
        }
    };

    @ParameterizedTest
    @ValueSource(longs = {64 * GIB, 1L << 47})
    @Rule("MR-16")
    void registrationOfAnySizeTouchesNothing(long size) {
        try (MemoryRegion region = left.pd().register(Memory.at(0, size, RESERVED), RIGHTS)) {
            assertThat(region.lengthBytes()).isEqualTo(size);
            assertThat(region.address()).isZero();
            // What cannot be had is as what cannot be used.
            assertThat(post(SendWorkRequest.write(1, remote.address(), remote.rkey(), region.sge(size - 8, 8)))
                            .status())
                    .isEqualTo(WcStatus.LOC_PROT_ERR);
            assertThatThrownBy(region::sge).hasMessageContaining("use sge(offset, lengthBytes)");
        }
    }

    @Test
    @Rule("MR-16")
    void sizeLimitIsThatOfTheProfile() {
        assertThat(left.device().query().maxMrSizeBytes()).isEqualTo(1L << 47);
        Memory more = Memory.at(0, (1L << 47) + 1, RESERVED);
        assertRefused(Errno.EINVAL, "MR-16", () -> left.pd().register(more, 0), "0.." + (1L << 47));
        for (DeviceProfile profile : new DeviceProfile[] {DeviceProfile.RXE_LIKE, DeviceProfile.MLX5_LIKE}) {
            try (Verbatim like = Verbatim.inProcess().profile(profile)) {
                assertThat(like.open("any").query().maxMrSizeBytes()).isEqualTo(-1);
                like.open("other").allocatePd().register(more, 0).close();
            }
        }
    }

    @Test
    void memoryWithoutOneBufferSaysHowToTakeParts() {
        Memory memory = here.memory(SIZE);
        assertThat(memory.sizeBytes()).isEqualTo(SIZE);
        assertThatThrownBy(memory::buffer).hasMessageContaining("use buffer(offset, lengthBytes)");
        assertThatThrownBy(() -> memory.buffer(SIZE - 7, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Memory.at(8, Long.MAX_VALUE, here)).isInstanceOf(IllegalArgumentException.class);
        assertThat(memory.covers(SparseMemory.ADDRESS + SIZE - 8, 8)).isTrue();
        assertThat(memory.covers(SparseMemory.ADDRESS + SIZE - 7, 8)).isFalse();
    }

    @Test
    @Rule("MR-24")
    void bufferIsRegisteredAtTheAddressThatItsOwnerGives() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        Memory memory = Memory.at(bytes, 0x5555_0000L + bytes.alignmentOffset(0, 8));
        MemoryRegion region = right.pd().register(memory, RIGHTS);
        assertThat(region.address()).isEqualTo(memory.address());
        byte[] sent = fill(local, 0, 8, 1);
        succeed(SendWorkRequest.write(1, memory.address() + 8, region.rkey(), local.sge(0, 8)));
        byte[] got = new byte[8];
        bytes.get(8, got);
        assertThat(got).isEqualTo(sent);
        Sge whole = region.sge();
        assertThat(whole).isEqualTo(new Sge(memory.address(), 64, region.lkey()));
    }
}
