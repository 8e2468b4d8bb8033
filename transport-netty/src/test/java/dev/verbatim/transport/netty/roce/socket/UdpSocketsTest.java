// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which socket a packet leaves from. */
class UdpSocketsTest {

    private static final int RECEIVING = 4791;

    private final Set<Integer> bound = new HashSet<>();
    private int changes;

    /** Ports without sockets. */
    private final class Ports extends UdpSockets {

        Ports(int most) {
            super(0, most);
            addSource(new Port(RECEIVING));
        }

        @Override
        public Future<?> start() {
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
        }

        @Override
        SendingSocket bind(int port) throws IOException {
            int chosen = port == 0 ? 30_000 + bound.size() : port;
            if (!bound.add(chosen)) {
                throw new BindException("taken");
            }
            return new Port(chosen);
        }

        @Override
        public ByteBuffer room() {
            return ByteBuffer.allocate(0);
        }

        @Override
        public void send(SendingSocket from, int offset, int lengthBytes, InetSocketAddress to) {}

        @Override
        public boolean areDirect() {
            return true;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        @Override
        public boolean areFree() {
            return true;
        }
    }

    private final class Port implements SendingSocket {

        private final int port;
        private int trafficClass;
        private int hopLimit = USUAL_HOP_LIMIT;

        Port(int port) {
            this.port = port;
        }

        @Override
        public int port() {
            return port;
        }

        boolean carries(int wantedTrafficClass, int wantedHopLimit) {
            return trafficClass == wantedTrafficClass && hopLimit == wantedHopLimit;
        }

        @Override
        public void path(int newTrafficClass, int newHopLimit) {
            changes++;
            trafficClass = newTrafficClass;
            hopLimit = newHopLimit;
        }
    }

    private static boolean carries(SendingSocket socket, int trafficClass, int hopLimit) {
        return ((Port) socket).carries(trafficClass, hopLimit);
    }

    @Test
    void portHasItsOwnSocketWhileThePoolHasRoom() {
        UdpSockets sockets = new Ports(16);
        SendingSocket first = sockets.from(0xc001, 0, 64);
        assertThat(first.port()).isEqualTo(0xc001);
        assertThat(sockets.from(0xc002, 0, 64).port()).isEqualTo(0xc002);
        assertThat(sockets.from(0xc001, 0, 64)).isSameAs(first);
        assertThat(sockets.from(RECEIVING, 0, 64).port()).isEqualTo(RECEIVING);
    }

    /** Each socket is changed once at most, although the first value has taken all of them before. */
    @Test
    void valuesThatAlternateHaveSocketsOfTheirOwn() {
        UdpSockets sockets = new Ports(8);
        for (int port = 0; port < 20; port++) {
            sockets.from(0xc000 + port, 0, 64);
        }
        for (int round = 0; round < 100; round++) {
            for (int value = 0; value < 4; value++) {
                SendingSocket from = sockets.from(0xc000 + round % 50, value << 2, 64 - value);
                assertThat(carries(from, value << 2, 64 - value)).isTrue();
            }
        }
        assertThat(changes).isEqualTo(3);
        assertThat(bound).hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void poolIsBoundedAndEveryPacketHasItsValues() {
        UdpSockets sockets = new Ports(4);
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            int trafficClass = random.nextInt(256);
            int hopLimit = 1 + random.nextInt(255);
            assertThat(carries(
                            sockets.from(0xc000 + random.nextInt(0x3fff), trafficClass, hopLimit),
                            trafficClass,
                            hopLimit))
                    .isTrue();
        }
        assertThat(bound).hasSize(3);
    }

    @Test
    void oneSocketSendsEverythingFromThePortOfRoce() {
        UdpSockets sockets = new Ports(1);
        assertThat(sockets.from(RECEIVING, 0x68, 3).port()).isEqualTo(RECEIVING);
        assertThat(carries(sockets.from(RECEIVING, 0x68, 3), 0x68, 3)).isTrue();
        assertThat(changes).isEqualTo(1);
        assertThat(bound).isEmpty();
    }
}
