// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Exchanges addresses of queue pairs over TCP, as {@code ibv_*_pingpong} do: the client sends its addresses, the server
 * connects its queue pairs and answers with its own, and the client sends {@code done}.
 */
final class AddressExchange {

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final List<PeerAddress> own;
    private final Duration patience;

    /**
     * An exchange.
     *
     * @param own addresses to send; as many are received
     * @param patience longest wait for the peer
     */
    AddressExchange(List<PeerAddress> own, Duration patience) {
        this.own = List.copyOf(own);
        this.patience = patience;
    }

    /**
     * Waits for one client.
     *
     * @param at where to listen
     * @param listening is run when a client can connect
     * @param connect connects the queue pairs with the client's addresses, before it gets ours
     */
    void serve(InetSocketAddress at, Runnable listening, Consumer<List<PeerAddress>> connect) {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(at);
            server.setSoTimeout(Math.toIntExact(patience.toMillis()));
            listening.run();
            try (Socket socket = server.accept()) {
                DataInputStream in = input(socket);
                connect.accept(readAddresses(in));
                writeAddresses(socket.getOutputStream());
                in.readFully(new byte[DONE.length]);
            }
        } catch (IOException e) {
            throw new InteropException("the exchange of addresses at " + at + " failed", e);
        }
    }

    /** Connects to the server at an address, and returns its addresses. */
    List<PeerAddress> dial(InetSocketAddress server) {
        try (Socket socket = new Socket()) {
            socket.connect(server, Math.toIntExact(patience.toMillis()));
            writeAddresses(socket.getOutputStream());
            List<PeerAddress> peer = readAddresses(input(socket));
            socket.getOutputStream().write(DONE);
            return peer;
        } catch (IOException e) {
            throw new InteropException("the exchange of addresses with " + server + " failed", e);
        }
    }

    private DataInputStream input(Socket socket) throws IOException {
        socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
        return new DataInputStream(socket.getInputStream());
    }

    private void writeAddresses(OutputStream out) throws IOException {
        for (PeerAddress address : own) {
            out.write(address.toBytes());
        }
    }

    private List<PeerAddress> readAddresses(DataInputStream in) throws IOException {
        List<PeerAddress> addresses = new ArrayList<>();
        for (int index = 0; index < own.size(); index++) {
            byte[] text = new byte[PeerAddress.BYTES];
            in.readFully(text);
            addresses.add(PeerAddress.parse(text));
        }
        return addresses;
    }
}
