// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.fabric.Link;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Passes events of a queue pair to the device's tap and inspector; creates no objects without a tap. */
public final class QpTrace {

    private final DeviceContext device;
    private final DeviceCounters counters;
    private final int number;
    private final @Nullable QpInspector inspector;
    private DevicePort port;

    /** Of a queue pair that programs do not have. */
    public QpTrace(DeviceContext device, int number, DevicePort port) {
        this(device, number, port, null);
    }

    private QpTrace(DeviceContext device, int number, DevicePort port, @Nullable QpInspector inspector) {
        this.device = device;
        this.port = port;
        this.inspector = inspector;
        this.counters = device.counters;
        this.number = number;
    }

    /**
     * Of a queue pair of a program, which is inspected if the device is.
     *
     * @param srq number of its shared receive queue; 0 for none
     */
    public static QpTrace of(DeviceContext device, int number, QpInitAttributes attributes, int srq) {
        DeviceInspector inspector = device.inspector();
        return new QpTrace(
                device,
                number,
                device.port(1),
                inspector == null ? null : inspector.queuePair(number, attributes, srq));
    }

    /** The queue pair was destroyed. */
    public void destroyed() {
        if (inspector != null) {
            inspector.destroyed();
        }
    }

    /** The device that it is of. */
    public DeviceContext device() {
        return device;
    }

    public int number() {
        return number;
    }

    /** The port that the queue pair uses: that of its attributes, or 1 before it has one. */
    public DevicePort port() {
        return port;
    }

    /** The queue pair uses another port from now on. On the lane. */
    public void use(DevicePort other) {
        port = other;
    }

    /** What inspects the queue pair; null for nothing. */
    public @Nullable QpInspector inspector() {
        return inspector;
    }

    /** The queue pair's name in a simulation. */
    @Override
    public String toString() {
        return device.name() + "/" + number;
    }

    /** The request is in its slot. */
    public void posted(SendWorkRequest request, boolean signaled, @Nullable ByteBuffer inline) {
        if (inspector != null) {
            inspector.sendPosted(request, signaled);
        }
        if (device.isTraced()) {
            postedToAQueue();
            device.trace(new TraceEvent.SendPosted(now(), device.name(), number, request.frozen(), signaled));
            if (inline != null) {
                gatheredInline(request, inline);
            }
        }
    }

    private void gatheredInline(SendWorkRequest request, ByteBuffer data) {
        int from = 0;
        for (int i = 0; i < request.elementCount(); i++) {
            Sge element = request.element(i);
            memory(MemoryEffect.GATHERED, 0, -1, element.address(), data, from, element.lengthBytes(), 0, false);
            from += element.lengthBytes();
        }
    }

    /** The request is in its slot. */
    public void posted(ReceiveWorkRequest request) {
        if (inspector != null) {
            inspector.receivePosted(request);
        }
        if (device.isTraced()) {
            postedToAQueue();
            device.trace(new TraceEvent.ReceivePosted(now(), device.name(), number, request.frozen()));
        }
    }

    private void postedToAQueue() {
        device.decided(number, Rule.WR_12);
        device.decided(number, Rule.WR_18);
    }

    /** The request was given its packet sequence numbers. */
    public void started(long id, int firstPsn, int packets) {
        if (inspector != null) {
            inspector.started(firstPsn, packets);
        }
        if (device.isTraced()) {
            device.trace(new TraceEvent.Started(now(), device.name(), number, id, firstPsn, packets));
        }
    }

    /** The queue pair takes packets of this peer from now on. */
    public void connected(AddressVector vector, int destinationQp) {
        if (inspector != null) {
            inspector.connected(port.gid(), vector.destination(), destinationQp);
        }
        if (device.isTraced()) {
            device.trace(new TraceEvent.Connected(
                    now(), device.name(), number, port.gid(), vector.destination(), destinationQp));
        }
    }

    /** Bytes are about to be touched, for this packet; {@code address} is the memory's. */
    public void touching(MemoryEffect effect, int key, int psn, long address, int count) {
        if (inspector != null && count > 0) {
            inspector.touched(effect, key, psn, address, count);
        }
    }

    /** A FLUSH of a peer is executed; {@code address} is the memory's. */
    public void flushed(int psn, long address, long lengthBytes, boolean persistent) {
        if (inspector != null) {
            inspector.flushed(psn, address, lengthBytes, persistent);
        }
    }

    /** A peer's atomic changed a word; {@code address} is the memory's. */
    public void stepped(int psn, long address, long before, long after) {
        if (inspector != null) {
            inspector.stepped(psn, address, before, after);
        }
    }

    /**
     * Bytes were touched, which are read or stand in {@code buffer} from {@code index} on; {@code address} is the memory's.
     *
     * @param offset where in the payload of a packet they go that are read for it
     */
    public void memory(
            MemoryEffect effect,
            int key,
            int psn,
            long address,
            ByteBuffer buffer,
            int index,
            int count,
            int offset,
            boolean held) {
        if (device.isTraced() && count > 0) {
            byte[] data = new byte[count];
            buffer.get(index, data);
            tell(effect, key, psn, address, data, offset, held);
        }
    }

    /**
     * A word was left like that in one piece. It is not read again for the trace, since a program may have stored there meanwhile.
     *
     * @param word in native order
     */
    public void word(MemoryEffect effect, int key, int psn, long address, long word) {
        if (device.isTraced()) {
            byte[] data = new byte[Long.BYTES];
            ByteBuffer.wrap(data).order(ByteOrder.nativeOrder()).putLong(word);
            tell(effect, key, psn, address, data, 0, false);
        }
    }

    private void tell(MemoryEffect effect, int key, int psn, long address, byte[] data, int offset, boolean held) {
        device.trace(new TraceEvent.MemoryTouched(
                now(), device.name(), number, effect, key, psn, address, ByteBuffer.wrap(data), offset, held));
    }

    /** Programs see bytes that were placed; the inspector is told of those of peers. */
    public void visible(MemoryEffect effect, long address, int count) {
        if (inspector != null && effect == MemoryEffect.PLACED) {
            inspector.shown(address, count);
        }
    }

    /** Programs see bytes that were held. */
    public void shown(int psn, long address, byte[] data) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.MemoryShown(now(), device.name(), number, psn, address, ByteBuffer.wrap(data)));
        }
    }

    /** Whether a tap receives events; ask before making what an event needs. */
    public boolean isTraced() {
        return device.isTraced();
    }

    /** Whether a tap or an inspector is told what happens. */
    public boolean isObserved() {
        return device.isObserved();
    }

    /** A rule decided something. */
    public void decided(Rule rule) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.Decided(now(), device.name(), number, rule.id()));
        }
    }

    /** A packet leaves over a link; without one, none does. */
    public void sent(Packet packet, @Nullable Link link) {
        if (link == null) {
            return;
        }
        counters.sentPackets++;
        if (device.isTraced()) {
            device.trace(new TraceEvent.PacketSent(
                    now(), device.name(), number, port.gid(), link.peer(), PacketRecord.of(packet)));
        }
    }

    /** A packet came over a link; without one, none does. */
    public void received(Packet packet, @Nullable Link link) {
        if (link == null) {
            return;
        }
        counters.receivedPackets++;
        if (inspector != null) {
            inspector.received(link.peer(), packet.sourceQp(), packet.psn());
        }
        if (device.isTraced()) {
            device.trace(new TraceEvent.PacketReceived(
                    now(), device.name(), number, link.peer(), port.gid(), PacketRecord.of(packet)));
        }
    }

    /** A message found no receive; its sender is told so (RNR NAK). */
    public void receiverNotReady() {
        count(DeviceCounter.SEND_RNR_ERR);
        if (inspector != null) {
            inspector.receiverNotReady(now());
        }
    }

    /** A peer used a remote key that was refused; the same, with what an inspector knows of both. */
    public Denial keyRefused(int rkey, int psn, Denial denial) {
        return explained(inspector == null ? "" : inspector.keyRefused(rkey, psn, now()), denial);
    }

    /** A local key of a request was refused; the same, with what an inspector knows of the key. */
    public Denial localKeyRefused(int lkey, Denial denial) {
        return explained(inspector == null ? "" : inspector.localKeyRefused(lkey), denial);
    }

    private static Denial explained(String known, Denial denial) {
        Refusal refusal = denial.refusal();
        if (known.isEmpty() || refusal.cause() != null) {
            return denial;
        }
        // The reason stays the first cause: who looks for mistakes changes no explanation.
        return new Denial(
                denial.syndrome(), Refusal.of(refusal.brokenRule(), "%s", known).causedBy(refusal));
    }

    /** The device counts one more, other than a packet. */
    public void count(DeviceCounter counter) {
        counters.count(counter);
    }

    /** A packet was dropped without an answer. */
    public void dropped(Packet packet, Refusal reason) {
        device.drops().add(number, false, reason);
        passedOver(packet, reason);
    }

    /** A packet was not needed, as it repeats another or answers what was answered; or its sender is told that it was not taken. */
    public void passedOver(Packet packet, Refusal reason) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.PacketDropped(now(), device.name(), number, PacketRecord.of(packet), reason));
        }
    }

    public void stateChanged(QpState from, QpState to, @Nullable Refusal reason) {
        if (inspector != null && from != to) {
            inspector.stateChanged(from, to);
        }
        if (device.isTraced() && from != to) {
            device.trace(new TraceEvent.StateChanged(now(), device.name(), number, from, to, reason));
        }
    }

    /** A program changed what the peer may do. */
    public void rightsChanged(int accessFlags) {
        if (inspector != null) {
            inspector.rightsChanged(accessFlags);
        }
    }

    /** A program sets the queue pair to ERR, where it may be already. */
    public void endedByProgram() {
        if (inspector != null) {
            inspector.endedByProgram();
        }
    }

    /** A completion goes to a completion queue, the one with that number. */
    public void completed(
            int cq, long id, WcStatus status, WcOpcode opcode, int byteLength, @Nullable Refusal refusal) {
        if (device.tap == null) {
            return;
        }
        device.decided(number, status == WcStatus.SUCCESS ? Rule.WC_02 : Rule.WC_01);
        if (status == WcStatus.WR_FLUSH_ERR) {
            device.decided(number, Rule.WC_40);
        }
        device.trace(
                new TraceEvent.Completed(now(), device.name(), number, cq, id, status, opcode, byteLength, refusal));
    }

    private long now() {
        return device.lane().nowNanos();
    }
}
