// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.PlainAccess;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.message.InboundMessage;
import dev.verbatim.device.message.ReceiveCompletion;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.operation.Atomic;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.QpType;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The responder's end of the fast path: a plain request is executed without a packet, and where the link has it so, answered at once.
 *
 * <p>Where the link carries bytes, ACKs and the answers to READs and atomics that are one packet go without a packet too.
 *
 * <p>The checks are those of the {@link ResponderStep}s, by the same functions in the same order. What one of them would refuse, and
 * whatever is not plain, is left to {@link Responder#receive} before anything has changed; so no refusal is given here.
 */
final class ResponderFastPath {

    private final QpContext qp;
    private final DeviceContext device;
    private final KeyTable keys;
    private final SgeAccess memory;
    private final Responder responder;
    private final ResponderResources resources;
    private final ResponderOutbox outbox;
    private final boolean isOfPlainType;

    ResponderFastPath(QpContext qp, Responder responder) {
        this.qp = qp;
        this.device = qp.device();
        this.keys = qp.keys();
        this.memory = qp.sgeAccess();
        this.responder = responder;
        this.resources = responder.resources;
        this.outbox = responder.outbox();
        this.isOfPlainType = qp.type() == QpType.RC && !memory.holdsPlacements();
    }

    /** Takes a request; see {@link dev.verbatim.fabric.PacketSink#receivePlain(dev.verbatim.fabric.Link, PlainRequest, boolean)}. */
    boolean receive(PlainRequest in, boolean answersNow) {
        if (!isPlainNow(in, answersNow)) {
            return false;
        }
        return switch (Operation.of(in.opcode).effect) {
            case WRITE -> write(in, answersNow);
            case RECEIVE -> send(in, answersNow);
            case READ -> read(in, answersNow);
            case ATOMIC -> atomic(in, answersNow);
            case ATOMIC_WRITE, FLUSH, BIND, INVALIDATE, NOTHING -> false;
        };
    }

    /** What has to hold of the queue pair; expected PSN, opcode sequence and length are checked here (H3-2, H3-3, H3-5). */
    private boolean isPlainNow(PlainRequest in, boolean answersNow) {
        return isOfPlainType
                && !device.isObserved()
                && qp.answersAsUsual()
                && responder.expects(in.psn)
                && responder.message.kind == InboundMessage.Kind.NONE
                && in.lengthBytes <= qp.pathMtuBytes()
                && (!answersNow || outbox.isEmpty());
    }

    private boolean write(PlainRequest in, boolean answersNow) {
        RemoteTarget target = allowed(AccessOperation.RDMA_WRITE, in);
        if (target == null || !PlainAccess.place(target, in)) {
            return false;
        }
        responder.executed();
        acknowledge(in, answersNow);
        return true;
    }

    private boolean send(PlainRequest in, boolean answersNow) {
        ReceiveWqe receive = qp.receives().oldest();
        if (receive == null || memory.checkReceive(receive.elements()) != null) {
            return false;
        }
        RemoteTarget room = PlainAccess.room(keys, receive.elements(), in.lengthBytes);
        if (room == null || !PlainAccess.place(room, receive.elements(), in)) {
            return false;
        }
        qp.receives().take();
        responder.executed();
        ReceiveCompletion.addPlain(qp, in.lengthBytes);
        acknowledge(in, answersNow);
        return true;
    }

    private boolean read(PlainRequest in, boolean answersNow) {
        ResponderResource resource = resources.free();
        RemoteTarget target = resource == null ? null : allowed(AccessOperation.RDMA_READ, in);
        if (resource == null || target == null || (answersNow && !PlainAccess.show(target, in))) {
            return false;
        }
        resource.read(in, target.binding(), qp.receives().user());
        answer(resource, in, answersNow);
        return true;
    }

    private boolean atomic(PlainRequest in, boolean answersNow) {
        ResponderResource resource = resources.free();
        RemoteTarget target = resource == null ? null : allowed(AccessOperation.ATOMIC, in);
        if (resource == null || target == null) {
            return false;
        }
        try {
            if (!PlainAccess.isUsableWord(target, in)) {
                return false;
            }
            Atomic change = Objects.requireNonNull(Operation.of(in.opcode).atomic);
            in.originalData = memory.atomic(target, in.remoteAddress, change, in.compare, in.swapOrAdd);
        } catch (RuntimeException | InternalError e) {
            return false;
        }
        resource.atomic(in, in.originalData);
        answer(resource, in, answersNow);
        return true;
    }

    /** Fills the next answer; see {@link dev.verbatim.fabric.PacketSource#pull(PlainAnswer)}. */
    boolean pull(PlainAnswer out) {
        if (!answersPlainNow()) {
            return false;
        }
        out.destQp = qp.destinationQp();
        out.messageSequence = responder.messageSequence;
        ResponderResource resource = resources.oldestPending();
        if (resource == null ? !outbox.pullAck(out) : !respond(resource, out)) {
            return false;
        }
        device.countFastPathAnswerSent();
        return true;
    }

    /** What has to hold of the queue pair when it answers. */
    private boolean answersPlainNow() {
        return isOfPlainType && !device.isObserved() && qp.answersAsUsual() && !outbox.fetchesInParts();
    }

    private boolean respond(ResponderResource resource, PlainAnswer out) {
        if (!resource.isPlainAnswer() || !fill(resource, out)) {
            return false;
        }
        resource.sent(1);
        return true;
    }

    private boolean fill(ResponderResource resource, PlainAnswer out) {
        out.psn = resource.nextPsn();
        if (resource.isAtomic()) {
            out.opcode = Opcode.ATOMIC_ACKNOWLEDGE;
            out.lengthBytes = Long.BYTES;
            out.originalData = resource.originalData();
            return true;
        }
        int mtu = qp.pathMtuBytes();
        long address = resource.addressOf(resource.nextPacket(), mtu);
        out.opcode = Opcode.RDMA_READ_RESPONSE_ONLY;
        out.lengthBytes = resource.lengthBytesOf(resource.nextPacket(), mtu, 1);
        RemoteTarget target = keys.target(resource.remoteKey());
        return target != null
                && out.lengthBytes > 0
                && ResponderOutbox.denialOf(keys, target, resource, address, out.lengthBytes) == null
                && PlainAccess.show(target, address, out);
    }

    private @Nullable RemoteTarget allowed(AccessOperation operation, PlainRequest in) {
        return PlainAccess.allowed(keys, qp.accessFlags(), qp.receives().user(), operation, in);
    }

    private void answer(ResponderResource resource, PlainRequest in, boolean answersNow) {
        responder.executed();
        device.countFastPathTaken(answersNow);
        if (answersNow) {
            resources.takeAnswered();
            resource.sent(1);
            in.isAnswered = true;
        } else {
            resources.take();
            outbox.respond();
        }
    }

    /** Requests that are one packet ask for an acknowledgement. */
    private void acknowledge(PlainRequest in, boolean answersNow) {
        device.countFastPathTaken(answersNow);
        if (answersNow) {
            in.isAnswered = true;
        } else {
            outbox.acknowledge(in.psn);
        }
    }
}
