// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the key of a window of type 2 is revoked, by its owner and by its user (B.6). */
@ParameterizedClass
@EnumSource(FabricKind.class)
@Timeout(60)
class InvalidationContractTest {

    @Parameter
    FabricKind fabric;

    @Test
    @Rule({"MW-80", "MW-93", "MR-50", "MR-51", "KEY-P2"})
    void localInvalidationFreesTheWindowAndItsRegionAndEndsTheKey() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.assertWrites(pair.first, key, 0, 64);
            pair.owner.qp.postSend(SendWorkRequest.localInvalidate(7, key));
            assertThat(pair.owner.sent()).isSuccess().hasId(7).hasOpcode(WcOpcode.LOCAL_INV);
            assertThat(window.life()).hasSize(1);
            assertThat(window.life().get(0).end()).contains("LOCAL_INV");

            int next = pair.bind(window, pair.bytes(64, 64, WindowPair.ALL));
            pair.assertWrites(pair.first, next, 64, 64);
            pair.invalidate(next);
            pair.region.close();
            assertThat(pair.ask(pair.first, pair.read(key, pair.address(0), 0))).isSuccess();
            pair.assertDenied(
                    pair.first,
                    pair.read(key, pair.address(0), 8),
                    "MW-80",
                    String.format("key 0x%08x was window %d's 1st binding", key, window.handle()),
                    String.format("LOCAL_INV on qp 0x%x", pair.owner.qp.number()));
        }
    }

    /** One batch behind an unacknowledged SEND: each of them finds done what is before it. */
    @Test
    @Rule({"ORD-16", "ORD-17", "ORD-18", "ORD-10", "MW-33", "LT-16", "WR-39"})
    void invalidationAndBindsTakeEffectOneAfterTheOther() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int old = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.peer.qp.postRecv(ReceiveWorkRequest.of(1, pair.peer.sge(0, 5000)));
            pair.peer.qp.postRecv(ReceiveWorkRequest.of(2));
            SendWorkRequest bind = SendWorkRequest.bindWindow(5, window, old + 1, pair.bytes(64, 64, WindowPair.ALL));
            pair.owner.qp.postSend(List.of(
                    SendWorkRequest.send(3, pair.owner.sge(0, 5000)).unsignaled(),
                    // Fields that it does not use mean nothing.
                    SendWorkRequest.of(4, WrOpcode.LOCAL_INV, 7, 8, 9, 10, old, new Sge(1, 1, 1)),
                    bind,
                    SendWorkRequest.send(6)));
            assertThat(pair.peer.received()).isSuccess().hasId(1);
            assertThat(pair.peer.received()).isSuccess().hasId(2);
            // The last message says that everything before it has been done.
            pair.assertReads(pair.first, bind.boundKey(), 64, 64);
            assertThat(pair.owner.sent()).isSuccess().hasId(4).hasOpcode(WcOpcode.LOCAL_INV);
            assertThat(pair.owner.sent()).isSuccess().hasId(5).hasOpcode(WcOpcode.BIND_MW);
            assertThat(pair.owner.sent()).isSuccess().hasId(6);
            pair.assertDenied(pair.first, pair.read(old, pair.address(0), 8), "MW-80");
        }
    }

    @ParameterizedTest
    @EnumSource(UnfitKey.class)
    @Rule({"MW-81", "MW-82", "MW-83", "WC-34", "WC-05"})
    void keyThatCannotBeInvalidatedFailsTheQueuePairAndChangesNothing(UnfitKey unfit) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Connection over = pair.connect();
            int key = unfit.prepare(pair, over);
            over.owner()
                    .postSend(List.of(SendWorkRequest.localInvalidate(1, key).unsignaled(), SendWorkRequest.send(2)));
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(1)
                    .isExplainedBy(unfit.rule, String.format("0x%08x", key));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(over.owner(), QpState.ERR);
            assertState(over.peer(), QpState.RTS);
            assertThat(pair.owner.device.pollAsyncEvent()).isNull();
            if (unfit.isServed()) {
                pair.assertReads(pair.first, key, 0, 64);
            } else if (unfit == UnfitKey.REGION) {
                assertThat(pair.ask(pair.first, pair.read(key, pair.owner.address(0), 8)))
                        .isSuccess();
            } else {
                assertThat(pair.ask(pair.first, pair.read(key, pair.address(0), 8)))
                        .hasStatus(WcStatus.REM_ACCESS_ERR);
            }
        }
    }

    @Test
    @Rule("MW-82")
    void deviceThatForgivesInvalidatesAFreeWindowAndRevivesNothing() {
        WindowSwitches switches =
                WindowSwitches.STRICT.toBuilder().freeWindowInvalidates(true).build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.invalidate(key);
            pair.invalidate(key);
            assertThat(window.life()).hasSize(1);
            pair.assertDenied(pair.first, pair.read(key, pair.address(0), 8), "MW-80");
        }
    }

    @ParameterizedTest
    @EnumSource(WindowSwitches.LocalInvStatus.class)
    @Rule("WC-34")
    void statusOfAFailedInvalidationIsTheProfiles(WindowSwitches.LocalInvStatus chosen) {
        WcStatus status = WcStatus.valueOf(chosen.name());
        WindowSwitches switches =
                WindowSwitches.STRICT.toBuilder().localInvStatus(chosen).build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            pair.owner.qp.postSend(SendWorkRequest.localInvalidate(1, 7));
            assertThat(pair.owner.sent()).hasStatus(status).hasId(1);
            assertState(pair.owner.qp, QpState.ERR);
        }
    }

    /** What is sent before the invalidation: nothing, one packet, several. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 1024, 5000})
    @Rule({"MW-84", "MW-88", "MW-91", "MR-51", "HD-04"})
    void sendWithInvalidatePlacesItsDataEndsTheKeyAndSaysSo(int length) {
        WindowSwitches none = WindowSwitches.STRICT.toBuilder()
                .type1(false)
                .type2(WindowSwitches.Type2.NONE)
                .build();
        DeviceProfile without =
                DeviceProfile.STRICT_IBTA.toBuilder().windows(none).build();
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, without, DeviceProfile.STRICT_IBTA)
                .connect(RcConnection.USUAL)) {
            MemoryRegion region =
                    pair.right.pd.register(pair.right.region.memory(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest bind = SendWorkRequest.bindWindow(
                    1, window, 0x41, new BindInfo(region, region.address(), 64, WindowPair.ALL));
            pair.right.qp.postSend(bind);
            assertThat(pair.right.sent()).isSuccess();
            for (int i = 0; i < length; i++) {
                pair.left.bytes().put(i, (byte) (i % 101 + 1));
            }
            Sge[] into = length == 0 ? new Sge[0] : new Sge[] {pair.right.sge(1000, length)};
            pair.right.qp.postRecv(ReceiveWorkRequest.of(50, into));
            SendWorkRequest send = length == 0
                    ? SendWorkRequest.sendWithInvalidate(2, bind.boundKey())
                    : SendWorkRequest.sendWithInvalidate(2, bind.boundKey(), pair.left.sge(0, length));
            pair.left.qp.postSend(send);

            WorkCompletion received = pair.right.received();
            region.close();
            assertThat(received)
                    .isSuccess()
                    .hasId(50)
                    .hasOpcode(WcOpcode.RECV)
                    .hasByteLength(length)
                    .hasFlags(WcFlags.WITH_INV);
            assertThat(received.invalidatedKey()).isEqualTo(bind.boundKey());
            for (int i = 0; i < length; i++) {
                assertThat(pair.right.bytes().get(1000 + i)).isEqualTo((byte) (i % 101 + 1));
            }
            assertThat(window.life().get(0).end()).contains("SEND_WITH_INV");
            assertThat(pair.left.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.SEND);
            assertOpcodes(pair, length > RcConnection.USUAL.pathMtu().bytes());
        }
    }

    @Test
    @Rule({"MW-84", "WR-22", "WR-21"})
    void sendWithInvalidateMayBeInlineAndSolicited() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_2), pair.bytes(0, 64, WindowPair.ALL));
            byte[] sent = new byte[64];
            pair.peer.bytes().get(0, sent);
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(50, pair.owner.sge(0, 64)));
            pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(1, key, pair.peer.sge(0, 64))
                    .plus(SendFlags.INLINE | SendFlags.SOLICITED));
            pair.peer.bytes().put(0, new byte[64]);
            WorkCompletion received = pair.owner.received();
            assertThat(received).isSuccess().hasFlags(WcFlags.WITH_INV).hasByteLength(64);
            assertThat(received.invalidatedKey()).isEqualTo(key);
            byte[] arrived = new byte[64];
            pair.owner.bytes().get(0, arrived);
            assertThat(arrived).isEqualTo(sent);
            pair.region.close();
        }
    }

    private static void assertOpcodes(RcPair pair, boolean several) {
        Opcode last = several ? Opcode.SEND_LAST_WITH_INVALIDATE : Opcode.SEND_ONLY_WITH_INVALIDATE;
        assertThat(last.code()).isEqualTo(several ? 0x16 : 0x17);
        List<PacketSent> sent =
                pair.tap.sentBy("left").stream().map(PacketSent.class::cast).toList();
        assertThat(sent)
                .filteredOn(each -> each.packet().opcode() == last)
                .as("packets that carry the key")
                .isNotEmpty();
        assertThat(sent)
                .filteredOn(each -> each.opcodeName().contains("INVALIDATE"))
                .allMatch(each -> each.packet().opcode() == last);
    }

    @ParameterizedTest
    @EnumSource(UnfitKey.class)
    @Rule({"MW-85", "MW-86", "WC-35", "WC-47", "TR-4"})
    void sendWithInvalidateOfAnUnfitKeyFailsItsReceiverAndIsNeverAnswered(UnfitKey unfit) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Connection over = pair.connect(Cause.CONNECTION, pair.owner.newQueuePair());
            int key = unfit.prepare(pair, over);
            over.owner().postRecv(ReceiveWorkRequest.of(50, pair.owner.sge(0, 64)));
            over.owner().postRecv(ReceiveWorkRequest.of(51));
            over.peer().postSend(SendWorkRequest.sendWithInvalidate(1, key, pair.peer.sge(0, 64)));
            over.peer().postSend(SendWorkRequest.send(2));

            assertThat(pair.owner.received())
                    .hasStatus(WcStatus.REM_INV_REQ_ERR)
                    .hasId(50)
                    .isExplainedBy("MW-85", String.format("0x%08x", key));
            assertThat(pair.owner.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(51);
            assertState(over.owner(), QpState.ERR);
            assertThat(pair.owner.device.pollAsyncEvent()).isNull();
            assertThat(pair.peer.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1);
            assertThat(pair.peer.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(over.peer(), QpState.ERR);
            assertThat(pair.pair.tap.sentBy("right"))
                    .filteredOn(sent -> sent.qp() == over.owner().number())
                    .as("answers")
                    .isEmpty();
            if (unfit.isServed()) {
                pair.assertReads(pair.first, key, 0, 64);
            }
            pair.assertUntouched();
        }
    }

    @Test
    @Rule({"MW-87", "WC-22"})
    void sendWithInvalidateWithoutAReceiveInvalidatesNothing() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Connection over = pair.connect(RcConnection.USUAL.retries(14, 7, 2, 1), pair.owner.newQueuePair());
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(over.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            over.peer().postSend(SendWorkRequest.sendWithInvalidate(1, key));
            assertThat(pair.peer.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR).hasId(1);
            assertState(over.owner(), QpState.RTS);
            assertThat(window.life().get(0).end()).isNull();
            over.owner().postSend(SendWorkRequest.localInvalidate(2, key));
            assertThat(pair.owner.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"MW-87", "RT-04"})
    void sendWithInvalidateThatWaitsForItsReceiveInvalidatesOnce() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.assertWrites(pair.first, key, 0, 64);
            pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(1, key));
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(50));
            assertThat(pair.owner.received()).isSuccess().hasFlags(WcFlags.WITH_INV);
            assertThat(pair.peer.sent()).isSuccess();
            assertThat(window.life()).hasSize(1);
        }
    }

    /** On the lossy fabric some of the messages arrive twice, others are lost and sent again. */
    @Test
    @Rule({"MW-89", "MW-33", "DUP-01", "T-03"})
    void keyThatIsBoundAgainAfterEachSendWithInvalidateServesEachTime() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int rounds = fabric == FabricKind.LOSSY ? 300 : 30;
            for (int round = 0; round < rounds; round++) {
                SendWorkRequest bind =
                        SendWorkRequest.bindWindow(1, window, 0x41, pair.bytes(8 * (round % 16), 8, WindowPair.ALL));
                pair.owner.qp.postSend(bind);
                assertThat(pair.owner.sent()).isSuccess();
                pair.assertWrites(pair.first, bind.boundKey(), 8 * (round % 16), 8);
                pair.owner.qp.postRecv(ReceiveWorkRequest.of(round));
                pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(2, bind.boundKey()));
                assertThat(pair.owner.received()).isSuccess().hasFlags(WcFlags.WITH_INV);
                assertThat(pair.peer.sent()).isSuccess();
            }
        }
    }

    /** What becomes of a region while windows of it are bound, and how each of them lets go of it. */
    private enum LettingGo {
        LOCAL_INV(MemoryWindowType.TYPE_2, held -> held.pair.invalidate(held.key)),
        SEND_WITH_INV(MemoryWindowType.TYPE_2, held -> {
            held.pair.owner.qp.postRecv(ReceiveWorkRequest.of(1));
            held.pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(1, held.key));
            assertThat(held.pair.owner.received()).isSuccess();
        }),
        DEALLOCATION_1(MemoryWindowType.TYPE_1, held -> held.window.close()),
        DEALLOCATION_2(MemoryWindowType.TYPE_2, held -> held.window.close()),
        REBIND(
                MemoryWindowType.TYPE_1,
                held -> held.pair.bind(
                        held.window,
                        BindInfo.of(
                                held.pair.owner.pd.register(
                                        held.pair.region.memory(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND),
                                WindowPair.READ))),
        UNBIND(MemoryWindowType.TYPE_1, held -> held.pair.bind(held.window, BindInfo.NOTHING));

        private final MemoryWindowType type;
        private final Consumer<Held> how;

        LettingGo(MemoryWindowType type, Consumer<Held> how) {
            this.type = type;
            this.how = how;
        }
    }

    private record Held(WindowPair pair, MemoryWindow window, int key) {}

    @ParameterizedTest
    @EnumSource(LettingGo.class)
    @Rule({"MR-50", "MR-51"})
    void regionIsBusyUntilItsLastWindowLetsGo(LettingGo letting) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(letting.type);
            MemoryWindow other = pair.window(MemoryWindowType.TYPE_1);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.bind(other, pair.bytes(0, 64, WindowPair.ALL));
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close, "windows=2");
            pair.assertWrites(pair.first, key, 0, 64);
            other.close();
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close, "windows=1");
            pair.assertReads(pair.first, key, 0, 64);
            letting.how.accept(new Held(pair, window, key));
            pair.region.close();
        }
    }

    @Test
    @Rule("MR-50")
    void deviceThatSaysSoRefusesWithEinval() {
        WindowSwitches switches = WindowSwitches.STRICT.toBuilder()
                .boundRegion(WindowSwitches.BoundRegion.EINVAL)
                .build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_1), pair.bytes(0, 64, WindowPair.ALL));
            assertRefused(Errno.EINVAL, "MR-50", pair.region::close, "windows=1");
            pair.assertWrites(pair.first, key, 0, 64);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-108", "MR-50", "MW-06"})
    void windowWhoseRegionIsGoneLeadsNowhere(MemoryWindowType type) {
        WindowSwitches switches = WindowSwitches.STRICT.toBuilder()
                .boundRegion(WindowSwitches.BoundRegion.ORPHAN)
                .build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            MemoryWindow window = pair.window(type);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.assertWrites(pair.first, key, 0, 64);
            pair.region.close();
            assertThat(pair.ask(pair.first, pair.write(key, pair.address(0), 0)))
                    .isSuccess();
            pair.assertDenied(pair.first, pair.write(key, pair.address(0), 8), "MW-108", "window " + window.handle());
            window.close();
        }
    }
}
