// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.PacketWriter;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainFormat;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A fabric for one device, whose packets the test carries by hand: what the device has to send stays with it until the
 * test takes it, packet by packet, and what it shall receive the test hands in.
 */
public final class ManualFabric implements Fabric {

    private final ManualLane lane = new ManualLane();
    private final Map<Gid, ManualLink> links = new TreeMap<>();
    private final Packet pulled = new Packet();
    private final Packet part = new Packet();
    private final Deque<PacketRecord> restOfRun = new ArrayDeque<>();
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    private final PlainRequest plainRequest = new PlainRequest();
    private final PlainAnswer plainAnswer = new PlainAnswer();
    private boolean fastPath;
    private int plains;
    private boolean reliable;
    private boolean tellsReasons;
    private int mostPacketsOfRun = 1;
    private int resumptions;
    private boolean keeping;
    private long handedOverBytes;
    private long takenBytes;
    private @Nullable PacketSink sink;

    /** What its port says, see {@link FabricPort#tellsReasons}; before the device is opened. */
    public ManualFabric tellingReasons(boolean value) {
        tellsReasons = value;
        return this;
    }

    /** What its links say of themselves, see {@link Link#isReliable()}. */
    public void reliable(boolean value) {
        boolean anew = value && !reliable;
        reliable = value;
        if (anew) {
            resumptions++;
            links.values().forEach(this::resume);
        }
    }

    /** Whether its links keep what they pull, as a connection does whose socket is full. */
    public void keeping(boolean value) {
        keeping = value;
        if (!value) {
            takenBytes = handedOverBytes;
        }
    }

    /** The links pull so many bytes of somebody else, and the carrier takes them. */
    public void carriesForOthers(long bytes) {
        handedOverBytes += bytes;
        takenBytes += bytes;
    }

    /** The carrier takes so many bytes of what a link keeps. */
    public void carrierTakes(long bytes) {
        takenBytes = Math.min(handedOverBytes, takenBytes + bytes);
    }

    /** What its links say of themselves, see {@link Link#mostPacketsOfRun()}; the test takes the packets of a run one by one. */
    public void mostPacketsOfRun(int value) {
        mostPacketsOfRun = value;
    }

    /** Whether what can takes the fast path from now on, both ways, as over a connection; the test is shown it as packets. */
    public void fastPath(boolean value) {
        fastPath = value;
    }

    /** How many requests and answers have taken it. */
    public int plains() {
        return plains;
    }

    public ManualLane lane() {
        return lane;
    }

    /** Takes the next packet that the device has for {@code peer}; null if it has none now. */
    public @Nullable PacketRecord take(Gid peer) {
        if (!restOfRun.isEmpty()) {
            return restOfRun.pollFirst();
        }
        ManualLink link = linkTo(peer);
        while (!link.ready.isEmpty()) {
            PacketSource source = link.ready.pollFirst();
            int plainBytes = fastPath && source.link() == link ? pullPlain(source) : 0;
            if (plainBytes > 0) {
                link.ready.addLast(source);
                handedOverBytes += plainBytes;
                keeping(keeping);
                return PacketRecord.parse(Arrays.copyOf(bytes.array(), plainBytes));
            }
            if (source.link() == link && source.pull(pulled)) {
                if (source.link() == link) {
                    link.ready.addLast(source);
                }
                handedOverBytes += PacketWriter.encodedLengthBytes(pulled);
                keeping(keeping);
                return pulled.packets() == 1 ? PacketRecord.of(pulled) : firstOfRun();
            }
        }
        return null;
    }

    /** Has the bytes of the next request or answer, if that takes the fast path; how many, 0 if it does not. */
    private int pullPlain(PacketSource source) {
        int lengthBytes = 0;
        if (source.begin(plainRequest, false)) {
            lengthBytes = PlainFormat.write(plainRequest, bytes, 0);
            source.handedOver(plainRequest);
        } else if (source.pull(plainAnswer)) {
            lengthBytes = PlainFormat.write(plainAnswer, bytes, 0);
        }
        plains += lengthBytes > 0 ? 1 : 0;
        return lengthBytes;
    }

    private boolean deliverPlain(PacketSink device, Link from, Packet packet) {
        if (packet.packets() > 1 || PacketWriter.encodedLengthBytes(packet) > bytes.capacity()) {
            return false;
        }
        int lengthBytes = PacketWriter.write(packet, bytes, 0);
        boolean taken = PlainFormat.read(bytes, 0, lengthBytes, plainRequest)
                ? device.receivePlain(from, plainRequest, false)
                : PlainFormat.read(bytes, 0, lengthBytes, plainAnswer) && device.receivePlain(from, plainAnswer);
        plains += taken ? 1 : 0;
        return taken;
    }

    private PacketRecord firstOfRun() {
        for (int i = 0; i < pulled.packets(); i++) {
            SegmentRun.part(pulled, i, part);
            restOfRun.addLast(PacketRecord.of(part));
        }
        return restOfRun.removeFirst();
    }

    /** The headers of a packet of {@code peer} come to the device, see {@link PacketSink#land}. */
    public boolean land(Gid peer, Packet head, int payloadLengthBytes, LandingPlace place) {
        return sink != null && sink.land(linkTo(peer), head, payloadLengthBytes, place);
    }

    /** A packet of {@code peer} comes to the device. */
    public void deliver(Gid peer, Packet packet) {
        if (sink != null && !(fastPath && deliverPlain(sink, linkTo(peer), packet))) {
            sink.receive(linkTo(peer), packet);
        }
    }

    /** How often the device told the link to the peer to let go of memory. */
    public int lettingsGo(Gid peer) {
        return linkTo(peer).lettingsGo;
    }

    /** The way to the peer is lost, as the carrier has it. */
    public void loseCarrier(Gid peer) {
        if (sink != null) {
            sink.carrierLost(peer, false);
        }
    }

    private void resume(Link link) {
        if (sink != null) {
            sink.linkResumed(link);
        }
    }

    private ManualLink linkTo(Gid peer) {
        return links.computeIfAbsent(peer, ManualLink::new);
    }

    @Override
    public FabricPort attach(Gid gid, PacketSink deviceSink) {
        sink = deviceSink;
        return new Port(gid);
    }

    @Override
    public long freshGuid() {
        return 1;
    }

    @Override
    public void close() {
        links.clear();
    }

    private final class Port implements FabricPort {

        private final Gid gid;

        Port(Gid gid) {
            this.gid = gid;
        }

        @Override
        public Gid gid() {
            return gid;
        }

        @Override
        public Lane lane() {
            return lane;
        }

        @Override
        public boolean tellsReasons() {
            return tellsReasons;
        }

        @Override
        public Link linkTo(Gid peer) {
            return ManualFabric.this.linkTo(peer);
        }

        @Override
        public void setCarrier(boolean present) {
            if (sink != null) {
                sink.carrierChanged(present);
            }
        }

        @Override
        public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
            KnownDevices.resolve(address, gid::equals, outcome::found, outcome::failed);
        }

        @Override
        public InetSocketAddress bind(InetSocketAddress address) {
            return KnownDevices.bind(gid, address);
        }

        @Override
        public void close() {
            sink = null;
        }
    }

    private final class ManualLink implements Link {

        private final Gid peer;
        private final Deque<PacketSource> ready = new ArrayDeque<>();
        private int lettingsGo;

        ManualLink(Gid peer) {
            this.peer = peer;
        }

        @Override
        public Gid peer() {
            return peer;
        }

        @Override
        public void letGo() {
            lettingsGo++;
        }

        @Override
        public boolean isReliable() {
            return reliable;
        }

        @Override
        public int mostPacketsOfRun() {
            return mostPacketsOfRun;
        }

        @Override
        public int resumptions() {
            return resumptions;
        }

        @Override
        public long handedOver() {
            return handedOverBytes;
        }

        @Override
        public long taken() {
            return takenBytes;
        }

        @Override
        public void ready(PacketSource source) {
            ready.addLast(source);
        }
    }
}
