// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdObject;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.QpCapabilities;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client and a server in the words of NetworkDirect on a fabric, and the listener of the server. Closing it fails if anything is left. */
final class NdMeeting implements AutoCloseable {

    static final int READS = 4;
    static final int ALLOW_READ = NdOpFlags.ALLOW_READ;

    final RcPair verbs;
    final NdSide client;
    final NdSide server;
    final NdListener listener;
    final InetSocketAddress address;
    private final List<NdConnector> connectors = new ArrayList<>();

    NdMeeting(FabricKind fabric) {
        this(fabric, NdProfile.REFERENCE);
    }

    NdMeeting(FabricKind fabric, NdProfile profile) {
        this(fabric, profile, NdSide.Sizes.USUAL, 0);
    }

    NdMeeting(FabricKind fabric, NdProfile profile, NdSide.Sizes sizes, int backlog) {
        this(fabric.open(QpCapabilities.USUAL), profile, sizes, backlog);
    }

    NdMeeting(RcPair devices, NdProfile profile, NdSide.Sizes sizes, int backlog) {
        verbs = devices;
        client = new NdSide(verbs.left.device, profile, sizes);
        server = new NdSide(verbs.right.device, profile, sizes);
        listener = server.listen(backlog);
        address = NdSide.addressOf(listener);
    }

    /** The two ends of a connection. */
    record Ends(NdConnector ofClient, NdConnector ofServer) {}

    NdConnector newClient() {
        NdConnector connector = client.bound();
        connectors.add(connector);
        return connector;
    }

    NdConnector newServer() {
        NdConnector connector = server.adapter.createConnector(server.file);
        connectors.add(connector);
        return connector;
    }

    /** The client asks. */
    Supplier<NdStatus> connect(NdConnector connector, NdQueuePair qp, byte @Nullable [] privateData) {
        return NdSide.start(
                connector, overlapped -> connector.connect(qp, address, READS, READS, privateData, overlapped));
    }

    /** Both queue pairs of the sides connected, with what each says to the other and Reads in both directions. */
    Ends connected(byte @Nullable [] ofClient, byte @Nullable [] ofServer, int reads) {
        NdConnector asking = newClient();
        Supplier<NdStatus> connected =
                NdSide.start(asking, o -> asking.connect(client.qp, address, reads, reads, ofClient, o));
        NdConnector asked = request();
        if (ofClient != null) {
            assertThat(privateData(asked))
                    .hasSizeGreaterThanOrEqualTo(ofClient.length)
                    .startsWith(ofClient);
        }
        Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(server.qp, reads, reads, ofServer, o));
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        if (ofServer != null) {
            assertThat(privateData(asking))
                    .hasSizeGreaterThanOrEqualTo(ofServer.length)
                    .startsWith(ofServer);
        }
        assertThat(complete(asking)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        return new Ends(asking, asked);
    }

    Supplier<NdStatus> connect(NdConnector connector) {
        return connect(connector, client.qp, null);
    }

    /** The server has been asked. */
    NdConnector request() {
        NdConnector connector = newServer();
        assertThat(NdSide.await(listener, overlapped -> listener.getConnectionRequest(connector, overlapped)))
                .isEqualTo(NdStatus.SUCCESS);
        return connector;
    }

    Supplier<NdStatus> accept(NdConnector connector, byte @Nullable [] privateData) {
        return NdSide.start(
                connector, overlapped -> connector.accept(server.qp, READS, READS, privateData, overlapped));
    }

    Supplier<NdStatus> accept(NdConnector connector) {
        return accept(connector, null);
    }

    static NdStatus complete(NdConnector connector) {
        return NdSide.await(connector, connector::completeConnect);
    }

    /** Both queue pairs of the sides, connected. */
    Ends connected() {
        return connected(null, null, READS);
    }

    /** Client and server up to the server's Accept, whose end is still open, and the client's Connect, which has succeeded. */
    Ends accepted(Supplier<NdStatus>[] outcome) {
        NdConnector asking = newClient();
        Supplier<NdStatus> connected = connect(asking);
        NdConnector asked = request();
        outcome[0] = accept(asked);
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        return new Ends(asking, asked);
    }

    /** What there is from the beginning. */
    List<NdObject> parts() {
        List<NdObject> parts = new ArrayList<>(client.parts());
        parts.addAll(server.parts());
        parts.add(listener);
        return parts;
    }

    static byte[] privateData(NdConnector connector) {
        NdSize size = new NdSize();
        assertThat(connector.getPrivateData(null, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        byte[] bytes = new byte[size.value()];
        assertThat(connector.getPrivateData(bytes, size)).isEqualTo(NdStatus.SUCCESS);
        return bytes;
    }

    /** The read limits as "inbound/outbound". */
    static String limits(NdConnector connector) {
        NdSize inbound = new NdSize();
        NdSize outbound = new NdSize();
        assertThat(connector.getReadLimits(inbound, outbound)).isEqualTo(NdStatus.SUCCESS);
        return inbound.value() + "/" + outbound.value();
    }

    @Override
    public void close() {
        parts().forEach(NdObject::release);
        connectors.forEach(NdConnector::release);
        assertThat(client.leftovers()).isEmpty();
        assertThat(server.leftovers()).isEmpty();
        verbs.close();
    }
}
