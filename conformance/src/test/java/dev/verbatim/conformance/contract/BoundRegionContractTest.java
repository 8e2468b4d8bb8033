// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a region while windows are bound to it (A.6). */
@OnEveryFabric
class BoundRegionContractTest {

    @Parameter
    FabricKind fabric;

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
