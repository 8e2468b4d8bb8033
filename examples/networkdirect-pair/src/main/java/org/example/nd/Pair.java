// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.nd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.verbs.Device;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * Two sides of a connection in the words of NetworkDirect v2. The client opens a part of its memory by a memory window and sends its token;
 * the server writes a greeting through it and says so; the client closes the window.
 */
public final class Pair {
    private static final int TOKEN_BYTES = 12, INBOX = 0, OUTBOX = 64, OPEN = 1024, OPEN_BYTES = 64;

    private Pair() {}

    /** Prints the greeting. */
    public static void main(String[] args) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            System.out.println(greeting(rdma.open("client"), rdma.open("server")));
        }
    }

    /** What the server wrote into the client's memory. */
    static String greeting(Device forClient, Device forServer) {
        try (Side server = new Side(forServer);
                Side client = new Side(forClient);
                NdListener listener = server.adapter.createListener(server.file)) {
            Side.check(listener.bind(server.address(0)));
            Side.check(listener.listen(1));
            InetSocketAddress[] there = new InetSocketAddress[1];
            Side.check(listener.getLocalAddress(there, new NdSize()));
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> serve(server, listener));
            String greeting = ask(client, there[0]);
            serving.join();
            return greeting;
        }
    }

    private static void serve(Side server, NdListener listener) {
        Side.check(server.qp.receive("token", server.sge(INBOX, TOKEN_BYTES)));
        Side.await(listener, overlapped -> listener.getConnectionRequest(server.connector, overlapped));
        Side.await(server.connector, overlapped -> server.connector.accept(server.qp, 1, 1, null, overlapped));
        server.succeeded(); // the token is there
        byte[] greeting = "written through a window".getBytes(US_ASCII);
        server.memory.buffer().put(OUTBOX, greeting);
        long address = server.memory.buffer().getLong(INBOX);
        int token = server.memory.buffer().getInt(INBOX + 8);
        Side.check(server.qp.write("write", server.sge(OUTBOX, greeting.length), address, token, 0));
        Side.check(server.qp.send("done", server.sge(OUTBOX, greeting.length), 0));
        server.succeeded();
        server.succeeded();
        Side.await(server.connector, server.connector::notifyDisconnect); // the client needs the connection to close its window
        Side.await(server.connector, server.connector::disconnect);
    }

    private static String ask(Side client, InetSocketAddress there) {
        Side.check(client.connector.bind(client.address(0)));
        Side.await(client.connector, overlapped -> client.connector.connect(client.qp, there, 1, 1, null, overlapped));
        Side.await(client.connector, client.connector::completeConnect);
        Side.check(client.qp.receive("done", client.sge(INBOX, OPEN_BYTES)));
        NdMemoryWindow window = client.adapter.createMemoryWindow();
        long address = client.region.addressOf(OPEN);
        Side.check(client.qp.bind("bind", client.region, window, address, OPEN_BYTES, NdOpFlags.ALLOW_WRITE));
        client.memory.buffer().putLong(OUTBOX, address).putInt(OUTBOX + 8, window.getRemoteToken());
        Side.check(client.qp.send("token", client.sge(OUTBOX, TOKEN_BYTES), 0));
        int length = 0;
        for (int i = 0; i < 3; i++) { // bound, sent, and the server is done
            NdResult result = client.succeeded();
            length = result.requestType() == NdRequestType.RECEIVE ? result.bytesTransferred() : length;
        }
        Side.check(client.qp.invalidate("close", window, 0));
        client.succeeded(); // from here on the server cannot write any more
        window.close();
        byte[] greeting = new byte[length];
        client.memory.buffer().get(OPEN, greeting);
        Side.await(client.connector, client.connector::disconnect);
        return new String(greeting, US_ASCII);
    }
}
