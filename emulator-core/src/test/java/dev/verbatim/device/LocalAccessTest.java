// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue pair may do to the memory of its own side, and when that is judged (section A.5). */
class LocalAccessTest {

    private static final int BYTES = 64;
    private static final long WORD = 0x0102030405060708L;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    /** Ways in which an element of eight bytes can be wrong. */
    private enum Flaw {
        KEY_ZERO("MR-44", "local key 0"),
        UNKNOWN_KEY("KEY-04", "key 0x00abcd01 names no memory"),
        OTHER_DOMAIN("MR-40", "register the memory there"),
        ONE_BYTE_BEFORE("MR-22", "of 8 bytes at"),
        ONE_BYTE_BEHIND("MR-22", "of 8 bytes at"),
        DEREGISTERED("MR-55", "deregistered");

        final String rule;
        final String words;

        Flaw(String rule, String words) {
            this.rule = rule;
            this.words = words;
        }

        Sge element(Side side) {
            Memory memory = Memory.allocate(BYTES);
            MemoryRegion region = side.pd.register(memory, Side.ALL_RIGHTS);
            return switch (this) {
                case KEY_ZERO -> new Sge(region.address(), 8, 0);
                case UNKNOWN_KEY -> new Sge(region.address(), 8, 0x00ab_cd01);
                case OTHER_DOMAIN ->
                    side.device.allocatePd().register(memory, Side.ALL_RIGHTS).sge(0, 8);
                case ONE_BYTE_BEFORE -> region.sge(-1, 8);
                case ONE_BYTE_BEHIND -> region.sge(BYTES - 7, 8);
                case DEREGISTERED -> {
                    region.close();
                    yield region.sge(0, 8);
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-40", "MR-42", "MR-44", "WC-29"})
    void sourceThatCannotBeReadFailsTheSendBeforeItsFirstPacket(Flaw flaw) {
        for (boolean write : new boolean[] {false, true}) {
            try (RcPair between = RcPair.inProcess()) {
                Sge wrong = flaw.element(between.left);
                between.right.qp.postRecv(ReceiveWorkRequest.of(1, between.right.sge(0, 2 * BYTES)));
                between.left.bytes().putLong(0, WORD);
                between.tap.clear();
                // Posting looks at no key; a good element before the bad one is not sent either.
                between.left.qp.postSend(
                        write
                                ? SendWorkRequest.write(
                                        2,
                                        between.right.address(0),
                                        between.right.rkey(),
                                        between.left.sge(0, 8),
                                        wrong)
                                : SendWorkRequest.send(2, between.left.sge(0, 8), wrong));
                assertThat(between.left.sent())
                        .hasId(2)
                        .hasStatus(WcStatus.LOC_PROT_ERR)
                        .isExplainedBy(flaw.rule, flaw.words);
                assertState(between.left.qp, QpState.ERR);
                assertState(between.right.qp, QpState.RTS);
                assertThat(between.tap.sentBy("left")).isEmpty();
                assertThat(between.right.bytes().getLong(0)).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-40", "MR-44", "WC-21"})
    void receiveBufferThatCannotBeWrittenFailsBothSides(Flaw flaw) {
        Sge wrong = flaw.element(pair.right);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, wrong));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasId(2).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.right.received())
                .hasId(1)
                .hasStatus(WcStatus.LOC_PROT_ERR)
                .isExplainedBy(flaw.rule, flaw.words);
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, QpState.ERR);
        assertThat(pair.right.device.pollAsyncEvent())
                .as("the completion tells it")
                .isNull();
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-40", "MR-42", "MR-44", "WC-30"})
    void resultThatCannotBeWrittenFailsTheRequesterAlone(Flaw flaw) {
        for (boolean read : new boolean[] {true, false}) {
            try (RcPair between = RcPair.inProcess()) {
                Sge wrong = flaw.element(between.left);
                between.left.qp.postSend(
                        read
                                ? SendWorkRequest.read(1, between.right.address(0), between.right.rkey(), wrong)
                                : SendWorkRequest.fetchAndAdd(
                                        1, between.right.address(0), between.right.rkey(), 7, wrong));
                assertThat(between.left.sent())
                        .hasId(1)
                        .hasStatus(WcStatus.LOC_PROT_ERR)
                        .isExplainedBy(flaw.rule, flaw.words);
                assertState(between.left.qp, QpState.ERR);
                assertState(between.right.qp, QpState.RTS);
                // The element is looked at when the response is there, so the atomic was done.
                assertThat(between.right.bytes().getLong(0)).isEqualTo(read ? 0 : 7);
            }
        }
    }

    @Test
    @Rule({"MR-10", "MR-11"})
    void regionWithoutAnyRightCanBeSentFromAndNotReceivedInto() {
        MemoryRegion bare = pair.left.pd.register(Memory.allocate(BYTES), 0);
        bare.memory().buffer().putLong(0, WORD);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
        pair.left.qp.postSend(SendWorkRequest.send(2, bare.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess();
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(WORD);
        pair.left.qp.postSend(SendWorkRequest.write(3, pair.right.address(8), pair.right.rkey(), bare.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.bytes().getLong(8)).isEqualTo(WORD);

        pair.left.qp.postRecv(ReceiveWorkRequest.of(4, bare.sge(0, 8)));
        pair.right.qp.postSend(SendWorkRequest.send(5, pair.right.sge(16, 8)));
        assertThat(pair.right.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.left.received())
                .hasStatus(WcStatus.LOC_PROT_ERR)
                .isExplainedBy("MR-11", "LOCAL_WRITE needs LOCAL_WRITE", "has only 0");
        assertThat(bare.memory().buffer().getLong(0)).isEqualTo(WORD);
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, QpState.ERR);
    }

    @Test
    @Rule("MR-11")
    void resultNeedsLocalWrite() {
        for (boolean read : new boolean[] {true, false}) {
            try (RcPair between = RcPair.inProcess()) {
                MemoryRegion source = between.left.pd.register(Memory.allocate(BYTES), AccessFlags.REMOTE_READ);
                Sge into = source.sge(0, 8);
                between.right.bytes().putLong(0, WORD);
                between.left.qp.postSend(
                        read
                                ? SendWorkRequest.read(1, between.right.address(0), between.right.rkey(), into)
                                : SendWorkRequest.compareAndSwap(
                                        1, between.right.address(0), between.right.rkey(), 0, 0, into));
                assertThat(between.left.sent())
                        .hasStatus(WcStatus.LOC_PROT_ERR)
                        .isExplainedBy("MR-11", "has only REMOTE_READ", "register the memory with LOCAL_WRITE");
                assertThat(source.memory().buffer().getLong(0)).isZero();
                assertState(between.left.qp, QpState.ERR);
                assertState(between.right.qp, QpState.RTS);
            }
        }
    }

    private static RcPair pairOf(DeviceProfile.Builder profile) {
        return RcPair.over(Verbatim.inProcess().profile(profile.build()), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER);
    }

    @Test
    @Rule("MR-42")
    void withBothKeysBadTheLocalOneIsToldForWritesAndTheRemoteOneForReads() {
        int badRkey = 0x1234_5678;
        Sge bad = new Sge(0, 8, 0x8765_4321);
        SendWorkRequest[] requests = {
            SendWorkRequest.write(1, 0, badRkey, bad),
            SendWorkRequest.read(2, 0, badRkey, bad),
            SendWorkRequest.fetchAndAdd(3, 0, badRkey, 1, bad),
            SendWorkRequest.compareAndSwap(4, 0, badRkey, 1, 1, bad)
        };
        for (SendWorkRequest request : requests) {
            boolean write = request.opcode() == WrOpcode.RDMA_WRITE;
            try (RcPair between = RcPair.inProcess()) {
                between.left.qp.postSend(request);
                assertThat(between.left.sent()).hasStatus(write ? WcStatus.LOC_PROT_ERR : WcStatus.REM_ACCESS_ERR);
                assertState(between.right.qp, write ? QpState.RTS : QpState.ERR);
            }
            try (RcPair early = pairOf(DeviceProfile.STRICT_IBTA.toBuilder().earlyReadLkey(true))) {
                early.left.qp.postSend(request);
                assertThat(early.left.sent())
                        .hasStatus(WcStatus.LOC_PROT_ERR)
                        .isExplainedBy("KEY-04", "key 0x87654321 names no memory");
                assertState(early.right.qp, QpState.RTS);
                assertThat(early.tap.sentBy("left")).isEmpty();
            }
        }
    }

    @Test
    @Rule("MR-42")
    void resultElementJudgedEarlyKeepsTheAtomicFromBeingDone() {
        try (RcPair early = pairOf(DeviceProfile.STRICT_IBTA.toBuilder().earlyReadLkey(true))) {
            early.left.qp.postSend(SendWorkRequest.fetchAndAdd(
                    1, early.right.address(0), early.right.rkey(), 7, new Sge(early.left.address(0), 8, 77)));
            assertThat(early.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
            assertThat(early.right.bytes().getLong(0)).isZero();
            assertState(early.right.qp, QpState.RTS);
        }
    }

    @Test
    @Rule("MR-43")
    void receiveElementLargerThanItsRegionIsJudgedByWhatArrivesUnlessTheProfileIsStrict() {
        MemoryRegion small = pair.right.pd.register(Memory.allocate(2 * BYTES), 0, BYTES, Side.ALL_RIGHTS);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, small.sge(0, 2 * BYTES)));
        pair.left.bytes().putLong(BYTES - 8, WORD);
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, BYTES)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasByteLength(BYTES);
        assertThat(small.memory().buffer().getLong(BYTES - 8)).isEqualTo(WORD);

        try (RcPair strict = pairOf(DeviceProfile.STRICT_IBTA.toBuilder().strictRecvSge(true))) {
            MemoryRegion narrow = strict.right.pd.register(Memory.allocate(2 * BYTES), 0, BYTES, Side.ALL_RIGHTS);
            strict.right.qp.postRecv(ReceiveWorkRequest.of(1, narrow.sge(0, 2 * BYTES)));
            strict.left.bytes().putLong(0, WORD);
            strict.left.qp.postSend(SendWorkRequest.send(2, strict.left.sge(0, 8)));
            assertThat(strict.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
            assertThat(strict.right.received())
                    .hasStatus(WcStatus.LOC_PROT_ERR)
                    .isExplainedBy("MR-22", "LOCAL_WRITE of 128 bytes");
            assertThat(narrow.memory().buffer().getLong(0)).isZero();
        }
    }

    @Test
    @Rule({"MR-22", "WC-21"})
    void payloadThatLeavesTheRegionOfItsReceiveFailsBothSides() {
        MemoryRegion small = pair.right.pd.register(Memory.allocate(2 * BYTES), 0, BYTES, Side.ALL_RIGHTS);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, small.sge(0, 2 * BYTES)));
        pair.left.bytes().put(BYTES, (byte) 1);
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, BYTES + 1)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.right.received()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-22");
        assertThat(small.memory().buffer().get(BYTES)).isZero();
    }

    @Test
    @Rule("WR-17")
    void messageOfMoreThanTwoToThe31BytesCannotBePosted() {
        Sge half = new Sge(0, 1 << 30, 77);
        assertRefused(
                Errno.EINVAL,
                "WR-17",
                () -> pair.left.qp.postSend(SendWorkRequest.send(1, half, half, new Sge(0, 1, 77))),
                "length=2147483649",
                "2^31");
        assertRefused(
                Errno.EINVAL,
                "WR-17",
                () -> pair.left.qp.postSend(SendWorkRequest.read(1, 0, 0, new Sge(0, -1, 77))),
                "length=4294967295");
        assertState(pair.left.qp, QpState.RTS);
        // 2^31 is posted, in one element or in two, and judged like any other when it runs.
        pair.left.qp.postSend(SendWorkRequest.send(2, half, half));
        assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("KEY-P7");
        pair.left.qp.postSend(SendWorkRequest.write(3, 0, 0, new Sge(0, 1 << 31, 77)));
        assertThat(pair.left.sent()).hasId(3).hasStatus(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @Rule("MR-33")
    void announcedLengthOfMoreThanTwoToThe31BytesIsAnInvalidRequest() {
        for (Opcode opcode : new Opcode[] {Opcode.RDMA_READ_REQUEST, Opcode.RDMA_WRITE_FIRST}) {
            try (Dialogue dialogue = Dialogue.begin()) {
                Packet tooLong = Packets.packet(opcode, 0, new byte[opcode.carriesPayload() ? Dialogue.MTU : 0])
                        .remoteAddress(dialogue.side.address(0))
                        .remoteKey(dialogue.side.rkey())
                        .dmaLengthBytes((1 << 31) + 1);
                dialogue.sends(tooLong).expects(Packets.nak(0, Syndrome.NAK_INVALID_REQUEST));
                assertState(dialogue.side.qp, QpState.ERR);
                AsyncEvent event = dialogue.event();
                assertThat(event.refusal().rule()).isEqualTo("MR-33");
                assertThat(event.refusal().sentence()).contains("length=2147483649 > 2^31");
                assertEvent(event, EventType.QP_ACCESS_ERR, dialogue.side.qp);
            }
            try (Dialogue dialogue = Dialogue.begin()) {
                Packet longest = Packets.packet(opcode, 0, new byte[opcode.carriesPayload() ? Dialogue.MTU : 0])
                        .remoteAddress(dialogue.side.address(0))
                        .remoteKey(dialogue.side.rkey())
                        .dmaLengthBytes(1 << 31);
                dialogue.sends(longest).expects(Packets.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                AsyncEvent event = dialogue.event();
                assertThat(event.refusal().rule()).isEqualTo("MR-22");
                assertThat(event.refusal().sentence()).contains("of 2147483648 bytes");
                assertEvent(event, EventType.QP_ACCESS_ERR, dialogue.side.qp);
            }
        }
    }
}
