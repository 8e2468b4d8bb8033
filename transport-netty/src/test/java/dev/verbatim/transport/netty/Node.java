// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.link.Connection;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** One end: a fabric, the device's place on it and what came for the device. Closing it looks for leaked memory. */
final class Node implements AutoCloseable {

    final Gid gid;
    final NettyFabric fabric;
    final Inbox inbox = new Inbox();
    final FabricPort port;

    private Node(long guid, NettyOptions options) {
        gid = Gid.ofGuid(guid);
        fabric = NettyFabric.open(options);
        port = fabric.attach(gid, inbox);
    }

    static Node open(long guid) {
        return open(guid, NettyOptions.defaults());
    }

    static Node open(long guid, NettyOptions options) {
        return new Node(guid, options);
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress listen() {
        return fabric.listen(loopback(0));
    }

    /** Dials somebody who answers by hand, meanwhile. */
    CompletableFuture<Gid> dialLater(ServerSocket listener) {
        return dialLater(loopback(listener.getLocalPort()));
    }

    /** Dials on another thread. */
    CompletableFuture<Gid> dialLater(InetSocketAddress address) {
        CompletableFuture<Gid> dialled = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        dialled.complete(fabric.dial(address));
                    } catch (RuntimeException e) {
                        dialled.completeExceptionally(e);
                    }
                },
                "dialling");
        thread.setDaemon(true);
        thread.start();
        return dialled;
    }

    NettyLink linkTo(Gid peer) {
        AtomicReference<NettyLink> link = new AtomicReference<>();
        port.lane().call(() -> link.set((NettyLink) port.linkTo(peer)));
        return link.get();
    }

    /** Sends packets with the PSNs of a range, without waiting for them. */
    Stream send(NettyLink link, int firstPsn, int count, int payloadBytes) {
        Stream stream = new Stream(link, 0x11, firstPsn, count, payloadBytes);
        port.lane().call(() -> link.ready(stream));
        return stream;
    }

    Stream send(Node to, int firstPsn, int count) {
        return send(linkTo(to.gid), firstPsn, count, 8);
    }

    /** Waits until a link has a connection. */
    void awaitReliable(NettyLink link) {
        await("a connection to " + link.peer(), link::isReliable);
    }

    /** Does something to the connection of a link, and waits until it has another one. */
    void awaitAnotherConnection(NettyLink link, Cut cut) throws IOException {
        AtomicReference<Connection> old = new AtomicReference<>();
        port.lane().call(() -> old.set(link.connection()));
        cut.run();
        await("another connection to " + link.peer(), () -> link.isReliable() && link.connection() != old.get());
    }

    /** What a {@link Relay} does to connections. */
    @FunctionalInterface
    interface Cut {
        void run() throws IOException;
    }

    /** Waits until a link has no connection. */
    void awaitUnreliable(NettyLink link) {
        await("no connection to " + link.peer(), () -> !link.isReliable());
    }

    /** Asks on the lane, again and again, until the answer is yes. */
    void await(String what, BooleanSupplier condition) {
        AtomicBoolean met = new AtomicBoolean();
        Await.until(what, () -> {
            port.lane().call(() -> met.set(condition.getAsBoolean()));
            return met.get();
        });
    }

    @Override
    public void close() {
        fabric.close();
        assertThat(fabric.directMemoryBytes())
                .as("direct memory not given back")
                .isZero();
    }
}
