// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** TCP ports of this machine, of which other programs take some at any time. */
public final class TcpPorts {

    private static final int FIRST = 10_000;
    private static final int STARTS = 20_000;
    private static final int TRIED = 1_000;

    private TcpPorts() {}

    /** A socket that is bound to all addresses and does not listen: until it is closed, connections to its port are refused. */
    public static Socket withoutListener() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(0));
        return socket;
    }

    /** A free port that nobody gets who asks for any: Linux gives those from 32768 on, and others may take one as soon as it is closed. */
    public static int unasked() throws IOException {
        int first = FIRST + (int) (ProcessHandle.current().pid() % STARTS);
        for (int port = first; port < first + TRIED; port++) {
            try (ServerSocket once = new ServerSocket(port)) {
                return once.getLocalPort();
            } catch (BindException taken) {
                // the next one
            }
        }
        throw new IOException("no port of " + first + " to " + (first + TRIED - 1) + " is free");
    }
}
