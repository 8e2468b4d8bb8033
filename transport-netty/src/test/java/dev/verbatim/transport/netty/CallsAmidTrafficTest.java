// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control verbs of four threads while the loop carries packets: whatever runs on the lane runs alone. */
@Timeout(600)
@LongTest
class CallsAmidTrafficTest {

    private static final int CALLERS = 4;
    private static final int CALLS = 100;
    private static final int PACKETS = 5_000;

    /** So long that a step which meets another one is mostly seen. */
    private static final int SPINS = 200;

    /** Whatever is on the lane goes through it; two at a time are seen. */
    private static final class Turnstile {

        /** Plain: the lane is what orders the accesses. */
        private long passed;

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicReference<String> crowd = new AtomicReference<>();

        void pass(String who) {
            if (inside.incrementAndGet() != 1) {
                crowd.compareAndSet(null, who + " met somebody on the lane");
            }
            passed++;
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
            inside.decrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule("MR-54")
    void stepOfTheLoopAndCallsOfOthersMeetNobody(boolean spinning) throws InterruptedException {
        Turnstile turnstile = new Turnstile();
        AtomicInteger packets = new AtomicInteger();
        PacketSink sink = (link, packet) -> {
            turnstile.pass("a packet");
            packets.incrementAndGet();
        };
        try (Node peer = Node.open(1);
                NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withSpinning(spinning))) {
            var port = fabric.attach(Gid.ofGuid(2), sink);
            fabric.dial(peer.listen());
            NettyLane lane = (NettyLane) port.lane();
            AtomicInteger ending = new AtomicInteger();
            lane.call(() -> {
                Link link = port.linkTo(peer.gid);
                link.ready(endless(link, () -> turnstile.pass("a pull"), ending));
            });
            NettyLink back = peer.linkTo(port.gid());
            peer.port.lane().call(() -> back.ready(endless(back, () -> {}, ending)));
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Thread caller = new Thread(() -> {
                    for (int call = 0; call < CALLS || packets.get() < PACKETS; call++) {
                        lane.call(() -> turnstile.pass("a call"));
                    }
                });
                callers.add(caller);
                caller.start();
            }
            while (callers.stream().anyMatch(Thread::isAlive) || packets.get() < PACKETS) {
                lane.progress();
                assertThat(turnstile.crowd.get()).isNull();
            }
            ending.set(1);
            lane.call(() -> assertThat(turnstile.passed).isGreaterThanOrEqualTo((long) CALLERS * CALLS + PACKETS));
            assertThat(turnstile.crowd.get()).isNull();
        }
    }

    private static PacketSource endless(Link link, Runnable each, AtomicInteger ending) {
        ByteBuffer nothing = ByteBuffer.allocateDirect(8);
        return new PacketSource() {
            private int psn;

            @Override
            public boolean pull(Packet packet) {
                each.run();
                if (ending.get() != 0) {
                    return false;
                }
                packet.begin(Opcode.SEND_ONLY)
                        .destQp(1)
                        .psn(psn++ & 0xffffff)
                        .payload()
                        .add(nothing, 0, 8);
                return true;
            }

            @Override
            public @Nullable Link link() {
                return link;
            }
        };
    }
}
