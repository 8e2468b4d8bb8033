// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** The network between two nodes: passes bytes on, and can be cut, whole or at one end. */
final class Relay implements AutoCloseable {

    private final ServerSocket server;
    private final List<Socket> dialled = new ArrayList<>();
    private final List<Socket> accepted = new ArrayList<>();
    private InetSocketAddress target;
    private volatile boolean answersLost;

    private Relay(ServerSocket server, InetSocketAddress target) {
        this.server = server;
        this.target = target;
    }

    static Relay to(InetSocketAddress target) throws IOException {
        Relay relay = new Relay(RawPeer.listen(), target);
        start(relay::acceptAll);
        return relay;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Those who dial from now on reach another. */
    synchronized void leadTo(InetSocketAddress newTarget) {
        target = newTarget;
    }

    /** Whether what comes back from those who accepted is thrown away. */
    void loseAnswers(boolean lost) {
        answersLost = lost;
    }

    /** Both ends of every connection see it break. */
    void cut() throws IOException {
        cutDiallers();
        synchronized (this) {
            for (Socket socket : dialled) {
                socket.close();
            }
            dialled.clear();
        }
    }

    /** Those who dialled see their connections break; those who accepted are not told. */
    synchronized void cutDiallers() throws IOException {
        for (Socket socket : accepted) {
            socket.close();
        }
        accepted.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private void acceptAll() {
        try {
            while (true) {
                join(server.accept());
            }
        } catch (IOException e) {
            // The listener is closed.
            return;
        }
    }

    private synchronized void join(Socket near) throws IOException {
        Socket far = new Socket();
        accepted.add(near);
        try {
            far.connect(target);
        } catch (IOException nobodyThere) {
            near.close();
            return;
        }
        dialled.add(far);
        start(() -> pass(near, far, false));
        start(() -> pass(far, near, true));
    }

    private void pass(Socket from, Socket to, boolean isAnswer) {
        byte[] bytes = new byte[65536];
        try {
            int count = from.getInputStream().read(bytes);
            while (count >= 0) {
                if (!isAnswer || !answersLost) {
                    to.getOutputStream().write(bytes, 0, count);
                }
                count = from.getInputStream().read(bytes);
            }
            if (isAnswer) {
                to.close();
            }
        } catch (IOException e) {
            // One of the two was closed.
            return;
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }
}
