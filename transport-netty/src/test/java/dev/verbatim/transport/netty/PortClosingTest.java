// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a port still sends when it is closed, over each kind of socket. */
@Timeout(600)
class PortClosingTest {

    private static final long NEVER_NANOS = 3_600_000_000_000L;

    /** With less, Linux closes its windows and asks every 200 ms whether they are open again. */
    private static final int NARROW_BYTES = 4096;

    /** Far more than both sockets hold. */
    private static final int MANY = 1000;

    private static final int PAYLOAD_BYTES = 4096;

    private static NettyOptions options(SocketTransport transport, boolean spinning) {
        assumeThat(transport.isAvailable()).isTrue();
        return NettyOptions.defaults().withTransport(transport).withSpinning(spinning);
    }

    private static List<Integer> psns(List<PacketRecord> packets) {
        return packets.stream().map(PacketRecord::psn).toList();
    }

    @ParameterizedTest
    @CsvSource({"NIO,false", "NIO,true", "EPOLL,false", "EPOLL,true", "IO_URING,false", "IO_URING,true"})
    void whatWasAnnouncedBeforeAPortClosesOnTheLaneIsSent(SocketTransport transport, boolean spinning) {
        try (Node server = Node.open(1);
                Node client = Node.open(2, options(transport, spinning))) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            client.port.lane().call(() -> {
                link.ready(new Stream(link, 0x11, 0, 1, 8));
                link.ready(new Stream(link, 0x11, 1, 1, 8));
                client.port.close();
            });
            // Who drives a loop waits, and drives it.
            client.port.close();
            assertThat(psns(server.inbox.await(2))).containsExactly(0, 1);
        }
    }

    /** The thread that closes is the next one on the lane. */
    @ParameterizedTest
    @EnumSource(SocketTransport.class)
    void whatIsAnnouncedWhileAThreadWaitsToCloseThePortIsSent(SocketTransport transport) throws InterruptedException {
        try (Node server = Node.open(1);
                Node client = Node.open(2, options(transport, false))) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            Thread closer = new Thread(client.fabric::close, "closes");
            client.port.lane().call(() -> {
                closer.start();
                Await.state(closer, Thread.State.WAITING);
                link.ready(new Stream(link, 0x11, 0, 1, 8));
            });
            Await.end(closer);
            assertThat(psns(server.inbox.await(1))).containsExactly(0);
        }
    }

    /** The peer reads nothing until the thread that closes waits for it. */
    @ParameterizedTest
    @CsvSource({"NIO,false", "NIO,true", "EPOLL,false", "EPOLL,true", "IO_URING,false", "IO_URING,true"})
    void whatASocketDoesNotTakeAtOnceIsSentBeforeThePortIsClosed(SocketTransport transport, boolean spinning)
            throws InterruptedException {
        NettyOptions narrow = NettyOptions.defaults().withSocketBufferBytes(NARROW_BYTES);
        NettyOptions patient =
                options(transport, spinning).withSocketBufferBytes(NARROW_BYTES).withCloseTimeoutNanos(NEVER_NANOS);
        try (Node server = Node.open(1, narrow);
                Node client = Node.open(2, patient)) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            CountDownLatch closing = new CountDownLatch(1);
            Thread stalled = stall(server, closing);
            client.port.lane().call(() -> {
                link.ready(new Stream(link, 0x11, 0, MANY, PAYLOAD_BYTES));
                assertThat(link.isReliable()).isTrue();
            });
            client.await("a full socket", () -> link.handedOver() > 0 && link.taken() < link.handedOver());
            unblockWhenWaiting(Thread.currentThread(), closing);
            client.fabric.close();
            Await.end(stalled);
            assertThat(server.inbox.await(MANY)).hasSize(MANY);
        }
    }

    /** Keeps the lane of a node busy, so that it reads nothing. */
    private static Thread stall(Node node, CountDownLatch until) throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> node.port.lane().call(() -> {
                    busy.countDown();
                    try {
                        until.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }),
                "stalls");
        thread.start();
        Await.latch("the lane to be busy", busy);
        return thread;
    }

    private static void unblockWhenWaiting(Thread closer, CountDownLatch closing) {
        Thread thread = new Thread(
                () -> {
                    Await.until("a thread that closes to wait", () -> isIn(closer, PortClosing.class.getName()));
                    closing.countDown();
                },
                "unblocks");
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean isIn(Thread thread, String className) {
        for (StackTraceElement element : thread.getStackTrace()) {
            if (element.getClassName().equals(className)
                    && element.getMethodName().equals("await")) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @CsvSource({"NIO,false", "NIO,true", "EPOLL,false", "EPOLL,true", "IO_URING,false", "IO_URING,true"})
    void peerThatDoesNotReadDoesNotKeepAPortFromClosing(SocketTransport transport, boolean spinning)
            throws InterruptedException {
        NettyOptions narrow = NettyOptions.defaults().withSocketBufferBytes(NARROW_BYTES);
        CountDownLatch closed = new CountDownLatch(1);
        try (Node server = Node.open(1, narrow)) {
            Thread stalled;
            try (Node client = Node.open(
                    2,
                    options(transport, spinning)
                            .withSocketBufferBytes(NARROW_BYTES)
                            .withCloseTimeoutNanos(1_000_000))) {
                client.fabric.dial(server.listen());
                NettyLink link = client.linkTo(server.gid);
                stalled = stall(server, closed);
                client.port.lane().call(() -> link.ready(new Stream(link, 0x11, 0, MANY, PAYLOAD_BYTES)));
                client.await("a full socket", () -> link.taken() < link.handedOver());
                client.fabric.close();
            } finally {
                closed.countDown();
            }
            Await.end(stalled);
            assertThat(server.inbox.size()).isLessThan(MANY);
        }
    }

    @Test
    void sourceThatNeverEndsDoesNotKeepAPortFromClosing() {
        try (Node server = Node.open(1);
                Node client = Node.open(2, NettyOptions.defaults().withCloseTimeoutNanos(1_000_000))) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            client.port
                    .lane()
                    .call(() -> link.ready(new PacketSource() {
                        @Override
                        public boolean pull(Packet packet) {
                            packet.begin(Opcode.SEND_ONLY).destQp(0x11).psn(1);
                            return true;
                        }

                        @Override
                        public Link link() {
                            return link;
                        }
                    }));
            client.port.close();
            assertThat(link.isReliable()).isFalse();
        }
    }

    @Test
    void interruptDoesNotCutAClosingPortShortAndStays() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            Thread.currentThread().interrupt();
            client.port.lane().call(() -> link.ready(new Stream(link, 0x11, 0, MANY, PAYLOAD_BYTES)));
            client.port.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(server.inbox.await(MANY)).hasSize(MANY);
        }
    }
}
