// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Req;

/**
 * What an identifier that listens does with requests of peers: it brings each a new identifier, as long as there is room. A request
 * that finds none is as good as lost on the way, and its repeat may find some (CM-17, CM-24). On the lane.
 */
final class Listener {

    private final CmAgent agent;
    private final Identifier identifier;
    private final int backlog;
    private final boolean refusesRest;
    private int waiting;

    Listener(CmAgent agent, Identifier identifier, int backlog, boolean refusesRest) {
        this.agent = agent;
        this.identifier = identifier;
        this.backlog = backlog <= 0 ? CmId.MOST_BACKLOG : Math.min(backlog, CmId.MOST_BACKLOG);
        this.refusesRest = refusesRest;
    }

    CmOptions options() {
        return identifier.options();
    }

    /** Somebody asks for a connection. */
    void requested(Gid source, Req req, long transactionId) {
        if (hasRoom(agent.connections().halfOpenCount())) {
            IpHeader header = IpHeader.parse(req.privateData());
            Identifier brought = identifier.brought(source, header.sourcePort());
            brought.dialogue().begin(source, req, transactionId);
            bring(brought, Negotiation.shown(req));
        } else if (refusesRest) {
            agent.refuse(source, req, transactionId, RequestChecks.refusal(RejectReason.NO_RESOURCES));
        }
    }

    /** Somebody asks for a queue pair. */
    void requested(Datagrams.Asked question) {
        if (hasRoom(agent.datagrams().askedCount())) {
            Octets said = question.request().privateData();
            Identifier brought =
                    identifier.brought(question.source(), IpHeader.parse(said).sourcePort());
            brought.dialogue().begin(question);
            bring(
                    brought,
                    ConnectionParameters.NONE.privateData(
                            IpHeader.userData(said).toBytes()));
        }
    }

    private boolean hasRoom(int halfOpen) {
        if (waiting >= backlog) {
            agent.decided("CM-17");
            return false;
        }
        if (halfOpen >= options().mostHalfOpen() || !agent.hasRoom(options())) {
            agent.decided("CM-24");
            return false;
        }
        return true;
    }

    private void bring(Identifier brought, ConnectionParameters shown) {
        waiting++;
        identifier.bring(brought, () -> {
            waiting--;
            return requestOf(brought, shown);
        });
    }

    private CmEvent requestOf(Identifier brought, ConnectionParameters shown) {
        String why = "a peer asks for a connection";
        CmEventType type = CmEventType.CONNECT_REQUEST;
        return new CmEvent(identifier, brought.face(), identifier.face(), type, 0, shown, 0, null, why);
    }
}
