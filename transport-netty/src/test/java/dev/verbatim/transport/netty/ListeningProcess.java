// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A program in a process of its own that listens, accepts the first who comes, never answers the second, and waits to be killed. */
final class ListeningProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private ListeningProcess(Process process) throws IOException {
        this.process = process;
        this.port = Integer.parseInt(hear());
    }

    static ListeningProcess start() throws IOException {
        return new ListeningProcess(ChildJvm.of(ListeningProcess.class).start());
    }

    InetSocketAddress address() {
        return Node.loopback(port);
    }

    /** The next line that it says. */
    String hear() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = process.getInputStream().read();
                read != '\n';
                read = process.getInputStream().read()) {
            assertThat(read).as("what it says ends with '%s'", line).isNotNegative();
            line.append((char) read);
        }
        return line.toString();
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static void say(Object word) {
        byte[] line = (word + "\n").getBytes(StandardCharsets.US_ASCII);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }

    private static boolean isAskedAgain(ListeningEndpoint listener) {
        try {
            listener.getRequest(Await.LIMIT);
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    public static void main(String... none) throws IOException {
        try (Verbatim door = Verbatim.over(NettyFabric.open())) {
            Side side = new Side(door.open("victim"), QpCapabilities.USUAL);
            ListeningEndpoint listener = Endpoint.listen(side.device, Node.loopback(0), 0);
            say(listener.localAddress().getPort());
            ConnectionRequest first = listener.getRequest(Await.LIMIT);
            QpInitAttributes attributes = QpInitAttributes.rc(side.sendCq, side.recvCq, QpCapabilities.USUAL);
            say(first.accept(side.pd, attributes, ConnectionParameters.USUAL, Await.LIMIT)
                    .qp()
                    .state());
            say(isAskedAgain(listener) ? "asked" : "nobody");
            // Ends at the latest with the process that started it.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
