// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The network between two nodes: passes bytes on, and can be cut, whole or at one end. */
final class Relay implements AutoCloseable {

    private final ServerSocket server;
    private final List<Socket> dialled = new ArrayList<>();
    private final List<Socket> accepted = new ArrayList<>();
    private InetSocketAddress target;
    private Supplier<@Nullable Break> breaks = () -> null;
    private int broken;
    private int joined;
    private long passable = Long.MAX_VALUE;
    private volatile boolean answersLost;

    /**
     * Where a connection is cut.
     *
     * @param inAnswers whether the bytes of those who accepted are counted, or of those who dialled
     * @param afterBytes so many pass
     * @param reset whether both ends are told by a reset, which overtakes what has passed, or by an end
     */
    record Break(boolean inAnswers, long afterBytes, boolean reset) {}

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

    /** Lets so many bytes more pass of those who dialled, and holds the others; beside them it reads 64 KiB at most. */
    synchronized void letPass(long bytes) {
        passable = bytes;
        notifyAll();
    }

    /** Holds nothing back any more. */
    void letAllPass() {
        letPass(Long.MAX_VALUE);
    }

    /** How many have dialled. */
    synchronized int joined() {
        return joined;
    }

    /** Connections from now on break where the supplier says, each asked for when it is made; or not, if it says null. */
    synchronized void breakWhere(Supplier<@Nullable Break> chosen) {
        breaks = chosen;
    }

    /** How many have broken so. */
    synchronized int broken() {
        return broken;
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
        letAllPass();
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
        joined++;
        try {
            far.connect(target);
        } catch (IOException nobodyThere) {
            near.close();
            return;
        }
        dialled.add(far);
        Break where = breaks.get();
        start(() -> pass(near, far, false, where));
        start(() -> pass(far, near, true, where));
    }

    private void pass(Socket from, Socket to, boolean isAnswer, @Nullable Break where) {
        byte[] bytes = new byte[65536];
        long left = where != null && where.inAnswers == isAnswer ? where.afterBytes : Long.MAX_VALUE;
        try {
            int count = from.getInputStream().read(bytes);
            while (count >= 0) {
                int whole = (int) Math.min(count, left);
                int passed = 0;
                while (passed < whole) {
                    int some = isAnswer ? whole : awaitPassable(whole - passed);
                    if (!isAnswer || !answersLost) {
                        to.getOutputStream().write(bytes, passed, some);
                    }
                    passed += some;
                }
                left -= count;
                if (where != null && left <= 0) {
                    snap(from, to, where);
                    return;
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

    private synchronized int awaitPassable(int most) {
        try {
            while (passable == 0) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        int some = (int) Math.min(most, passable);
        passable -= passable == Long.MAX_VALUE ? 0 : some;
        return some;
    }

    private synchronized void snap(Socket one, Socket other, Break where) throws IOException {
        if (one.isClosed() || other.isClosed()) {
            return;
        }
        broken++;
        for (Socket socket : List.of(one, other)) {
            if (where.reset) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
            accepted.remove(socket);
            dialled.remove(socket);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }
}
