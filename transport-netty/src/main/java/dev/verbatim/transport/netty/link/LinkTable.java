// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.Grace;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The links of a device, and the rules of who may have which.
 *
 * <p><b>One connection per pair.</b> When both ends dial at the same time each may welcome the other before it hears of
 * its own dial. Then both keep the connection that the lower GID dialled; its end may see the other one close before it is welcomed,
 * which is no end of its carrier. An acceptor that has a connection already
 * says so instead of a welcome, and its dialler uses that one.
 *
 * <p><b>Who may take a connection's place.</b> A stranger that names the GID, or even the incarnation, of a connected
 * peer gets nothing: the connection that is there stays. Only the dialler of that connection may replace it, since it
 * can notice a break that the acceptor has not heard of; it proves itself by the ticket that came with the welcome. A
 * peer that was killed and started anew has no ticket and another incarnation. It is refused as long as the old
 * connection stands, and tries again until its dial times out; the operating system closes the sockets of a killed
 * process, so that is over before it is noticed. Only when the peer's machine vanished without a word does the old
 * connection stand until keepalive or retransmission gives up. That is the price: late return after a power cut,
 * against eviction by any peer that knows a GID.
 *
 * <p>While no connection stands, the first hello with a GID is believed. With TLS or a shared secret only
 * those who were let in get as far as a hello; among these the rule is the same, since nothing ties a GID to a certificate.
 */
public final class LinkTable {

    private final NettyLane lane;
    private final Gid own;
    private final long incarnation;
    private final Intake intake;
    private final Carrier carrier;
    private final Neighbours neighbours;
    private final long graceNanos;
    private final LongSupplier tickets;
    private final Map<Gid, NettyLink> links = new TreeMap<>();

    /** Those whose peer is watched, that have no connection and are not wanted otherwise, the oldest first. */
    private final Set<NettyLink> lingering = new LinkedHashSet<>();

    private Runnable whenFinished = () -> {};
    private Function<NettyLink, @Nullable Redial> locator = link -> null;
    private BooleanSupplier greets = () -> false;
    private boolean locating;

    /**
     * No links yet.
     *
     * @param own GID of the device whose links they are
     * @param incarnation names this life of the device
     * @param intake takes the packets that come from its neighbours
     * @param neighbours are reached without a connection
     * @param carrier is notified when links are connected, and when their connections break
     * @param graceNanos how long a link may be without a connection
     * @param tickets draws tickets
     */
    public LinkTable(
            NettyLane lane,
            Gid own,
            long incarnation,
            Intake intake,
            Neighbours neighbours,
            Carrier carrier,
            long graceNanos,
            LongSupplier tickets) {
        this.lane = lane;
        this.own = own;
        this.incarnation = incarnation;
        this.intake = intake;
        this.neighbours = neighbours;
        this.carrier = carrier;
        this.graceNanos = graceNanos;
        this.tickets = tickets;
    }

    /** GID of the device whose links they are. */
    Gid gid() {
        return own;
    }

    /** Names this life of the device; never 0. */
    long incarnation() {
        return incarnation;
    }

    /** What arrives for the device. */
    Intake intake() {
        return intake;
    }

    /** The link that the device uses to reach the peer. */
    public NettyLink linkTo(Gid peer) {
        NettyLink link = at(peer);
        if (link == null) {
            link = new NettyLink(lane, this, peer);
            links.put(peer, link);
        } else if (locating) {
            link.takeAnyLife();
        }
        link.want();
        return link;
    }

    /**
     * Links without a connection are dialled from now on when there is something to send. Whoever asks for one is led to the life of the
     * peer that answers; queue pairs of an earlier life are not found there, since their numbers are drawn.
     *
     * @param dialler gives who dials; null if it is not known where
     */
    public void dialUnknownBy(Function<NettyLink, @Nullable Redial> dialler) {
        locator = dialler;
        locating = true;
    }

    /**
     * Says whether this end has dialled somebody whose answer it awaits, so that it is not known which peer that is; {@link #answered} follows.
     */
    public void greetsBy(BooleanSupplier greeter) {
        greets = greeter;
    }

    /** Whether the peer may have closed its connection for one that this end has dialled, which is the one that stays. */
    boolean mayGiveWay(NettyLink link) {
        return own.compareTo(link.peer()) < 0 && greets.getAsBoolean();
    }

    /** Nobody's answer is awaited any more: who has closed a connection by now has not done so for another one. */
    public void answered() {
        List.copyOf(links.values()).forEach(NettyLink::answered);
    }

    /** Who dials for a link that has no connection; null if there is nobody, or another life of the peer has a link. */
    @Nullable
    Redial dialFor(NettyLink link) {
        return link.equals(links.get(link.peer())) ? locator.apply(link) : null;
    }

    /** The link for one datagram, which is not kept when its connection ends; null if there is no way to the peer. */
    public @Nullable NettyLink wayTo(Gid peer) {
        NettyLink link = at(peer);
        if (link == null) {
            NettyLink fresh = new NettyLink(lane, this, peer);
            if (fresh.isLocated(locator.apply(fresh))) {
                links.put(peer, fresh);
                link = fresh;
            }
        } else if (locating) {
            link.takeAnyLife();
        }
        return link;
    }

    /** The link to the peer if there is one, or it is a device of this fabric. */
    @Nullable
    public NettyLink at(Gid peer) {
        LinkTable neighbour = neighbours.at(peer);
        return neighbour == null ? links.get(peer) : linkOf(neighbour);
    }

    /** The link to a device of this fabric; one to a device in another JVM that has the same GID, and is connected, stands. */
    NettyLink linkOf(LinkTable neighbour) {
        NettyLink link = links.get(neighbour.gid());
        if (link != null && (link.isOf(neighbour.incarnation()) ? link.isStanding() : link.connection() != null)) {
            return link;
        }
        NettyLink fresh = linkOf(neighbour.gid(), neighbour.incarnation());
        fresh.serveBy(this, neighbour);
        return fresh;
    }

    /** A device of this fabric has come; the link that has waited for it, if there is one, leads there. */
    void hasCome(LinkTable neighbour) {
        if (links.containsKey(neighbour.gid())) {
            linkOf(neighbour);
        }
    }

    /** A device of this fabric is closed. */
    void hasGone(LinkTable neighbour) {
        NettyLink link = links.get(neighbour.gid());
        if (link != null && link.isServedBy(neighbour)) {
            link.sever();
            forget(link);
            lost(link, true);
        }
    }

    /**
     * The link over which packets of a device of this fabric arrive, that may be closing and send what it still has to.
     *
     * @return null if its next life has been met, or another device of its GID is connected
     */
    @Nullable
    NettyLink backTo(LinkTable neighbour) {
        NettyLink link = links.get(neighbour.gid());
        if (link == null || !link.hasLife() || neighbour.intake().isOpen()) {
            link = linkOf(neighbour);
        }
        return link.isServedBy(neighbour) ? link : null;
    }

    /** Whether the peer has been connected and no later incarnation has, or is a device of this fabric. */
    public boolean hasMet(Gid peer) {
        NettyLink link = at(peer);
        return link != null && link.hasLife();
    }

    /** The answer to a dialler with this hello. */
    public Verdict judge(Hello dialler) {
        if (dialler.gid().equals(own)) {
            return Verdict.OWN_GID;
        }
        NettyLink link = at(dialler.gid());
        if (link == null || !link.isStanding()) {
            return Verdict.WELCOME;
        }
        if (!link.isOf(dialler.incarnation())) {
            return Verdict.OTHER_LIFE_CONNECTED;
        }
        Connection standing = link.connection();
        boolean proven = standing != null && !standing.isDialled() && dialler.ticket() == link.ticket();
        return proven ? Verdict.WELCOME : Verdict.ALREADY_CONNECTED;
    }

    /** Whether a dial that was welcomed by the peer shall give way to the connection that the peer dialled. */
    public boolean givesWay(NettyLink link) {
        Connection standing = link.connection();
        return standing != null && !standing.isDialled() && own.compareTo(link.peer()) > 0;
    }

    /** Whether a dial that is welcomed takes the place of the connection that the peer dialled meanwhile. */
    boolean replacesWhenDialled(NettyLink link) {
        Connection standing = link.connection();
        return standing != null && !standing.isDialled() && own.compareTo(link.peer()) < 0;
    }

    /** The link to the life of the peer that the hello names; one to an earlier life is severed. */
    public NettyLink linkOf(Hello hello) {
        return linkOf(hello.gid(), hello.incarnation());
    }

    private NettyLink linkOf(Gid peer, long life) {
        NettyLink link = links.get(peer);
        if (link == null || !link.isOf(life)) {
            if (link != null) {
                link.sever();
                lost(link, true);
            }
            link = new NettyLink(lane, this, peer);
            links.put(peer, link);
        }
        link.bindTo(life);
        return link;
    }

    /** Whether the port has its cable, without which no link has a connection. */
    public boolean isPlugged() {
        return carrier.isPlugged();
    }

    /** Takes the cable away, with all connections, or brings it back: then those links are dialled that this end had dialled. */
    public void plug(boolean value) {
        carrier.plug(value);
        List.copyOf(links.values()).forEach(value ? NettyLink::dialAgain : NettyLink::unplug);
    }

    /** Whether there is a connection at all. */
    Carrier carrier() {
        return carrier;
    }

    /** The link's ticket, drawn if it has none. */
    public long ticketOf(NettyLink link) {
        if (link.ticket() == 0) {
            link.agreeOn(tickets.getAsLong());
        }
        return link.ticket();
    }

    /** Unauthenticated peers may use any GID: a link that only they used is removed with them. */
    void forget(NettyLink link) {
        links.remove(link.peer(), link);
    }

    /** The same, but its peer may come back soon, and is watched; if there are many such, the oldest goes. */
    void linger(NettyLink link) {
        lingering.add(link);
        if (lingering.size() > TransportLimits.MOST_LINGERING_LINKS) {
            lingering.iterator().next().loseNow();
        }
    }

    /** The link is connected again. */
    void stay(NettyLink link) {
        lingering.remove(link);
    }

    /**
     * The link had no connection for too long, or will not have one.
     *
     * @param isGone whether its peer is gone
     */
    void lost(NettyLink link, boolean isGone) {
        if (lingering.remove(link)) {
            forget(link);
        }
        if (link.isPeerWatched()) {
            link.mindNoMore();
            carrier.lost(link.peer(), isGone);
        }
    }

    Grace newGrace(Runnable then) {
        return new Grace(lane, graceNanos, then);
    }

    /** No connection refers to this memory from now on. */
    public void letGo(ByteBuffer memory) {
        // A connection that cannot do without it ends, and its link may leave the table.
        for (NettyLink link : List.copyOf(links.values())) {
            Connection standing = link.connection();
            if (standing != null) {
                standing.letGo(memory);
            }
        }
    }

    /**
     * Each link still sends what it was asked to send before, and is severed then; who is dialled anew, or has no connection, loses
     * it.
     *
     * @param then is called when there is no link any more
     */
    public void finishAll(Runnable then) {
        whenFinished = then;
        List.copyOf(links.values()).forEach(NettyLink::finish);
        if (links.isEmpty()) {
            then.run();
        }
    }

    /** The link has nothing more to send. */
    void finished(NettyLink link) {
        link.sever();
        forget(link);
        lingering.remove(link);
        if (links.isEmpty()) {
            whenFinished.run();
        }
    }

    /** Whether a link sends over the channel. */
    public boolean areServedBy(Channel channel) {
        return links.values().stream().anyMatch(link -> link.isServedBy(channel));
    }

    /** No link carries anything from now on. */
    public void severAll() {
        for (NettyLink link : links.values()) {
            link.sever();
        }
        links.clear();
        lingering.clear();
    }
}
