// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code udaddy}: a client resolves the service of a server (SIDR) and sends datagrams whose immediate data are its
 * queue pair number; the server answers with as many.
 */
public final class Udaddy implements MessageProgram {

    private final Device device;
    private final MessageOptions options;
    private final Consumer<String> lines;

    /**
     * A program.
     *
     * @param lines receives what the program reports
     */
    public Udaddy(Device device, MessageOptions options, Consumer<String> lines) {
        this.device = device;
        this.options = options;
        this.lines = lines;
    }

    /**
     * Serves one client.
     *
     * @param at local address as {@link CmId#bindAddress} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    @Override
    public void serve(InetSocketAddress at) {
        List<UdaddyNode> nodes = new ArrayList<>();
        try (EventChannel channel = EventChannel.open(device);
                CmId listener = channel.createId(PortSpace.UDP)) {
            try {
                listener.bindAddress(at);
                listener.listen(0);
                lines.accept("listening at " + listener.localAddress());
                while (nodes.size() < options.connections()) {
                    CmId id = await(channel, CmEventType.CONNECT_REQUEST).id();
                    UdaddyNode node = new UdaddyNode(id, options);
                    nodes.add(node);
                    id.accept(ConnectionParameters.USUAL.withQpNumber(node.qp().number()));
                }
                nodes.forEach(this::answer);
                lines.accept("answered " + options.messages() + " datagrams of " + nodes.size() + " peers");
            } finally {
                nodes.forEach(UdaddyNode::close);
            }
        }
    }

    private void answer(UdaddyNode node) {
        WorkCompletion first = node.receive("a datagram");
        Grh grh = node.grh();
        for (int count = 1; count < options.messages(); count++) {
            node.receive("a datagram");
        }
        AddressVector sender = AddressVector.toAnswer(device, first, grh, 1);
        node.send(sender, first.immediate(), node.qp().query().queueKey());
    }

    /**
     * Sends to a server, and waits for its answers.
     *
     * @param server address as {@link CmId#resolveAddress} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    @Override
    public void connect(InetSocketAddress server) {
        List<UdaddyNode> nodes = new ArrayList<>();
        try (EventChannel channel = EventChannel.open(device)) {
            try {
                while (nodes.size() < options.connections()) {
                    nodes.add(send(channel, server));
                }
                nodes.forEach(this::awaitAnswers);
                lines.accept("received " + options.messages() + " answers of " + nodes.size() + " peers");
            } finally {
                nodes.forEach(UdaddyNode::close);
            }
        }
    }

    private UdaddyNode send(EventChannel channel, InetSocketAddress server) {
        CmId id = channel.createId(PortSpace.UDP);
        try {
            id.resolveAddress(server, options.patience());
            await(channel, CmEventType.ADDR_RESOLVED);
            id.resolveRoute(options.patience());
            await(channel, CmEventType.ROUTE_RESOLVED);
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
        UdaddyNode node = new UdaddyNode(id, options);
        try {
            id.connect(ConnectionParameters.USUAL);
            CmEvent established = await(channel, CmEventType.ESTABLISHED);
            AddressVector address = established.addressVector();
            if (address == null) {
                throw new InteropException("the server did not say where its queue pair is");
            }
            node.send(address, established.parameters().qpNumber(), established.queueKey());
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private void awaitAnswers(UdaddyNode node) {
        for (int count = 0; count < options.messages(); count++) {
            node.receive("an answer");
        }
    }

    private CmEvent await(EventChannel channel, CmEventType wanted) {
        CmEvent event = channel.getEvent(options.patience());
        event.acknowledge();
        if (event.type() != wanted) {
            throw new InteropException(event + " came instead of " + wanted);
        }
        return event;
    }
}
