// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

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
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Syndrome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the user of a window of type 2 gives its key back (B.6). */
@OnEveryFabric
class RemoteInvalidationContractTest {

    @Parameter
    FabricKind fabric;

    /** What is sent before the invalidation: nothing, one packet, several. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 1024, 5000})
    @Rule({"MW-84", "MW-88", "MW-91", "MR-51"})
    void sendWithInvalidatePlacesItsDataEndsTheKeyAndSaysSo(int length) {
        WindowSwitches others = WindowSwitches.STRICT.toBuilder()
                .type1(false)
                .type2(WindowSwitches.Type2.A)
                .build();
        DeviceProfile without =
                DeviceProfile.STRICT_IBTA.toBuilder().windows(others).build();
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
                    .isExplainedBy("MW-85", String.format("0x%08x", key), unfit.words);
            assertThat(pair.owner.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(51);
            assertState(over.owner(), QpState.ERR);
            assertThat(pair.owner.device.pollAsyncEvent()).isNull();
            assertThat(pair.peer.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1);
            assertThat(pair.peer.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(over.peer(), QpState.ERR);
            assertThat(pair.pair.tap.sentBy("right"))
                    .filteredOn(sent -> sent.qp() == over.owner().number())
                    // Of a message that was lost on its way the next one tells.
                    .filteredOn(sent -> sent.syndrome() != Syndrome.NAK_PSN_SEQUENCE)
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
            Connection over = pair.connect(RcConnection.USUAL.withRetries(14, 7, 2, 1), pair.owner.newQueuePair());
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
}
