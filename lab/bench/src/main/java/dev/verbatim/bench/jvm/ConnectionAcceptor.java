// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;

/** Accepts whoever connects, each with a queue pair of its own, and lets go whoever disconnects, on a thread of its own. */
final class ConnectionAcceptor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(Long.MAX_VALUE);

    private final Verbatim rdma;
    private final EventChannel channel;
    private final CmId listener;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;
    private volatile long established;

    ConnectionAcceptor(InetSocketAddress address, SocketTransport transport) {
        this.rdma = Verbatim.over(NettyFabric.open(NettyOptions.defaults().withTransport(transport)));
        Device device = rdma.open("answerer");
        this.pd = device.allocatePd();
        this.attributes = QpInitAttributes.rc(device.createCq(1));
        this.channel = EventChannel.open(device);
        this.listener = channel.createId();
        listener.bindAddress(address);
        listener.listen(0);
        Thread thread = new Thread(this::serve, "verbatim-bench-answerer");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return Objects.requireNonNull(listener.localAddress(), "bound").getPort();
    }

    /** How many connections stood so far on this side. */
    long established() {
        return established;
    }

    private void serve() {
        try {
            while (true) {
                CmEvent event = channel.getEvent(PATIENCE);
                event.acknowledge();
                follow(event);
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINVAL && e.errno() != Errno.ENODEV) {
                throw e;
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void follow(CmEvent event) {
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                id.createQp(pd, attributes);
                id.accept(ConnectionParameters.USUAL);
            }
            case ESTABLISHED -> established++;
            case DISCONNECTED -> {
                id.disconnect();
                id.destroyQp();
                id.close();
            }
            case TIMEWAIT_EXIT, DEVICE_REMOVAL -> {
                // The first means nothing any more, the second is the end.
            }
            default -> System.err.println("verbatim: bench: " + event);
        }
    }

    @Override
    public void close() {
        rdma.close();
    }
}
