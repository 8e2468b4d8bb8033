// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;

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

    @Override
    public void close() {
        fabric.close();
        assertThat(fabric.directMemoryBytes())
                .as("direct memory not given back")
                .isZero();
    }
}
