// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side and a peer that is no device: it keeps what it hears and says only what the test says. Nothing else runs, so
 * whatever the side has to say has been heard when a verb returns; with ACK timeout 0 it says nothing by itself.
 */
public final class RawPair implements AutoCloseable {

    /** Never times out. */
    public static final RcConnection PATIENT = RcConnection.USUAL.retries(0, 7, 7, 12);

    /** Number of the queue pair that the peer pretends to have. */
    public static final int PEER_QP = 0x99;

    /** First PSN in both directions. */
    public static final int FIRST_PSN = 100;

    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

    public final Side side;
    public final RecordingTap tap = new RecordingTap();
    private final Verbatim rdma;
    private final FabricPort port;
    private final Deque<PacketRecord> heard = new ArrayDeque<>();

    /** A side with a queue pair in RESET, and the peer. */
    public RawPair(QpCapabilities capabilities) {
        InProcessFabric fabric = new InProcessFabric();
        this.rdma = Verbatim.over(fabric).tap(tap);
        this.side = new Side(rdma.open("side"), capabilities);
        this.port =
                fabric.attach(Gid.ofGuid(fabric.freshGuid()), (link, packet) -> heard.addLast(PacketRecord.of(packet)));
    }

    /** A side whose queue pair is in RTS and takes the peer for its peer. */
    public static RawPair connected(RcConnection connection) {
        RawPair pair = new RawPair(QpCapabilities.USUAL);
        pair.readyToReceive(connection);
        connection.readyToSend(pair.side.qp, FIRST_PSN);
        return pair;
    }

    /** Takes the queue pair from RESET to RTR. */
    public void readyToReceive(RcConnection connection) {
        connection.readyToReceive(side.qp, new RcConnection.Endpoint(port.gid(), PEER_QP, FIRST_PSN));
    }

    /** The next packet that the peer hears; fails if none comes. */
    public PacketRecord next() {
        List<PacketRecord> next = new ArrayList<>();
        port.lane().spin(() -> !(takeInto(next, 1)).isEmpty(), PATIENCE_NANOS);
        if (next.isEmpty()) {
            throw new AssertionError("the peer hears nothing from " + side.qp);
        }
        return next.get(0);
    }

    /** Everything that the peer has heard and the test has not taken. */
    public List<PacketRecord> heard() {
        return takeInto(new ArrayList<>(), Integer.MAX_VALUE);
    }

    private List<PacketRecord> takeInto(List<PacketRecord> taken, int most) {
        port.lane().call(() -> {
            while (taken.size() < most && !heard.isEmpty()) {
                taken.add(heard.removeFirst());
            }
        });
        return taken;
    }

    /** The peer says this to the side's queue pair. */
    public void say(Packet packet) {
        packet.destQp(side.qp.number());
        port.lane().call(() -> {
            Link link = port.linkTo(side.device.gid());
            link.ready(new Once(link, packet));
        });
    }

    /** The peer acknowledges everything up to {@code psn}. */
    public void acknowledge(int psn) {
        say(new Packet().begin(Opcode.ACKNOWLEDGE).psn(psn).syndrome(Syndrome.ACK_NO_CREDIT));
    }

    @Override
    public void close() {
        port.close();
        rdma.close();
    }

    /** One packet to be carried. */
    private static final class Once implements PacketSource {

        private final Link link;
        private @Nullable Packet packet;

        Once(Link link, Packet packet) {
            this.link = link;
            this.packet = packet;
        }

        @Override
        public boolean pull(Packet target) {
            Packet source = packet;
            if (source == null) {
                return false;
            }
            packet = null;
            target.copyHeadersFrom(source);
            target.payload().clear();
            for (int i = 0; i < source.payload().pieces(); i++) {
                target.payload()
                        .add(
                                source.payload().buffer(i),
                                source.payload().offset(i),
                                source.payload().length(i));
            }
            return true;
        }

        @Override
        public Link link() {
            return link;
        }
    }
}
