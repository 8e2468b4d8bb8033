// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.SipHash;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import dev.verbatim.wire.mad.RefusalReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Queue pair 1: always there, always ready, and whatever comes leaves it so. */
final class ManagementQueuePair implements ManagementPort {

    /** The queue key of every queue pair 1. */
    static final int QUEUE_KEY = 0x8001_0000;

    /** The default partition's key as limited members have it. */
    private static final int LIMITED_PKEY = 0x7fff;

    /** Lives are told apart above the bits in which GUIDs that are counted differ. */
    private static final int LIFE_SHIFT = 32;

    private final DeviceContext device;
    private final DevicePort port;
    private final Consumer<Throwable> stepFailed;
    private final long guid;
    private final OptionalLong drawnSeed;
    private final QpTrace trace;
    private final Map<Gid, ManagementOutbox> outboxes = new TreeMap<>();
    private final AtomicLongArray drops = new AtomicLongArray(ManagementDrop.values().length);
    private @Nullable ManagementAgent agent;
    private @Nullable Function<ManagementPort, ManagementAgent> standIn;
    private int waiting;
    private int nextPsn;
    private boolean over;

    /** Null where the carrier's options do not have reasons told. */
    private @Nullable RefusalReasons reasons;

    /**
     * Without an agent.
     *
     * @param stepFailed takes what a step for it threw
     */
    ManagementQueuePair(
            DeviceContext device, DevicePort port, long guid, OptionalLong drawnSeed, Consumer<Throwable> stepFailed) {
        this.device = device;
        this.port = port;
        this.stepFailed = stepFailed;
        this.guid = guid;
        this.drawnSeed = drawnSeed;
        this.trace = new QpTrace(device, QP_NUMBER, port);
    }

    /** From now on reasons of refusals are asked for and told. On the lane. */
    void tellReasons() {
        RefusalReasons made = new RefusalReasons(device, this::send, seed());
        reasons = made;
        port.askBy(made);
    }

    @Override
    public Lane lane() {
        return device.lane();
    }

    @Override
    public Gid gid() {
        return port.gid();
    }

    @Override
    public int portNumber() {
        return port.number();
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public long seed() {
        return drawnSeed.orElse(guid + ((long) port.attachment().life() << LIFE_SHIFT));
    }

    @Override
    public LongUnaryOperator disguise() {
        return drawnSeed.isPresent() ? new SipHash(drawnSeed.getAsLong(), QP_NUMBER)::of : LongUnaryOperator.identity();
    }

    @Override
    public String deviceName() {
        return device.name();
    }

    @Override
    public ManagementAgent agent(Function<ManagementPort, ManagementAgent> maker) {
        List<ManagementAgent> found = new ArrayList<>(1);
        device.lane().callTold(device.name(), DevicePart.CONNECTIONS, () -> {
            device.requireOpen();
            ManagementAgent present = agent;
            if (present == null) {
                present = maker.apply(this);
                agent = present;
            }
            found.add(present);
        });
        return found.get(0);
    }

    @Override
    public void standIn(Function<ManagementPort, ManagementAgent> maker) {
        device.onLane(() -> {
            device.requireOpen();
            standIn = maker;
            return maker;
        });
    }

    @Override
    public void programEnds() {
        device.lane().callTold(device.name(), DevicePart.CONNECTIONS, () -> {
            ManagementAgent present = agent;
            if (present != null) {
                present.programEnds();
            }
        });
    }

    private @Nullable ManagementAgent speaker() {
        if (agent == null && standIn != null) {
            agent = standIn.apply(this);
        }
        return agent;
    }

    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        port.attachment().resolve(address, timeoutNanos, outcome);
    }

    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        device.requireOpen();
        return port.attachment().bind(address);
    }

    @Override
    public void listen(InetSocketAddress address) {
        port.attachment().listen(address);
    }

    @Override
    public void unbind(InetSocketAddress address) {
        port.attachment().unbind(address);
    }

    @Override
    public boolean isOwn(InetAddress host) {
        return port.attachment().isOwn(host);
    }

    @Override
    public void decided(Rule rule) {
        trace.decided(rule);
    }

    @Override
    public long dropped(ManagementDrop cause) {
        return drops.get(cause.ordinal());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    public boolean send(Gid destination, Octets mad) {
        if (mad.lengthBytes() != MAD_BYTES) {
            throw new IllegalArgumentException(
                    "length=" + mad.lengthBytes() + " is not " + MAD_BYTES + "; every MAD has as many bytes");
        }
        if (over) {
            return false;
        }
        if (waiting >= DeviceLimits.MAX_UNSENT_MADS) {
            trace.decided(Rule.MAD_06);
            return count(ManagementDrop.FULL);
        }
        Link link = port.attachment().wayTo(destination);
        if (link == null) {
            return count(ManagementDrop.NO_WAY);
        }
        ManagementOutbox outbox = outboxes.get(destination);
        if (outbox == null || outbox.link() != link) {
            forget(outbox);
            outbox = new ManagementOutbox(this, link);
            outboxes.put(destination, outbox);
        }
        link.watchPeer();
        if (outbox.size() >= DeviceLimits.MAX_UNSENT_MADS_TO_ONE_PEER) {
            trace.decided(Rule.MAD_06);
            return count(ManagementDrop.FULL);
        }
        waiting++;
        outbox.add(mad);
        return true;
    }

    private boolean count(ManagementDrop cause) {
        drops.incrementAndGet(cause.ordinal());
        return false;
    }

    /** Its link leads nowhere any more. */
    private void forget(@Nullable ManagementOutbox outbox) {
        if (outbox != null) {
            waiting -= outbox.clear();
        }
    }

    /** Makes a packet of the datagram, which leaves over the link. */
    void fill(Octets mad, Packet packet, Link link) {
        device.lane().touched(device.name(), DevicePart.CONNECTIONS);
        waiting--;
        packet.begin(Opcode.UD_SEND_ONLY)
                .migRequest(false)
                .ackRequest(true)
                .destQp(QP_NUMBER)
                .psn(nextPsn)
                .queueKey(QUEUE_KEY)
                .sourceQp(QP_NUMBER);
        packet.payload().add(ByteBuffer.wrap(mad.toBytes()), 0, MAD_BYTES);
        nextPsn = Psn.next(nextPsn);
        trace.decided(Rule.MAD_01);
        trace.sent(packet, link);
    }

    /** The outbox is empty. */
    void emptied(ManagementOutbox outbox) {
        outboxes.remove(outbox.link().peer(), outbox);
    }

    /** A packet for queue pair 1 came over the link. What is wrong with it changes nothing here but a count (MAD-02). */
    void receive(Link link, Packet packet) {
        trace.received(packet, link);
        if (packet.opcode() != Opcode.UD_SEND_ONLY) {
            drop(packet, ManagementDrop.OPCODE, Rule.MAD_02, "opcode=%s is not UD_SEND_ONLY", packet.opcode());
        } else if (!isOfDefaultPartition(packet.pkey())) {
            drop(
                    packet,
                    ManagementDrop.PARTITION_KEY,
                    Rule.MAD_02,
                    "pkey=0x%04x is not 0xffff or 0x7fff",
                    packet.pkey());
        } else if (packet.queueKey() != QUEUE_KEY) {
            drop(packet, ManagementDrop.QUEUE_KEY, Rule.MAD_02, "Q_Key 0x%08x is not 0x80010000", packet.queueKey());
        } else if (packet.payload().lengthBytes() != MAD_BYTES) {
            int count = packet.payload().lengthBytes();
            drop(packet, ManagementDrop.LENGTH, Rule.MAD_02, "payload=%d is not 256 bytes", count);
        } else {
            take(link, packet, Octets.of(packet.payload()));
        }
    }

    /** Limited members are heard as well (MAD-03). */
    private boolean isOfDefaultPartition(int pkey) {
        if (pkey == LIMITED_PKEY) {
            trace.decided(Rule.MAD_03);
            return true;
        }
        return pkey == DeviceLimits.DEFAULT_PKEY;
    }

    private void take(Link link, Packet packet, Octets datagram) {
        MadHeader header = MadHeader.parse(datagram);
        ManagementAgent speaker = speaker();
        if (header.baseVersion() != MadHeader.BASE_VERSION) {
            drop(packet, ManagementDrop.VERSION, Rule.MAD_05, "base version=%d is not 1", header.baseVersion());
        } else if (asksForClassPortInfo(header)) {
            trace.decided(Rule.MAD_04);
            send(link.peer(), new Mad(header.unsupported(), Mad.parse(datagram).body()).emit());
        } else if (reasons != null && RefusalReason.isOne(header)) {
            takeReason(reasons, link, packet, datagram);
        } else if (header.method() != MadHeader.METHOD_SEND) {
            drop(packet, ManagementDrop.METHOD, Rule.MAD_05, "method=0x%02x is not Send", header.method());
        } else if (speaker == null) {
            drop(packet, ManagementDrop.NO_AGENT, Rule.MAD_05, "no management agent at %s", device.name());
        } else {
            link.watchPeer();
            speaker.received(link.peer(), datagram);
        }
    }

    private void takeReason(RefusalReasons own, Link link, Packet packet, Octets datagram) {
        String trouble = own.take(link.peer(), datagram);
        if (trouble != null) {
            drop(packet, ManagementDrop.REASON, Rule.MAD_10, "%s", trouble);
        }
    }

    private static boolean asksForClassPortInfo(MadHeader header) {
        return header.attributeId() == MadHeader.ATTRIBUTE_CLASS_PORT_INFO
                && (header.method() == MadHeader.METHOD_GET || header.method() == MadHeader.METHOD_SET);
    }

    private void drop(Packet packet, ManagementDrop cause, Rule rule, String format, Object... values) {
        count(cause);
        trace.passedOver(packet, Refusal.of(rule, format, values));
    }

    /** The way to the peer went away. On the lane. */
    void carrierLost(Gid peer, boolean isGone) {
        ManagementAgent speaker = agent;
        if (speaker != null) {
            trace.decided(Rule.MAD_07);
            speaker.carrierLost(peer, isGone);
        }
    }

    /** The device is closed. What the agent still has to say may go out while its links are there. On the lane. */
    void end() {
        endReasons();
        tellAgent();
        over = true;
    }

    @Override
    public void heard() {
        DeviceInspector inspector = device.inspector();
        if (inspector != null) {
            inspector.heardOfConnection();
        }
    }

    @Override
    public void failed(Throwable thrown) {
        stepFailed.accept(thrown);
    }

    /** The device has failed: it says nothing more. On the lane. */
    void die() {
        over = true;
        for (ManagementOutbox outbox : outboxes.values()) {
            outbox.clear();
        }
        outboxes.clear();
        waiting = 0;
        endReasons();
        tellAgent();
    }

    private void endReasons() {
        if (reasons != null) {
            reasons.end();
        }
    }

    private void tellAgent() {
        ManagementAgent speaker = agent;
        agent = null;
        standIn = null;
        if (speaker != null) {
            speaker.deviceClosed();
        }
    }

    /** Its name in a simulation. */
    @Override
    public String toString() {
        return trace.toString();
    }
}
