// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.transport.netty.frame.WriteBatch;
import dev.verbatim.transport.netty.lane.Grace;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way to one peer in one of its lives, which outlasts the connections that serve it.
 *
 * <p>It belongs to no life yet until the first hello of its peer comes. Without a connection it loses what it pulls, so
 * that the senders' timers run; it is severed, and loses everything for ever, when another life of the peer comes. A device
 * of the same fabric, or the link's own, needs no connection: a packet arrives in the step in which it is pulled. All on the lane.
 */
public final class NettyLink implements Link {

    private static final long NO_LIFE = 0;

    private final NettyLane lane;
    private final LinkTable table;
    private final Gid peer;
    private final ArrayDeque<PacketSource> sources = new ArrayDeque<>();
    private final Packet packet = new Packet();
    private final PlainRequest plainRequest = new PlainRequest();
    private final PlainAnswer plainAnswer = new PlainAnswer();
    private final boolean fastPath = FastPath.isOn();
    private final Runnable turn = this::send;

    /** Made once: an iterator would be an object for each turn. */
    private final Consumer<PacketSource> asked = this::ask;

    private final Grace grace;
    private long incarnation = NO_LIFE;
    private long ticket;
    private long handedOverBytes;
    private int resumptions;
    private boolean wanted;
    private boolean peerWatched;
    private boolean turnComes;
    private boolean allMayWait;
    private boolean finishing;

    /** Whether the peer closed its connection while this end dials, and so may have given way to the dial (see {@link LinkTable}). */
    private boolean gaveWay;

    /** Whether its last turn was put off, since it had nothing but what may wait; the next one is not. */
    private boolean heldBack;

    private @Nullable Connection connection;
    private @Nullable LocalWay localWay;
    private @Nullable Redial redial;

    NettyLink(NettyLane lane, LinkTable table, Gid peer) {
        this.lane = lane;
        this.table = table;
        this.peer = peer;
        this.grace = table.newGrace(() -> table.lost(this, false));
    }

    @Override
    public Gid peer() {
        return peer;
    }

    /** To a device of this fabric its timers are those of a link that may lose: nothing is between a pull and its arrival. */
    @Override
    public boolean isReliable() {
        return connection != null;
    }

    @Override
    public int resumptions() {
        return resumptions;
    }

    @Override
    public long handedOver() {
        return handedOverBytes;
    }

    /** What a connection that broke had not written is lost, and so is not waited for any more. */
    @Override
    public long taken() {
        Connection way = connection;
        return way == null ? handedOverBytes : handedOverBytes - way.unwrittenBytes();
    }

    @Override
    public int mostPacketsOfRun() {
        Connection way = connection;
        if (localWay != null) {
            return SegmentRun.MOST_PACKETS;
        }
        return way == null ? 1 : way.batch().mostPacketsOfRun();
    }

    /** What has waited is owed all the same (ACK-04), and leaves before the queue pair that owes it has ended. */
    @Override
    public void letGo() {
        Connection way = connection;
        try {
            if (way != null) {
                sendWhatWaits(way);
                way.letGo();
            }
        } catch (RuntimeException | Error e) {
            // What is not copied must not be sent: its program has it back.
            closeUnless(false);
            throw e;
        }
    }

    private void sendWhatWaits(Connection way) {
        WriteBatch batch = way.batch();
        if (!heldBack || !way.canWrite() || isDialAwaited(way)) {
            return;
        }
        for (int left = sources.size(); left > 0 && batch.hasRoom(); left--) {
            PacketSource source = sources.removeFirst();
            if (source.mayWait()) {
                pull(source, batch, 1);
            } else {
                sources.addLast(source);
            }
        }
        packet.payload().clear();
        way.write();
    }

    @Override
    public void ready(PacketSource source) {
        sources.addLast(source);
        if (connection == null && localWay == null) {
            wantConnection();
        }
        comeToTurn();
    }

    private void wantConnection() {
        if (redial == null && !finishing) {
            redial = table.dialFor(this);
        }
        if (redial != null) {
            redial.want();
        }
    }

    /** Whether somebody dials for it, from now on. */
    boolean isLocated(@Nullable Redial dialler) {
        redial = dialler;
        return dialler != null;
    }

    /** What waited for the dial is sent, or lost, as on any link without a connection. */
    public void dialEnded() {
        comeToTurn();
        if (gaveWay) {
            gaveWay = false;
            table.carrier().broken();
        }
        if (connection == null && localWay == null && !wanted && (!peerWatched || !hasLife())) {
            table.forget(this);
        }
    }

    private boolean isDialAwaited() {
        return redial != null && redial.isAwaited();
    }

    /** No answer is awaited that might be the peer's, but that to a dial of this link. */
    void answered() {
        if (gaveWay && !isDialAwaited()) {
            dialEnded();
        }
    }

    @Nullable
    public Connection connection() {
        return connection;
    }

    /** Whether what is sent arrives, over a connection or at a device of this fabric. */
    public boolean isStanding() {
        return connection != null || localWay != null;
    }

    @Override
    public @Nullable Refusal reasonOfNak(int qp, int peerQp, int psn) {
        LocalWay way = localWay;
        return way == null
                ? null
                : way.to().intake().sink().reasonOfNak(way.from().gid(), qp, peerQp, psn);
    }

    @Override
    public @Nullable Refusal reasonOfSilence(int qp, int peerQp) {
        Refusal loss = reasonOfLoss();
        LocalWay way = localWay;
        return loss != null || way == null
                ? loss
                : way.to().intake().sink().reasonOfSilence(way.from().gid(), qp, peerQp);
    }

    @Override
    public @Nullable Refusal reasonOfLoss() {
        LocalWay way = localWay;
        if (!table.isPlugged()) {
            return KnownDevices.withoutCarrier(table.gid());
        }
        if (way != null) {
            return way.to().isPlugged() ? null : KnownDevices.withoutCarrier(peer);
        }
        return connection == null ? Refusal.of(Rule.QP_29, "there is no connection to %s", peer) : null;
    }

    boolean isServedBy(LinkTable neighbour) {
        LocalWay way = localWay;
        return way != null && way.to().equals(neighbour);
    }

    /** Whether the link leads to that life of the peer, or may still come to. */
    public boolean isOf(long life) {
        return incarnation == life || incarnation == NO_LIFE;
    }

    /** Whether a peer has said its hello for it. */
    boolean hasLife() {
        return incarnation != NO_LIFE;
    }

    /** Without a connection it may lead to another life of the peer than before. */
    void takeAnyLife() {
        if (!isStanding()) {
            incarnation = NO_LIFE;
        }
    }

    void bindTo(long life) {
        incarnation = life;
    }

    /** What proves that a dialler is the one of the last connection; 0 if nothing does. */
    public long ticket() {
        return ticket;
    }

    public void agreeOn(long newTicket) {
        ticket = newTicket;
    }

    @Override
    public void watchPeer() {
        peerWatched = true;
    }

    boolean isPeerWatched() {
        return peerWatched;
    }

    void mindNoMore() {
        peerWatched = false;
    }

    /** The device has asked for the link, so it is kept when it has no connection. */
    void want() {
        wanted = true;
    }

    /**
     * Packets go over {@code fresh} from now on; a connection that served the link before is closed.
     *
     * @param dialler dials anew when the connection breaks; null if that is up to the peer
     */
    public void serveBy(Connection fresh, @Nullable Redial dialler) {
        Connection old = connection;
        connection = fresh;
        resumptions++;
        grace.stop();
        table.stay(this);
        if (old == null && !gaveWay) {
            table.carrier().connected();
        }
        gaveWay = false;
        if (old != null) {
            old.close("another one took its place");
        }
        if (dialler != null || redial == null || !redial.isWhenWanted()) {
            if (redial != null && redial != dialler) {
                redial.stop();
            }
            redial = dialler;
        }
        table.carrier().resumed(this);
        comeToTurn();
    }

    /** Packets are handed to another device of this fabric, or to the link's own, from now on. */
    void serveBy(LinkTable own, LinkTable neighbour) {
        localWay = new LocalWay(own, neighbour);
        if (redial != null) {
            redial.stop();
        }
        redial = null;
        grace.stop();
        table.stay(this);
        comeToTurn();
    }

    /** Only what it was asked to send by now is still sent; then the table is notified, at once if nothing is left. */
    void finish() {
        if (redial != null) {
            redial.stop();
        }
        redial = null;
        grace.stop();
        finishing = true;
        comeToTurn();
        tellIfFinished();
    }

    private void tellIfFinished() {
        Connection way = connection;
        boolean sent = sources.isEmpty() && (way == null || way.hasWritten());
        if (finishing && (sent || !isStanding())) {
            finishing = false;
            table.finished(this);
        }
    }

    boolean isServedBy(Channel channel) {
        Connection way = connection;
        return way != null && way.isOver(channel);
    }

    /** The connection is no more. */
    void serveNoMoreBy(Connection gone) {
        if (connection != gone) {
            return;
        }
        if (finishing) {
            connection = null;
            table.carrier().closed();
            tellIfFinished();
            return;
        }
        connection = null;
        gaveWay = !gone.isDialled() && (isDialAwaited() || table.mayGiveWay(this));
        if (!gaveWay) {
            table.carrier().broken();
        }
        if (redial != null && (!redial.isWhenWanted() || (gone.isDialled() && wanted))) {
            redial.begin(gone.hasCarried());
        } else if (!wanted && peerWatched) {
            table.linger(this);
        } else if (!wanted && !gaveWay) {
            table.forget(this);
        }
        if (peerWatched) {
            grace.begin();
            wantConnection();
        }
        comeToTurn();
    }

    /** The port has lost its cable. */
    void unplug() {
        Connection way = connection;
        if (way != null) {
            way.close("the port of this end is down");
        }
    }

    /** The port has its cable again. */
    void dialAgain() {
        if (wanted && !isStanding() && redial != null) {
            redial.want();
        }
    }

    /** Nobody listens any more where the peer was, so there is nothing to wait for. */
    public void peerGone() {
        if (grace.isArmed()) {
            grace.stop();
            table.lost(this, true);
        }
    }

    /** It need not wait for a connection any longer. */
    void loseNow() {
        grace.cutShort();
    }

    /** Loses everything from now on, both ways. */
    void sever() {
        if (redial != null) {
            redial.stop();
        }
        redial = null;
        grace.stop();
        Connection old = connection;
        connection = null;
        localWay = null;
        if (old != null || gaveWay) {
            gaveWay = false;
            table.carrier().closed();
        }
        if (old != null) {
            old.close("its link is severed");
        }
        comeToTurn();
    }

    /** The connection can take packets again. */
    void comeToTurn() {
        if (!turnComes && !sources.isEmpty()) {
            turnComes = true;
            lane.letSend(turn);
        }
    }

    /** One turn: pulls the sources round and round, into one batch of the connection, to a neighbour, or to lose what they give. */
    private void send() {
        turnComes = false;
        Connection way = connection;
        boolean held = heldBack;
        heldBack = false;
        if ((way != null && !way.canWrite()) || isDialAwaited(way)) {
            return;
        }
        if (way != null && !way.isWrittenBy(lane)) {
            turnComes = true;
            lane.letLoopSend(turn);
            return;
        }
        if (way != null && !held && lane.holdsBack() && mayWait()) {
            heldBack = true;
            lane.sendLater(turn);
            return;
        }
        WriteBatch batch = way == null ? null : way.batch();
        int most = mostPulls();
        int pulls = 0;
        while (pulls < most && (batch == null || batch.hasRoom())) {
            PacketSource source = sources.pollFirst();
            if (source == null) {
                break;
            }
            pulls += pull(source, batch, most - pulls);
        }
        packet.payload().clear();
        try {
            if (way != null) {
                way.write();
            }
        } catch (RuntimeException | Error e) {
            closeUnless(false);
            lane.log().fault("writing to gid=" + peer + " failed; the connection is closed", e);
        }
        comeToTurn();
        tellIfFinished();
    }

    private int mostPulls() {
        if (lane.isWaitedFor()) {
            return TransportLimits.MOST_PULLS_WHILE_OTHERS_WAIT;
        }
        return localWay == null ? TransportLimits.MOST_PULLS_IN_A_ROW : TransportLimits.MOST_LOCAL_PULLS_IN_A_ROW;
    }

    private boolean mayWait() {
        allMayWait = !sources.isEmpty();
        sources.forEach(asked);
        return allMayWait;
    }

    private void ask(PacketSource source) {
        allMayWait &= source.mayWait();
    }

    /** The socket has taken what was written. */
    void hasWritten() {
        comeToTurn();
        tellIfFinished();
    }

    /** Whether what is to be sent waits for a dial, also where it would go over a connection whose place that of the dial will take. */
    private boolean isDialAwaited(@Nullable Connection way) {
        Redial dialler = redial;
        return dialler != null
                && dialler.isAwaited()
                && (way == null ? localWay == null : table.replacesWhenDialled(this));
    }

    /** The fast path: frames of plain requests or answers, as long as no other source waits; how many. */
    private int pullPlain(PacketSource source, WriteBatch batch, int most) {
        int count = 0;
        while (count < most && batch.hasRoom() && addPlain(source, batch)) {
            count++;
            if (!sources.isEmpty()) {
                break;
            }
        }
        plainRequest.clear();
        plainAnswer.clear();
        return count;
    }

    /** Adds what the source has next, if that takes the fast path: a requester has requests, a responder answers. */
    private boolean addPlain(PacketSource source, WriteBatch batch) {
        if (source.begin(plainRequest, false)) {
            handedOverBytes += batch.add(plainRequest);
            source.handedOver(plainRequest);
            return true;
        }
        if (source.pull(plainAnswer)) {
            handedOverBytes += batch.add(plainAnswer);
            return true;
        }
        return false;
    }

    /**
     * Packets of a source without a link are lost; a source with another link has announced itself there.
     *
     * @return how many pulls that was
     */
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    private int pull(PacketSource source, @Nullable WriteBatch batch, int most) {
        boolean isWhole = true;
        try {
            Link over = source.link();
            if (fastPath && batch != null && over == this && batch.takesPlain()) {
                isWhole = false;
                int plainPulls = pullPlain(source, batch, most);
                isWhole = true;
                if (plainPulls > 0) {
                    if (source.staysAt(over)) {
                        sources.addLast(source);
                    }
                    return plainPulls;
                }
            }
            if ((over == this || over == null) && source.pull(packet)) {
                if (source.staysAt(over)) {
                    sources.addLast(source);
                }
                LocalWay way = localWay;
                if (over == null) {
                    return 1;
                }
                if (batch != null) {
                    isWhole = false;
                    handedOverBytes += batch.add(packet);
                } else if (way != null) {
                    way.carry(packet);
                }
            }
        } catch (RuntimeException | Error e) {
            lane.turnFailed(peer, source, e);
            closeUnless(isWhole || e instanceof IllegalArgumentException);
        }
        return 1;
    }

    /** What is in the batch may not be whole. */
    private void closeUnless(boolean isWhole) {
        Connection way = connection;
        if (way != null && !isWhole) {
            way.close("a turn of its link failed");
        }
    }

    @Override
    public String toString() {
        return "link to " + peer;
    }
}
