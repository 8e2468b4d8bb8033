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
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of windows when the queue pair that bound them fails, is reset or destroyed (B.6). */
@OnEveryFabric
class WindowsOfQueuePairsContractTest {

    @Parameter
    FabricKind fabric;

    private static WindowSwitches of(Type2 type) {
        return WindowSwitches.STRICT.toBuilder().type2(type).build();
    }

    @ParameterizedTest
    @EnumSource(
            value = Type2.class,
            names = {"A", "B"})
    @Rule({"MW-94", "MW-45"})
    void windowStaysBoundButUnreachableInErrAndForGoodAfterReset(Type2 type) {
        try (WindowPair pair = WindowPair.open(fabric, of(type), Cause.CONNECTION)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.owner.qp.modify(new QpAttributes().state(QpState.ERR));
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close);
            pair.owner.qp.postSend(SendWorkRequest.localInvalidate(1, key));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(1);
            assertThat(pair.ask(pair.first, pair.write(key, pair.address(0), 8)))
                    .hasStatus(WcStatus.RETRY_EXC_ERR);
            pair.assertUntouched();

            // The same queue pair in another life, with a peer of its own.
            pair.owner.qp.modify(new QpAttributes().state(QpState.RESET));
            Connection again = pair.connect(RcConnection.USUAL, pair.owner.qp);
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close);
            pair.assertDenied(
                    again, pair.write(key, pair.address(0), 8), "MW-95", "window " + window.handle(), "reset");

            Connection other = pair.connect();
            other.owner().postSend(SendWorkRequest.bindWindow(2, window, key + 1, pair.bytes(0, 8, 0)));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).isExplainedBy("MW-45");
            window.close();
            pair.region.close();
        }
    }

    @Test
    @Rule({"MW-94", "MW-81"})
    void localInvalidationInTheNextLifeFails() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.owner.qp.modify(new QpAttributes().state(QpState.RESET));
            pair.connect(RcConnection.USUAL, pair.owner.qp);
            pair.owner.qp.postSend(SendWorkRequest.localInvalidate(1, key).unsignaled());
            assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(1);
            assertState(pair.owner.qp, QpState.ERR);
            assertThat(window.life().get(0).end()).isNull();
        }
    }

    @Test
    @Rule("MW-94")
    void deviceThatSaysSoKeepsWindowsOverReset() {
        WindowSwitches keeping =
                WindowSwitches.STRICT.toBuilder().keepOverReset(true).build();
        try (WindowPair pair = WindowPair.openUnjudged(fabric, keeping)) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_2), pair.bytes(0, 64, WindowPair.ALL));
            pair.owner.qp.modify(new QpAttributes().state(QpState.RESET));
            Connection again = pair.connect(RcConnection.USUAL, pair.owner.qp);
            pair.assertWrites(again, key, 0, 64);
            pair.invalidate(key);
            pair.region.close();
        }
    }

    @Test
    @Rule({"MW-95", "MW-01"})
    void windowOfTypeOneOutlivesTheQueuePairThatBoundIt() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Connection binder = pair.connect();
            int key =
                    pair.bind(binder.owner(), pair.window(MemoryWindowType.TYPE_1), pair.bytes(0, 64, WindowPair.ALL));
            pair.assertWrites(binder, key, 0, 64);
            binder.owner().close();
            pair.assertWrites(pair.first, key, 0, 64);
        }
    }

    @Test
    @Rule({"MW-95", "MW-96"})
    void queuePairWithAWindowOf2AIsNotDestroyed() {
        try (WindowPair pair = WindowPair.open(fabric, of(Type2.A))) {
            Connection binder = pair.connect();
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            MemoryWindow another = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(binder.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            pair.bind(binder.owner(), another, pair.bytes(0, 64, WindowPair.ALL));
            assertRefused(Errno.EBUSY, "MW-95", binder.owner()::close, "windows=2");
            pair.assertWrites(binder, key, 0, 64);
            binder.owner().postSend(SendWorkRequest.localInvalidate(1, key));
            assertThat(pair.owner.sent()).isSuccess();
            assertRefused(Errno.EBUSY, "MW-95", binder.owner()::close, "windows=1");
            another.close();
            binder.owner().close();
        }
    }

    @Test
    @Rule({"MW-95", "MW-81", "MW-32", "MR-50", "TR-11"})
    void windowOf2BIsUnreachableWhenItsQueuePairIsGoneAndOnlyDeallocated() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            Connection binder = pair.connect();
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(binder.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            binder.owner().close();
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close);
            pair.assertDenied(
                    pair.connect(), pair.write(key, pair.address(0), 8), "MW-95", "window " + window.handle());

            pair.owner.qp.postSend(SendWorkRequest.localInvalidate(1, key));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(1);
            Connection other = pair.connect();
            other.owner().postSend(SendWorkRequest.bindWindow(2, window, key, pair.bytes(0, 64, 0)));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).isExplainedBy("MW-45");
            window.close();
            pair.region.close();
        }
    }

    @Test
    @Rule({"MW-95", "T-18", "TR-11"})
    void queuePairWithTheNumberOfAnotherInheritsNothing() {
        DeviceProfile twoNumbers =
                DeviceProfile.STRICT_IBTA.toBuilder().qpNumbers(2).build();
        try (WindowPair pair = WindowPair.open(fabric, twoNumbers)) {
            Connection binder = pair.connect();
            int number = binder.owner().number();
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(binder.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            pair.assertWrites(binder, key, 0, 64);
            binder.owner().close();
            QueuePair successor = pair.owner.newQueuePair();
            assertThat(successor.number()).isEqualTo(number);

            Connection again = pair.connect(RcConnection.USUAL, successor);
            pair.assertDenied(again, pair.write(key, pair.address(0), 8), "MW-95", "window " + window.handle());
            window.close();
            pair.region.close();
        }
    }
}
