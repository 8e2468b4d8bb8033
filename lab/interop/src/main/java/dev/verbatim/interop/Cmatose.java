// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code ucmatose}: connects a number of queue pairs; the server sends messages over each, the client answers with as
 * many, and the server disconnects.
 */
public final class Cmatose implements MessageProgram {

    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.USUAL.withResponderResources(1).withInitiatorDepth(1);

    private final Device device;
    private final MessageOptions options;
    private final Consumer<String> lines;

    /**
     * A program.
     *
     * @param lines receives what the program reports
     */
    public Cmatose(Device device, MessageOptions options, Consumer<String> lines) {
        this.device = device;
        this.options = options;
        this.lines = lines;
    }

    /**
     * Serves one client.
     *
     * @param at local address as {@link Endpoint#listen} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    @Override
    public void serve(InetSocketAddress at) {
        List<Connection> connections = new ArrayList<>();
        try (ListeningEndpoint listener = Endpoint.listen(device, at, 0)) {
            lines.accept("listening at " + listener.localAddress());
            while (connections.size() < options.connections()) {
                connections.add(accept(listener.getRequest(options.patience())));
            }
            lines.accept("connected " + connections.size());
            connections.forEach(Connection::send);
            connections.forEach(Connection::awaitSent);
            connections.forEach(Connection::awaitReceived);
            lines.accept("transferred " + options.messages() + " messages each way on each connection");
            connections.forEach(connection -> connection.end.disconnect(options.patience()));
        } finally {
            connections.forEach(Connection::close);
        }
    }

    private Connection accept(ConnectionRequest request) {
        Queues queues = new Queues(device, options);
        try {
            queues.postReceives(request.createQp(queues.pd, queues.attributes()));
            return new Connection(queues, request.accept(PARAMETERS, options.patience()));
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    /**
     * Connects to a server.
     *
     * @param server address as {@link Endpoint#connect} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    @Override
    public void connect(InetSocketAddress server) {
        List<Connection> connections = new ArrayList<>();
        try {
            while (connections.size() < options.connections()) {
                connections.add(dial(server));
            }
            lines.accept("connected " + connections.size());
            connections.forEach(Connection::awaitReceived);
            connections.forEach(Connection::send);
            connections.forEach(Connection::awaitSent);
            lines.accept("transferred " + options.messages() + " messages each way on each connection");
            for (Connection connection : connections) {
                connection.end.awaitDisconnected(options.patience());
                connection.end.disconnect(options.patience());
            }
        } finally {
            connections.forEach(Connection::close);
        }
    }

    private Connection dial(InetSocketAddress server) {
        Queues queues = new Queues(device, options);
        try {
            Endpoint end = Endpoint.create(device, server, queues.pd, queues.attributes(), options.patience());
            try {
                queues.postReceives(end.qp());
                end.connect(PARAMETERS, options.patience());
                return new Connection(queues, end);
            } catch (RuntimeException e) {
                end.close();
                throw e;
            }
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    private record Connection(Queues queues, Endpoint end) implements AutoCloseable {

        void send() {
            queues.postSends(end.qp());
        }

        void awaitSent() {
            queues.await(queues.sendCq, "a message that was sent");
        }

        void awaitReceived() {
            queues.await(queues.recvCq, "a message of the peer");
        }

        @Override
        public void close() {
            end.close();
            queues.close();
        }
    }

    /** Domain, queues and memory of one connection. */
    private static final class Queues implements AutoCloseable {

        private final MessageOptions options;
        private final ProtectionDomain pd;
        private final CompletionQueue sendCq;
        private final CompletionQueue recvCq;
        private final MemoryRegion memory;

        Queues(Device device, MessageOptions options) {
            this.options = options;
            pd = device.allocatePd();
            sendCq = device.createCq(options.messages());
            recvCq = device.createCq(options.messages());
            memory = pd.register(Memory.allocate(options.sizeBytes()), AccessFlags.LOCAL_WRITE);
        }

        QpInitAttributes attributes() {
            QpCapabilities sizes = new QpCapabilities(options.messages(), options.messages(), 1, 1, 0);
            return QpInitAttributes.rc(sendCq, recvCq, sizes);
        }

        void postReceives(QueuePair qp) {
            for (int count = 0; count < options.messages(); count++) {
                qp.postRecv(ReceiveWorkRequest.of(count, memory.sge()));
            }
        }

        void postSends(QueuePair qp) {
            for (int count = 0; count < options.messages(); count++) {
                qp.postSend(SendWorkRequest.send(count, memory.sge()));
            }
        }

        void await(CompletionQueue cq, String what) {
            CompletionWait wait = new CompletionWait(cq, options.patience());
            for (int count = 0; count < options.messages(); count++) {
                WorkCompletion completion = wait.next(what);
                if (completion.id() != count) {
                    throw new InteropException(completion + " came before wr_id=" + count);
                }
            }
        }

        @Override
        public void close() {
            memory.close();
            sendCq.close();
            recvCq.close();
            pd.close();
        }
    }
}
