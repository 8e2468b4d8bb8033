// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the owner of a window of type 2 revokes its key (B.6). */
@OnEveryFabric
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
                    .isExplainedBy(unfit.rule, String.format("0x%08x", key), unfit.words);
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
}
