// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.CurrentPacket;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.QpType;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import org.jspecify.annotations.Nullable;

/**
 * One of the two packet sources of a queue pair: it asks its engine for requests, or for answers, and is announced to the link when there
 * may be a packet.
 */
public final class PacketOutput implements PacketSource {

    private final QpContext qp;
    private final QpTrace trace;
    private final CurrentPacket currentPacket;
    private final TransportEngine engine;
    private final boolean asks;
    private final boolean isOfDatagrams;
    private @Nullable Link link;
    private @Nullable AddressVector path;
    private boolean announced;
    private boolean pulling;
    private boolean announcedMeanwhile;

    /** Made when it is asked for. */
    private @Nullable String name;

    /**
     * A source that has no packets yet.
     *
     * @param engine fills the packets, and says over which link the next datagram goes; all others go over that of the queue pair
     * @param currentPacket is told which packet is filled
     * @param asks whether they are requests; otherwise they are answers
     */
    PacketOutput(QpContext qp, TransportEngine engine, CurrentPacket currentPacket, boolean asks) {
        this.qp = qp;
        this.trace = qp.trace();
        this.currentPacket = currentPacket;
        this.engine = engine;
        this.asks = asks;
        this.isOfDatagrams = asks && qp.type() == QpType.UD;
    }

    /** There may be something to send. */
    public void announce() {
        Link to = link();
        announcedMeanwhile |= pulling;
        if (!announced && to != null) {
            announced = true;
            try {
                to.ready(this);
            } catch (RuntimeException | Error e) {
                announced = false;
                throw e;
            }
        }
    }

    /** The queue pair has another link, or none: a link that it left passes over it and says nothing. */
    void moved(@Nullable Link now, @Nullable AddressVector vector) {
        link = now;
        path = vector;
        announced = false;
    }

    @Override
    public boolean mayWait() {
        return !asks && engine.responseMayWait();
    }

    @Override
    public boolean hasMore() {
        try {
            return asks ? engine.hasRequest() : engine.hasResponse();
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    public boolean staysAt(@Nullable Link over) {
        if (link() != over) {
            return false;
        }
        announced = asks ? !engine.hasNoRequest() : !engine.hasNoResponse();
        return announced;
    }

    @Override
    public void failed(Throwable thrown) {
        announced = false;
        qp.stepFailed(thrown);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    public boolean pull(Packet packet) {
        announcedMeanwhile = false;
        pulling = true;
        try {
            Link over = link();
            currentPacket.is(packet);
            boolean filled = asks ? engine.pullRequest(packet) : engine.pullResponse(packet);
            pulling = false;
            if (!filled) {
                announced = false;
                if (announcedMeanwhile) {
                    announce();
                }
                return false;
            }
            trace.sent(packet, over);
            if (link() != over) {
                // The next packet goes another way: this link passes over what has left it.
                announced = false;
                announce();
            }
            return true;
        } catch (RuntimeException | Error e) {
            pulling = false;
            failed(e);
            return false;
        }
    }

    @Override
    public boolean begin(PlainRequest request, boolean isAlone) {
        try {
            return asks && engine.beginPlain(request, isAlone);
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    public void handedOver(PlainRequest request) {
        try {
            engine.plainHandedOver(request);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public boolean pull(PlainAnswer answer) {
        try {
            return !asks && engine.pullPlainResponse(answer);
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    public @Nullable Link link() {
        return isOfDatagrams ? engine.requestLink() : link;
    }

    @Override
    public int queuePair() {
        return trace.number();
    }

    @Override
    public @Nullable AddressVector path() {
        return path;
    }

    @Override
    public ChoicePoint point() {
        return asks ? ChoicePoint.REQUEST : engine.responsePoint();
    }

    /** Its name in a simulation. */
    @Override
    public String toString() {
        String known = name;
        if (known == null) {
            known = trace + (asks ? " request" : " response");
            name = known;
        }
        return known;
    }
}
