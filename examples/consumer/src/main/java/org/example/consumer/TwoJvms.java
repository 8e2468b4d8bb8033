// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import static dev.verbatim.cm.ConnectionParameters.USUAL;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.SendWorkRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The example of two JVMs in docs/java.md: {@code server 7471} in one, {@code client 7471} in the other. With the address of an interface
 * behind it, {@code server 7471 192.0.2.1}, the server uses RoCEv2 there, for the example in C.
 */
public final class TwoJvms {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private TwoJvms() {}

    /** Plays one of the two. */
    public static void main(String[] args) throws UnknownHostException {
        boolean isRoce = args.length > 2;
        InetAddress host = InetAddress.getByName(isRoce ? args[2] : "127.0.0.1");
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(args[1]));
        if (args[0].equals("server")) {
            server(isRoce ? RoceFabric.at(host) : NettyFabric.open(), address);
        } else {
            client(NettyFabric.open(), address);
        }
    }

    // README begins
    static void server(Fabric fabric, InetSocketAddress address) {
        try (Verbatim rdma = Verbatim.over(fabric)) {
            ProtectionDomain pd = rdma.open("server").allocatePd();
            MemoryRegion open = pd.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            ByteBuffer data = ByteBuffer.allocate(12).putLong(open.address()).putInt(open.rkey());
            ListeningEndpoint listener = Endpoint.listen(pd.device(), address, 0);
            System.out.println("listening at " + listener.localAddress());
            QpInitAttributes attributes = QpInitAttributes.rc(pd.device().createCq(16));
            Endpoint end = listener.getRequest(MINUTE).accept(pd, attributes, USUAL.withPrivateData(data.array()), MINUTE);
            end.awaitDisconnected(MINUTE);
            System.out.println(open.memory().buffer().getLong(0));
            end.disconnect(MINUTE);
        }
    }

    static void client(Fabric fabric, InetSocketAddress address) {
        try (Verbatim rdma = Verbatim.over(fabric)) {
            ProtectionDomain pd = rdma.open("client").allocatePd();
            CompletionQueue done = pd.device().createCq(16);
            QpInitAttributes attributes = QpInitAttributes.rc(done);
            Endpoint end = Endpoint.connect(pd.device(), address, pd, attributes, USUAL, MINUTE);
            ByteBuffer data = ByteBuffer.wrap(end.privateData());
            MemoryRegion source = pd.register(Memory.allocate(8), AccessFlags.LOCAL_WRITE);
            source.memory().buffer().putLong(0, 42);
            end.qp().postSend(SendWorkRequest.write(1, data.getLong(), data.getInt(), source.sge(0, 8)));
            System.out.println(done.awaitCompletion(MINUTE));
            end.disconnect(MINUTE);
        }
    }
    // README ends
}
