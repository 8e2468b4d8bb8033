// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.message.InboundMessage;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * The requests that have an answer of their own and not only an acknowledgement: READ, atomics, ATOMIC_WRITE and FLUSH. Each takes
 * one of the responder's resources, so that it can be answered again (DUP-02 to DUP-04).
 */
final class AnsweredRequests {

    private static final int WORD_BYTES = 8;

    private final QpContext qp;
    private final ResponderOutbox outbox;
    private final ResponderResources resources;

    AnsweredRequests(QpContext qp, ResponderOutbox outbox, ResponderResources resources) {
        this.qp = qp;
        this.outbox = outbox;
        this.resources = resources;
    }

    /** Why the device does not know such a request; null if it does (NW-04). */
    @Nullable
    Denial unknown(Packet packet) {
        Operation operation = Operation.of(packet.opcode());
        if (!qp.device().can(operation.capability)) {
            return Denial.invalidRequest(Rule.NW_04, "%s is not supported", packet.opcode());
        }
        return operation.effect == Effect.FLUSH && packet.flushType() == 0
                ? Denial.invalidRequest(Rule.NW_02, "%s says neither global nor persistent", packet.opcode())
                : null;
    }

    /** Why no resource is left for the request; null if one is (DUP-06). */
    @Nullable
    Denial lackOfResources(Packet packet) {
        qp.decided(Rule.DUP_06);
        if (resources.free() != null) {
            return null;
        }
        qp.decided(Rule.WR_33);
        return Denial.invalidRequest(
                Rule.WC_27,
                "%s is one more than max_dest_rd_atomic=%d outstanding READs and atomics; give the requester a max_rd_atomic"
                        + " that is not larger than the responder's max_dest_rd_atomic",
                packet.opcode(),
                resources.capacity());
    }

    /** Says of a request that begins which bytes it means, where the packet does not. */
    void scope(Packet packet, InboundMessage message) {
        message.leftBytes = switch (Operation.of(packet.opcode()).effect) {
            case ATOMIC -> WORD_BYTES;
            case FLUSH ->
                packet.flushLevel() == FlushTarget.REGION ? scopeOfRegion(packet, message) : message.leftBytes;
            case READ, ATOMIC_WRITE -> message.leftBytes;
            case RECEIVE, WRITE, BIND, INVALIDATE, NOTHING -> throw notAnswered(packet);
        };
    }

    /** Address and length of the packet mean nothing: it is all that its key leads to, whose length is returned. */
    private long scopeOfRegion(Packet packet, InboundMessage message) {
        RemoteTarget all = qp.keys().target(packet.remoteKey());
        message.address = all == null ? 0 : all.firstAddress();
        return all == null ? 0 : all.boundBytes();
    }

    private static IllegalStateException notAnswered(Packet packet) {
        return new IllegalStateException(packet + " has no answer of its own");
    }

    /** How many packet sequence numbers the answer has. */
    int packetsOf(Packet packet) {
        return switch (Operation.of(packet.opcode()).effect) {
            case READ -> Psn.packets(Integer.toUnsignedLong(packet.dmaLengthBytes()), qp.pathMtuBytes());
            case ATOMIC, ATOMIC_WRITE, FLUSH -> 1;
            case RECEIVE, WRITE, BIND, INVALIDATE, NOTHING -> throw notAnswered(packet);
        };
    }

    /** Executes what is allowed and has a resource; null if it could be done. */
    @Nullable
    Denial execute(Packet packet, InboundMessage message) {
        ResponderResource resource = resources.free();
        if (resource == null) {
            throw new IllegalStateException(packet + " has no resource");
        }
        Denial denial = switch (Operation.of(packet.opcode()).effect) {
            case READ -> read(packet, message, resource);
            case ATOMIC -> atomic(packet, resource);
            case ATOMIC_WRITE -> atomicWrite(packet, resource);
            case FLUSH -> flush(packet, message, resource);
            case RECEIVE, WRITE, BIND, INVALIDATE, NOTHING -> throw notAnswered(packet);
        };
        if (denial == null) {
            resources.take();
        }
        return denial;
    }

    private @Nullable Denial read(Packet packet, InboundMessage message, ResponderResource resource) {
        qp.decided(Rule.ORD_12);
        qp.decided(Rule.ORD_33);
        qp.decided(Rule.WR_32);
        resource.read(packet, packetsOf(packet), message.binding, message.receives.user());
        return null;
    }

    private @Nullable Denial atomic(Packet packet, ResponderResource resource) {
        qp.decided(Rule.ORD_37);
        qp.decided(Rule.WR_36);
        qp.decided(Rule.WR_37);
        try {
            resource.atomic(packet, qp.sgeAccess().atomic(packet));
            return null;
        } catch (RuntimeException | InternalError e) {
            return unusable(Rule.WR_37, packet, e);
        }
    }

    private @Nullable Denial atomicWrite(Packet packet, ResponderResource resource) {
        qp.decided(Rule.NW_01);
        try {
            outbox.fetchBefore(qp.sgeAccess().memoryAddressOf(packet.remoteKey(), packet.remoteAddress()));
            qp.sgeAccess().atomicWrite(packet);
            resource.withoutData(packet);
            return null;
        } catch (RuntimeException | InternalError e) {
            return unusable(Rule.NW_01, packet, e);
        }
    }

    private @Nullable Denial flush(Packet packet, InboundMessage message, ResponderResource resource) {
        qp.decided(Rule.NW_02);
        try {
            boolean persistent = (packet.flushType() & FlushTarget.PERSISTENT) != 0;
            qp.sgeAccess().flush(message.key, message.address, message.leftBytes, persistent, packet.psn());
            resource.withoutData(packet);
            return null;
        } catch (RuntimeException | InternalError e) {
            return unusable(Rule.NW_02, packet, e);
        }
    }

    private static Denial unusable(Rule rule, Packet packet, Throwable thrown) {
        return Denial.remoteOperational(Refusal.of(
                rule, "the target 0x%x of %s cannot be used: %s", packet.remoteAddress(), packet.opcode(), thrown));
    }
}
