// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread of the peer writes and reads through a window without a pause while the owner revokes its key. As soon as the
 * owner is told that the key is revoked it puts other bytes there: they stay, and no READ brings any of them.
 */
@ParameterizedClass
@EnumSource(
        value = FabricKind.class,
        names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
@Timeout(600)
@LongTest
class RevocationStressTest {

    private static final int ROUNDS = 12;

    /** So many that the lane is let go of in the middle of a message. */
    private static final int BYTES = 1 << 18;

    private static final byte BEFORE = 0x11;
    private static final byte WRITTEN = 0x22;
    private static final byte SENTINEL = 0x5a;

    @Parameter
    FabricKind fabric;

    /** How the owner gets its memory back. Each returns when the owner may rely on it. */
    private enum Revocation {
        LOCAL_INV(MemoryWindowType.TYPE_2) {
            @Override
            void revoke(Round round) {
                round.ownerQp().postSend(SendWorkRequest.localInvalidate(1, round.key));
                assertThat(round.pair.right.sent()).isSuccess();
            }
        },
        SEND_WITH_INV(MemoryWindowType.TYPE_2) {
            @Override
            void revoke(Round round) {
                round.ownerQp().postRecv(ReceiveWorkRequest.of(1));
                round.traffic.invalidates = true;
                WorkCompletion received = round.pair.right.received();
                assertThat(received).isSuccess().hasFlags(WcFlags.WITH_INV);
                assertThat(received.invalidatedKey()).isEqualTo(round.key);
            }
        },
        REBIND(MemoryWindowType.TYPE_1) {
            @Override
            void revoke(Round round) {
                bind(round, BindInfo.of(round.elsewhere, WindowPair.ALL));
            }
        },
        UNBIND(MemoryWindowType.TYPE_1) {
            @Override
            void revoke(Round round) {
                bind(round, BindInfo.NOTHING);
            }
        },
        DEALLOCATION_OF_TYPE_1(MemoryWindowType.TYPE_1) {
            @Override
            void revoke(Round round) {
                round.window.close();
            }
        },
        DEALLOCATION_OF_TYPE_2(MemoryWindowType.TYPE_2) {
            @Override
            void revoke(Round round) {
                round.window.close();
            }
        },
        /** The device lets the region go, and the window is an orphan. */
        DEREGISTRATION(MemoryWindowType.TYPE_1) {
            @Override
            void revoke(Round round) {
                round.region.close();
            }
        };

        private final MemoryWindowType type;

        Revocation(MemoryWindowType type) {
            this.type = type;
        }

        abstract void revoke(Round round);

        private static void bind(Round round, BindInfo info) {
            round.ownerQp().bindWindow(round.window, WindowBind.signaled(1, info));
            assertThat(round.pair.right.sent()).isSuccess();
        }
    }

    /** One window, bound once, and those who use it; a window of type 1 is used over two connections at once. */
    private static final class Round {
        final RcPair pair;
        final Memory memory = Memory.allocate(BYTES);
        final MemoryRegion region;
        final MemoryRegion elsewhere;
        final MemoryRegion source;
        final MemoryRegion result;
        final MemoryWindow window;
        final List<QueuePair> peers = new ArrayList<>();
        final List<QueuePair> owners = new ArrayList<>();
        final int key;
        final Traffic traffic;

        Round(RcPair pair, MemoryWindowType type) {
            this.pair = pair;
            memory.buffer().put(0, repeated(BEFORE));
            source = pair.left.pd.register(Memory.allocate(BYTES), 0);
            result = pair.left.pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE);
            result.memory().buffer().put(0, repeated(BEFORE));
            source.memory().buffer().put(0, repeated(WRITTEN));
            region = register(memory);
            elsewhere = register(Memory.allocate(BYTES));
            window = pair.right.pd.allocateWindow(type);
            for (int i = 0; i < (type == MemoryWindowType.TYPE_1 ? 2 : 1); i++) {
                peers.add(pair.left.newQueuePair());
                owners.add(pair.right.newQueuePair());
                RcConnection.connect(peers.get(i), owners.get(i));
            }
            key = bind();
            traffic = new Traffic(this);
        }

        private MemoryRegion register(Memory bytes) {
            return pair.right.pd.register(bytes, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        }

        private int bind() {
            BindInfo all = BindInfo.of(region, WindowPair.ALL);
            if (window.type() == MemoryWindowType.TYPE_1) {
                ownerQp().bindWindow(window, WindowBind.signaled(1, all));
            } else {
                ownerQp().postSend(SendWorkRequest.bindWindow(1, window, 0x41, all));
            }
            assertThat(pair.right.sent()).isSuccess();
            return window.currentRkey();
        }

        QueuePair ownerQp() {
            return owners.get(0);
        }

        void close() {
            peers.forEach(QueuePair::close);
            owners.forEach(QueuePair::close);
            elsewhere.close();
            source.close();
            result.close();
        }
    }

    /** Writes and reads all of the window over each connection, again and again until one request fails. */
    private static final class Traffic extends Thread {

        private static final int BATCHES_BEFORE = 5;

        private final Round round;
        private final CountDownLatch flowing = new CountDownLatch(BATCHES_BEFORE);
        private volatile boolean invalidates;
        private volatile WcStatus end = WcStatus.SUCCESS;

        Traffic(Round round) {
            super("traffic");
            setDaemon(true);
            this.round = round;
        }

        @Override
        public void run() {
            Side left = round.pair.left;
            SendWorkRequest write = SendWorkRequest.write(1, round.region.address(), round.key, round.source.sge());
            SendWorkRequest read = SendWorkRequest.read(2, round.region.address(), round.key, round.result.sge());
            while (end == WcStatus.SUCCESS) {
                List<SendWorkRequest> batch = new ArrayList<>(List.of(write, read));
                if (invalidates) {
                    batch.addAll(List.of(SendWorkRequest.sendWithInvalidate(3, round.key), write, read));
                }
                round.peers.forEach(peer -> peer.postSend(batch));
                for (int i = 0; i < batch.size() * round.peers.size(); i++) {
                    WcStatus status = left.sent().status();
                    if (end == WcStatus.SUCCESS) {
                        end = status;
                    }
                }
                flowing.countDown();
            }
        }

        /** The connection that still works fails as well. */
        void endAll() {
            for (QueuePair peer : round.peers) {
                if (peer.state() == QpState.RTS) {
                    peer.postSend(SendWorkRequest.write(9, round.region.address(), round.key, round.source.sge()));
                    assertThat(round.pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
                }
            }
        }
    }

    private static byte[] repeated(byte value) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, value);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MW-92", "MW-07", "MR-54", "T-08", "KEY-P2", "MW-93", "MW-108"})
    void nobodyTouchesTheBytesOnceTheOwnerKnowsThatTheKeyIsRevoked(Revocation revocation) throws Exception {
        WindowSwitches switches = WindowSwitches.STRICT.toBuilder()
                .boundRegion(WindowSwitches.BoundRegion.ORPHAN)
                .build();
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().windows(switches).build();
        // Once with somebody watching, who says what was decided.
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, profile, profile)) {
            revokeDuringTraffic(new Round(pair, revocation.type), revocation);
        }
        try (RcPair pair = fabric.openUnwatched(QpCapabilities.USUAL, profile)) {
            for (int i = 0; i < ROUNDS; i++) {
                revokeDuringTraffic(new Round(pair, revocation.type), revocation);
            }
        }
    }

    private static void revokeDuringTraffic(Round round, Revocation revocation) throws InterruptedException {
        round.traffic.start();
        round.traffic.flowing.await();
        revocation.revoke(round);
        round.memory.buffer().put(0, repeated(SENTINEL));
        round.traffic.join();
        round.traffic.endAll();

        assertThat(round.traffic.end).isEqualTo(WcStatus.REM_ACCESS_ERR);
        round.owners.forEach(owner -> assertState(owner, QpState.ERR));
        byte[] bytes = new byte[BYTES];
        round.memory.buffer().get(0, bytes);
        assertThat(Arrays.mismatch(bytes, repeated(SENTINEL)))
                .as("first byte that was touched after the revocation")
                .isEqualTo(-1);
        round.result.memory().buffer().get(0, bytes);
        for (byte each : bytes) {
            if (each != BEFORE && each != WRITTEN) {
                throw new AssertionError("a READ brought 0x" + Integer.toHexString(each));
            }
        }
        asserted();
        Device owner = round.pair.right.device;
        for (AsyncEvent event = owner.pollAsyncEvent(); event != null; event = owner.pollAsyncEvent()) {
            event.acknowledge();
        }
        round.close();
    }
}
