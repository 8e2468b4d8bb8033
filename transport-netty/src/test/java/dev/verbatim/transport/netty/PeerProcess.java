// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.link.NettyLink;
import java.io.IOException;
import java.io.OutputStream;

/** A node in a process of its own: it dials, sends one packet and waits to be killed. */
final class PeerProcess implements AutoCloseable {

    private final Process process;

    private PeerProcess(Process process) {
        this.process = process;
    }

    /** Starts a node with that GUID that dials a port of this machine. */
    static PeerProcess start(long guid, int port) throws IOException {
        return new PeerProcess(ChildJvm.of(PeerProcess.class, guid, port)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    public static void main(String... arguments) throws IOException {
        try (Node node = Node.open(Long.parseLong(arguments[0]))) {
            NettyLink link = node.linkTo(node.fabric.dial(Node.loopback(Integer.parseInt(arguments[1]))));
            node.send(link, 0, 1, 8);
            // Ends at the latest with the process that started it.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
