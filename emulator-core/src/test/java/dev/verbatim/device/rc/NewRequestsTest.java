// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ATOMIC_WRITE and FLUSH (section J). */
class NewRequestsTest {

    private static final byte[] NOTHING = {};
    private static final FlushTarget GLOBAL_RANGE = new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 64);
    private static final FlushTarget GLOBAL_REGION = new FlushTarget(FlushTarget.GLOBAL, FlushTarget.REGION, 0);
    private static final int FLUSHABLE = Side.ALL_RIGHTS | AccessFlags.FLUSH_GLOBAL;

    private static Packet atomicWrite(int psn, long address, int rkey, byte[] word) {
        return packet(Opcode.ATOMIC_WRITE, psn, word)
                .remoteAddress(address)
                .remoteKey(rkey)
                .dmaLengthBytes(8)
                .ackRequest(true);
    }

    private static Packet flush(int psn, long address, int rkey, int type, int level, int lengthBytes) {
        return packet(Opcode.FLUSH, psn)
                .flushType(type)
                .flushLevel(level)
                .remoteAddress(address)
                .remoteKey(rkey)
                .dmaLengthBytes(lengthBytes)
                .ackRequest(true);
    }

    private static Packet done(int psn) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, NOTHING);
    }

    private static byte[] word(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }

    private static void refused(Dialogue it, int syndrome, EventType type, String rule) {
        it.expects(nak(0, syndrome));
        AsyncEvent event = it.event();
        assertThat(event).isNotNull();
        assertThat(event.refusal())
                .isNotNull()
                .satisfies(why -> assertThat(why.rule()).isEqualTo(rule));
        assertEvent(event, type, it.side.qp);
        assertState(it.side.qp, QpState.ERR);
    }

    @Test
    @Rule("NW-01")
    void requesterSendsTheWordAndCompletesByAnEmptyReadResponse() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(0, 42);
            it.posts(SendWorkRequest.atomicWrite(7, 0x1000, 0x99, it.side.sge(0, 8)))
                    .expects(atomicWrite(0, 0x1000, 0x99, word(42)))
                    .completesNothing()
                    .sends(done(0));
            assertThat(it.sent()).hasId(7).isSuccess().hasOpcode(WcOpcode.ATOMIC_WRITE);
        }
    }

    @Test
    @Rule("NW-02")
    void requesterSaysWhatToFlushAndCompletesByAnEmptyReadResponse() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.flush(8, 0x1000, 0x99, GLOBAL_RANGE))
                    .expects(flush(0, 0x1000, 0x99, FlushTarget.GLOBAL, FlushTarget.RANGE, 64))
                    .sends(done(0));
            assertThat(it.sent()).hasId(8).isSuccess().hasOpcode(WcOpcode.FLUSH);
            it.posts(SendWorkRequest.flush(9, 0, 0x99, GLOBAL_REGION))
                    .expects(flush(1, 0, 0x99, FlushTarget.GLOBAL, FlushTarget.REGION, 0))
                    .sends(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 1, pattern(0, 1)));
            assertThat(it.sent()).hasStatus(WcStatus.BAD_RESP_ERR);
        }
    }

    @Test
    @Rule({"NW-01", "NW-02", "WR-33"})
    void theyCountAsReadsAndAreFencedLikeThem() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(1))) {
            it.posts(
                            SendWorkRequest.flush(1, 0x1000, 0x99, GLOBAL_RANGE),
                            SendWorkRequest.atomicWrite(2, 0x1000, 0x99, it.side.sge(0, 8)),
                            SendWorkRequest.send(3, it.side.sge(0, 8)).plus(SendFlags.FENCE))
                    .expects(flush(0, 0x1000, 0x99, FlushTarget.GLOBAL, FlushTarget.RANGE, 64))
                    .expectsNothing()
                    .sends(done(0));
            assertThat(it.take().toPacket().opcode()).isEqualTo(Opcode.ATOMIC_WRITE);
            it.expectsNothing().sends(done(1));
            assertThat(it.take().toPacket().opcode()).isEqualTo(Opcode.SEND_ONLY);
        }
    }

    @Test
    @Rule({"NW-01", "DUP-04"})
    void responderWritesTheWordOnceAndAnswersAgain() {
        try (Dialogue it = Dialogue.begin()) {
            Packet request = atomicWrite(0, it.side.address(64), it.side.rkey(), word(-7));
            it.sends(request).expects(done(0)).holds(64, -7);
            it.side.bytes().putLong(64, 5);
            it.sends(request).expects(done(0)).holds(64, 5);
            it.isUntouched(0, 64).isUntouched(72, 256);
        }
    }

    @Test
    @Rule({"NW-02", "DUP-04"})
    void responderFlushesRangesOfAnyLengthAndWholeRegions() {
        try (Dialogue it = Dialogue.begin()) {
            MemoryRegion region = it.side.pd.register(Memory.allocate(256), FLUSHABLE);
            long end = region.address() + 256;
            it.sends(flush(0, region.address(), region.rkey(), FlushTarget.GLOBAL, FlushTarget.RANGE, 256))
                    .expects(done(0))
                    .sends(flush(1, end, region.rkey(), FlushTarget.GLOBAL, FlushTarget.RANGE, 0))
                    .expects(done(1))
                    .sends(flush(2, 0, region.rkey(), FlushTarget.GLOBAL, FlushTarget.REGION, -1))
                    .expects(done(2))
                    .sends(flush(2, 0, region.rkey(), FlushTarget.GLOBAL, FlushTarget.REGION, -1))
                    .expects(done(2));
        }
    }

    @Test
    @Rule("NW-02")
    void flushNeedsTheRightOfTheRegionEvenForNoBytesAndStaysWithinIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(flush(0, it.side.address(0), it.side.rkey(), FlushTarget.GLOBAL, FlushTarget.RANGE, 0));
            refused(it, Syndrome.NAK_REMOTE_ACCESS, EventType.QP_ACCESS_ERR, "NW-02");
        }
        try (Dialogue it = Dialogue.begin()) {
            MemoryRegion region = it.side.pd.register(Memory.allocate(256), FLUSHABLE);
            it.sends(flush(0, region.address(), region.rkey(), 3, FlushTarget.REGION, 0));
            refused(it, Syndrome.NAK_REMOTE_ACCESS, EventType.QP_ACCESS_ERR, "NW-02");
        }
        try (Dialogue it = Dialogue.begin()) {
            MemoryRegion region = it.side.pd.register(Memory.allocate(256), FLUSHABLE);
            it.sends(flush(0, region.address(), region.rkey(), FlushTarget.GLOBAL, FlushTarget.RANGE, 257));
            refused(it, Syndrome.NAK_REMOTE_ACCESS, EventType.QP_ACCESS_ERR, "MR-22");
        }
        try (Dialogue it = Dialogue.begin()) {
            it.sends(flush(0, 0, it.side.rkey(), 0, FlushTarget.REGION, 0));
            refused(it, Syndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, "NW-02");
        }
    }

    @Test
    @Rule({"NW-01", "NW-02", "WC-25"})
    void queuePairMustGrantThemToo() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withAccess(AccessFlags.REMOTE_WRITE))) {
            MemoryRegion region = it.side.pd.register(Memory.allocate(256), FLUSHABLE);
            it.sends(atomicWrite(0, region.address(), region.rkey(), word(1)))
                    .expects(done(0))
                    .sends(flush(1, 0, region.rkey(), FlushTarget.GLOBAL, FlushTarget.REGION, 0))
                    .expects(nak(1, Syndrome.NAK_INVALID_REQUEST));
            AsyncEvent event = it.event();
            assertThat(event).isNotNull();
            assertThat(event.refusal()).isNotNull();
            assertEvent(event, EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule("NW-01")
    void wordMustBeEightBytesAlignedAndWritable() {
        for (int skew = 1; skew < 8; skew++) {
            try (Dialogue it = Dialogue.begin()) {
                it.sends(atomicWrite(0, it.side.address(skew), 0x1234567, word(1)));
                refused(it, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "NW-01");
            }
        }
        for (int length : new int[] {0, 4, 7, 9, 16}) {
            try (Dialogue it = Dialogue.begin()) {
                it.sends(atomicWrite(0, it.side.address(0), it.side.rkey(), pattern(0, length)));
                refused(it, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "NW-01");
                it.isUntouched(0, 64);
            }
        }
        try (Dialogue it = Dialogue.begin()) {
            MemoryRegion region =
                    it.side.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_ATOMIC);
            it.sends(atomicWrite(0, region.address(), region.rkey(), word(1)));
            refused(it, Syndrome.NAK_REMOTE_ACCESS, EventType.QP_ACCESS_ERR, "MR-12");
        }
    }

    @Test
    @Rule({"NW-01", "NW-02", "WC-27"})
    void theyTakeResourcesOfTheResponder() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(0))) {
            it.sends(atomicWrite(0, it.side.address(0), it.side.rkey(), word(1)));
            refused(it, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "WC-27");
        }
    }

    /** The READ's answer has not left when the word comes; it shows what was there before, in each packet that has bytes of it. */
    @Test
    @Rule("NW-01")
    void earlierReadIsNotOvertaken() {
        try (Dialogue it = Dialogue.begin()) {
            int begin = 4;
            int length = 2 * Dialogue.MTU + 8;
            long word = it.side.address(begin + Dialogue.MTU - 4);
            it.sends(
                    readRequest(0, it.side.address(begin), it.side.rkey(), length),
                    atomicWrite(3, word, it.side.rkey(), word(-1)),
                    readRequest(4, word, it.side.rkey(), 8));
            it.expects(
                    readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(begin, Dialogue.MTU)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, 1, pattern(begin + Dialogue.MTU, Dialogue.MTU)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_LAST, 2, pattern(begin + 2 * Dialogue.MTU, 8)),
                    done(3),
                    readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 4, word(-1)));
        }
    }

    /** Wherever the ring of what the responder remembers begins. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Rule({"NW-01", "ORD-12"})
    void earlierReadsAreFetchedInTheirOrder(int requestsBefore) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(3))) {
            for (int psn = 0; psn < requestsBefore; psn++) {
                it.sends(readRequest(psn, it.side.address(0), it.side.rkey(), 8))
                        .expects(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, pattern(0, 8)));
            }
            int psn = requestsBefore;
            it.sends(
                    readRequest(psn, it.side.address(104), it.side.rkey(), 8),
                    readRequest(psn + 1, it.side.address(200), it.side.rkey(), 8),
                    atomicWrite(psn + 2, it.side.address(200), it.side.rkey(), word(-1)));
            // Whoever saw the second word before this happened saw the first one before it, too.
            it.side.bytes().putLong(104, 7);
            it.expects(
                    readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, pattern(104, 8)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn + 1, pattern(200, 8)),
                    done(psn + 2));
        }
    }

    @Test
    @Rule({"NW-01", "NW-02", "NW-04"})
    void postingChecksLengthTargetAndWhatTheDeviceHas() {
        try (RcPair pair = RcPair.inProcess()) {
            for (int length : new int[] {0, 7, 9}) {
                refusesToPost(pair, "NW-01", SendWorkRequest.atomicWrite(1, 0, 0, pair.left.sge(0, length)));
            }
            for (int type : new int[] {0, 4, 5}) {
                refusesToPost(pair, "NW-02", SendWorkRequest.flush(1, 0, 0, new FlushTarget(type, 0, 8)));
            }
            refusesToPost(pair, "NW-02", SendWorkRequest.flush(1, 0, 0, new FlushTarget(1, 2, 8)));
            refusesToPost(pair, "NW-02", SendWorkRequest.of(1, WrOpcode.FLUSH, 0, 0, 0, 0, 0));
        }
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(DeviceProfile.RXE_LIKE), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            refusesToPost(pair, "NW-04", SendWorkRequest.atomicWrite(1, 0, 0, pair.left.sge(0, 8)));
            refusesToPost(pair, "NW-04", SendWorkRequest.flush(1, 0, 0, GLOBAL_RANGE));
            assertThat(pair.left.device.query().capabilities()
                            & (DeviceCapabilities.ATOMIC_WRITE | DeviceCapabilities.FLUSH_GLOBAL))
                    .isZero();
        }
    }

    private static void refusesToPost(RcPair pair, String rule, SendWorkRequest request) {
        assertRefused(Errno.EINVAL, rule, () -> pair.left.qp.postSend(request));
    }

    @Test
    @Rule("NW-01")
    void inlineWordIsCopiedAndSplitElementsAreGathered() {
        try (RcPair pair = RcPair.inProcess()) {
            pair.left.bytes().putLong(0, 11);
            pair.left.qp.postSend(SendWorkRequest.atomicWrite(
                            1, pair.right.address(8), pair.right.rkey(), new Sge(pair.left.address(0), 8, 0))
                    .plus(SendFlags.INLINE));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.right.bytes().getLong(8)).isEqualTo(11);
            pair.left.bytes().put(16, word(12), 0, 4).put(100, word(12), 4, 4);
            pair.left.qp.postSend(SendWorkRequest.atomicWrite(
                    2, pair.right.address(16), pair.right.rkey(), pair.left.sge(16, 4), pair.left.sge(100, 4)));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.right.bytes().getLong(16)).isEqualTo(12);
            pair.left.qp.postSend(SendWorkRequest.atomicWrite(
                    3, pair.right.address(16), pair.right.rkey(), new Sge(pair.left.address(0), 8, 0x77)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
            assertState(pair.right.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"NW-02", "MR-06"})
    void persistenceIsForMappedFilesAndReachesThem(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("memory");
        Files.write(file, new byte[256]);
        try (RcPair pair = RcPair.inProcess();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int rights = FLUSHABLE | AccessFlags.FLUSH_PERSISTENT;
            assertRefused(
                    Errno.EINVAL, "NW-02", () -> pair.right.pd.register(Memory.allocate(256), rights), "not of a file");
            MemoryRegion region = pair.right.pd.register(channel.map(MapMode.READ_WRITE, 0, 256), rights);
            pair.left.bytes().putLong(0, 77);
            pair.left.qp.postSend(SendWorkRequest.write(1, region.address(), region.rkey(), pair.left.sge(0, 8)));
            pair.left.qp.postSend(SendWorkRequest.flush(
                    2,
                    region.address(),
                    region.rkey(),
                    new FlushTarget(FlushTarget.GLOBAL | FlushTarget.PERSISTENT, FlushTarget.RANGE, 8)));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.left.sent()).isSuccess().hasOpcode(WcOpcode.FLUSH);
            assertThat(ByteBuffer.wrap(Files.readAllBytes(file))
                            .order(ByteOrder.nativeOrder())
                            .getLong(0))
                    .isEqualTo(77);
            region.close();
        }
    }

    @Test
    @Rule({"MW-113", "MW-43"})
    void windowsGrantThemByTheirOwnRights() {
        try (RcPair pair = RcPair.inProcess()) {
            Memory memory = Memory.allocate(256);
            MemoryRegion region = pair.right.pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            int writes = bound(pair, region, AccessFlags.REMOTE_WRITE);
            int flushes = bound(pair, region, AccessFlags.FLUSH_GLOBAL);
            pair.left.bytes().putLong(0, 5);
            pair.left.qp.postSend(SendWorkRequest.atomicWrite(1, region.address(), writes, pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(memory.buffer().getLong(0)).isEqualTo(5);
            pair.left.qp.postSend(SendWorkRequest.flush(2, 0, flushes, GLOBAL_REGION));
            assertThat(pair.left.sent()).isSuccess();
            pair.left.qp.postSend(SendWorkRequest.flush(3, region.address(), writes, GLOBAL_RANGE));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            AsyncEvent event = pair.right.device.pollAsyncEvent();
            assertThat(event).isNotNull();
            assertThat(event.refusal())
                    .isNotNull()
                    .satisfies(why -> assertThat(why.rule()).isEqualTo("MW-113"));
        }
    }

    private static int bound(RcPair pair, MemoryRegion region, int access) {
        MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 7, BindInfo.of(region, access));
        pair.right.qp.postSend(bind);
        assertThat(pair.right.sent()).isSuccess();
        return bind.boundKey();
    }

    /** Each value is written once and in order, whatever is lost: the last one stays, and a READ behind sees its own. */
    @Test
    @Rule({"NW-01", "NW-02", "DUP-04"})
    void lossesChangeNothing() {
        for (long seed = 1; seed <= 20; seed++) {
            Verbatim rdma = Verbatim.over(new LossyFabric(seed, LinkFaults.NONE.dropping(150)));
            try (RcPair pair = RcPair.over(rdma, QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
                MemoryRegion region = pair.right.pd.register(Memory.allocate(64), FLUSHABLE);
                ByteBuffer mine = pair.left.bytes();
                for (int i = 0; i < 8; i++) {
                    mine.putLong(8 * i, i + 100);
                    pair.left.qp.postSend(
                            SendWorkRequest.atomicWrite(i, region.address(), region.rkey(), pair.left.sge(8 * i, 8)));
                    pair.left.qp.postSend(SendWorkRequest.flush(20 + i, region.address(), region.rkey(), GLOBAL_RANGE));
                    pair.left.qp.postSend(SendWorkRequest.fetchAndAdd(
                            40 + i, region.address(), region.rkey(), 1000, pair.left.sge(512 + 8 * i, 8)));
                }
                for (int i = 0; i < 24; i++) {
                    assertThat(pair.left.sent()).isSuccess();
                }
                for (int i = 0; i < 8; i++) {
                    assertThat(mine.getLong(512 + 8 * i))
                            .as(String.format(Locale.ROOT, "seed %d, word %d", seed, i))
                            .isEqualTo(i + 100);
                }
                assertThat(region.memory().buffer().getLong(0)).isEqualTo(1107);
                asserted();
            }
        }
    }
}
