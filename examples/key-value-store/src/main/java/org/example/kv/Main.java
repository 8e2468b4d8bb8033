// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

import static dev.verbatim.cm.ConnectionParameters.USUAL;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QueuePair;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.example.kv.KeyValueClient.Reads;
import org.example.kv.KeyValueClient.Value;

/** The store over TCP: {@code serve PORT CLIENTS} in one JVM; {@code put PORT KEY FIRST SECOND} or {@code get PORT KEY} in another. */
public final class Main {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Main() {}

    /** Serves a number of clients one after the other, or is one of them. */
    public static void main(String[] args) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        try (Verbatim rdma = Verbatim.over(NettyFabric.open())) {
            ProtectionDomain pd = rdma.open(args[0]).allocatePd();
            if (args[0].equals("serve")) {
                serve(pd, address, Integer.parseInt(args[2]));
            } else {
                ask(pd, address, args);
            }
        }
    }

    private static void serve(ProtectionDomain pd, InetSocketAddress address, int clients) {
        KeyValueServer server = new KeyValueServer(pd, (memory, offset, value) -> {
            memory.buffer().putLong(offset, value);
            VarHandle.fullFence(); // before the next word
        });
        try (ListeningEndpoint listener = Endpoint.listen(pd.device(), address, 1)) {
            System.out.println("listening at " + listener.localAddress());
            for (int i = 0; i < clients; i++) {
                KeyValueServer.Connection connection = server.open();
                ConnectionRequest request = listener.getRequest(PATIENCE);
                QueuePair qp = request.createQp(pd, connection.attributes());
                connection.begin(qp);
                Endpoint end = request.accept(USUAL.withPrivateData(server.greeting()), PATIENCE);
                while (connection.serve(qp, PATIENCE)) {}
                end.disconnect(PATIENCE);
            }
        }
    }

    private static void ask(ProtectionDomain pd, InetSocketAddress address, String[] args) {
        KeyValueClient client = new KeyValueClient(pd, Reads.THREE, PATIENCE);
        Endpoint end = Endpoint.connect(pd.device(), address, pd, client.attributes(), USUAL, PATIENCE);
        KeyValueClient.Connection store = client.on(end.qp(), end.privateData());
        long key = Long.parseLong(args[2]);
        if (args[0].equals("put")) {
            store.put(key, new Value(Long.parseLong(args[3]), Long.parseLong(args[4])));
        } else {
            System.out.println(store.get(key).map(Value::toString).orElse("nothing"));
        }
        end.disconnect(PATIENCE);
    }
}
