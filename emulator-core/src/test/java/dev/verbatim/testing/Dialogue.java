// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device's queue pair in conversation with the test, which is its peer: it says by hand what the peer sends, takes one
 * by one what the device sends, and moves time.
 *
 * <p>What the device has to send stays with it until it is expected, so a test can hold the device's mouth shut while it
 * goes on talking. Nothing is left to happen when a step returns: that something is not there is known at once.
 */
public final class Dialogue implements AutoCloseable {

    /** Where the peer is. */
    public static final Gid PEER = Gid.ofGuid(0x99);

    /** The peer's queue pair. */
    public static final int PEER_QP = 0x4242;

    /** Payload bytes of a packet. */
    public static final int MTU = 256;

    /** Timeout code 8 is 1.048576 ms, seven retries of both kinds. */
    public static final RcConnection USUAL =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(8, 7, 7, 12);

    /** The same without what UC has not. */
    public static final UcConnection UC = UcConnection.USUAL.withPathMtu(PathMtu.MTU_256);

    /** The Q_Key of both. */
    public static final int QUEUE_KEY = 0x1234;

    public final ManualFabric fabric = new ManualFabric();
    public final RecordingTap tap = new RecordingTap();
    public final Side side;

    private final Verbatim door;

    private Dialogue(DeviceProfile profile, QpType type) {
        door = Verbatim.over(fabric).profile(profile).tap(tap);
        side = new Side(door.open("device"), QpCapabilities.USUAL, null, type);
        side.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
    }

    /** With a device of that profile, whose queue pair is in RESET. */
    public static Dialogue unconnected(DeviceProfile profile) {
        return unconnected(profile, QpType.RC);
    }

    /** The same with a queue pair of another type. */
    public static Dialogue unconnected(DeviceProfile profile, QpType type) {
        return new Dialogue(profile, type);
    }

    /** Over an unreliable connection; both sides number their requests from 0 on. */
    public static Dialogue overUc() {
        return unconnected(DeviceProfile.STRICT_IBTA, QpType.UC).connect(UC, 0, 0);
    }

    /** With datagrams; the device has {@link #QUEUE_KEY} and numbers its own from 0 on. */
    public static Dialogue overUd() {
        return overUd(DeviceProfile.STRICT_IBTA);
    }

    /** The same with a device of that profile. */
    public static Dialogue overUd(DeviceProfile profile) {
        Dialogue it = unconnected(profile, QpType.UD);
        new UdReadiness(QUEUE_KEY).toRts(it.side.qp);
        return it;
    }

    /** Both sides number their requests from 0 on. */
    public static Dialogue begin() {
        return begin(USUAL, 0, 0);
    }

    /** The queue pair is in RTS with these attributes, and both sides number their requests from 0 on. */
    public static Dialogue begin(RcConnection connection) {
        return begin(connection, 0, 0);
    }

    /**
     * The queue pair is in RTS with these attributes.
     *
     * @param devicePsn first PSN of the device's requests
     * @param peerPsn first PSN of the peer's requests
     */
    public static Dialogue begin(RcConnection connection, int devicePsn, int peerPsn) {
        return unconnected(DeviceProfile.STRICT_IBTA).connect(connection, devicePsn, peerPsn);
    }

    /** What the link says of itself from now on. */
    public Dialogue linkIsReliable(boolean value) {
        fabric.reliable(value);
        return this;
    }

    /** Whether the link keeps from now on what it pulls, since its carrier takes nothing. */
    public Dialogue linkKeeps(boolean value) {
        fabric.keeping(value);
        return this;
    }

    /** Takes the queue pair from RESET to RTS. */
    public Dialogue connect(RcConnection connection, int devicePsn, int peerPsn) {
        connection.readyToReceive(side.qp, new RcConnection.Endpoint(PEER, PEER_QP, peerPsn));
        connection.readyToSend(side.qp, devicePsn);
        return this;
    }

    /** Takes the queue pair, which is one of an unreliable connection, from RESET to RTS. */
    public Dialogue connect(UcConnection connection, int devicePsn, int peerPsn) {
        connection.readyToReceive(side.qp, new RcConnection.Endpoint(PEER, PEER_QP, peerPsn));
        connection.readyToSend(side.qp, devicePsn);
        return this;
    }

    // What the device's program does.

    /** The request as one for the peer, of whose Q_Key the sender is right. */
    public SendWorkRequest toPeer(SendWorkRequest request) {
        return request.to(side.pd.createAddressHandle(AddressVector.to(PEER)), PEER_QP, QUEUE_KEY);
    }

    /** Posts send requests, one after the other. */
    public Dialogue posts(SendWorkRequest... requests) {
        for (SendWorkRequest request : requests) {
            side.qp.postSend(request);
        }
        return this;
    }

    /** Posts a receive request. */
    public Dialogue postsReceive(long id, Sge... elements) {
        side.qp.postRecv(ReceiveWorkRequest.of(id, elements));
        return this;
    }

    // What the device and its peer say.

    /** The device's next packets are these; the message sequence number of an answer is not compared. */
    public Dialogue expects(Packet... packets) {
        for (Packet expected : packets) {
            PacketRecord actual = fabric.take(PEER);
            expected.destQp(PEER_QP);
            if (actual != null && expected.opcode().has(Header.AETH)) {
                expected.messageSequence(actual.toPacket().messageSequence());
            }
            assertThat(actual).as("the device's next packet").isEqualTo(PacketRecord.of(expected));
        }
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The device has nothing to send now. */
    public Dialogue expectsNothing() {
        assertThat(fabric.take(PEER)).as("the device's next packet").isNull();
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The device's next packet, whatever it is. */
    public PacketRecord take() {
        PacketRecord next = fabric.take(PEER);
        assertThat(next).as("the device's next packet").isNotNull();
        return next;
    }

    /** Takes all that the device has to send now. */
    public List<PacketRecord> takeAll() {
        List<PacketRecord> taken = new ArrayList<>();
        for (PacketRecord next = fabric.take(PEER); next != null; next = fabric.take(PEER)) {
            taken.add(next);
        }
        return taken;
    }

    /** These packets of the peer come to the device. */
    public Dialogue sends(Packet... packets) {
        for (Packet packet : packets) {
            sendsFrom(PEER, packet);
        }
        return this;
    }

    /** A packet of somebody else comes to the device. */
    public Dialogue sendsFrom(Gid stranger, Packet packet) {
        fabric.deliver(stranger, packet.destQp() == 0 ? packet.destQp(side.qp.number()) : packet);
        return this;
    }

    // Time.

    /** So much time passes. */
    public Dialogue after(long nanos) {
        fabric.lane().advanceTo(fabric.lane().nowNanos() + nanos);
        return this;
    }

    /** So much time passes in which the device's lane does nothing. */
    public Dialogue afterBeingHeldUpFor(long nanos) {
        fabric.lane().heldUpUntil(fabric.lane().nowNanos() + nanos);
        return this;
    }

    // What came of it.

    /** The completion of a send request, which is there. */
    public WorkCompletion sent() {
        return one(side.sendCq);
    }

    /** The completion of a receive request, which is there. */
    public WorkCompletion received() {
        return one(side.recvCq);
    }

    private static WorkCompletion one(CompletionQueue cq) {
        List<WorkCompletion> completions = cq.poll(1);
        assertThat(completions).as("completions").hasSize(1);
        return completions.get(0);
    }

    /** Nothing has completed. */
    public Dialogue completesNothing() {
        assertThat(side.sendCq.poll(1)).as("completions of the send queue").isEmpty();
        assertThat(side.recvCq.poll(1)).as("completions of the receive queue").isEmpty();
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The next asynchronous event; null if there is none. */
    public @Nullable AsyncEvent event() {
        return side.device.pollAsyncEvent();
    }

    /** No asynchronous event was raised. */
    public Dialogue raisesNothing() {
        assertThat(event()).as("an asynchronous event").isNull();
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The bytes of the region from {@code offset} on are these. */
    public Dialogue remembers(int offset, byte[] expected) {
        byte[] actual = new byte[expected.length];
        side.bytes().get(offset, actual);
        assertThat(actual).as("memory at offset %d", offset).isEqualTo(expected);
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The word of the region at {@code offset} is this. */
    public Dialogue holds(int offset, long word) {
        assertThat(side.bytes().getLong(offset)).as("word at offset %d", offset).isEqualTo(word);
        RuleCoverage.assertOutcome();
        return this;
    }

    /** The region is as it was in the beginning from {@code offset} to {@code end}. */
    public Dialogue isUntouched(int offset, int end) {
        return remembers(offset, Packets.pattern(offset, end - offset));
    }

    /** Bytes of the region as they are now. */
    public byte[] bytes(int offset, int count) {
        byte[] actual = new byte[count];
        side.bytes().get(offset, actual);
        return actual;
    }

    @Override
    public void close() {
        door.close();
    }

    @Override
    public String toString() {
        return String.join(
                "\n", Arrays.stream(tap.events().toArray()).map(String::valueOf).toList());
    }
}
