// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.receive.ElementChecks;
import dev.verbatim.device.receive.OwnReceives;
import dev.verbatim.device.receive.ReceiveQueue;
import dev.verbatim.operation.Operation;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.verbs.Datagram;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What posting refuses at once; keys and ranges are not looked at before a request executes (MR-40). */
final class PostChecks {

    private static final int ALL_FLUSH_TYPES = FlushTarget.GLOBAL | FlushTarget.PERSISTENT;

    private final QpContext qp;
    private final DeviceContext device;
    private final QpType type;
    private final SendQueue sendQueue;
    private final int maxSendSge;
    private final Set<Operation> postable;

    PostChecks(QpContext qp) {
        this.qp = qp;
        this.device = qp.device();
        this.type = qp.type();
        this.sendQueue = qp.sendQueue();
        this.maxSendSge = sendQueue.maxSge();
        this.postable = Operation.over(type);
    }

    /** Checks a request; returns why it will fail all the same when its turn comes, and null if it is fit. */
    @Nullable
    Refusal checkSend(SendWorkRequest request, Operation operation, int index) {
        long lengthBytes = ElementChecks.requireElements(request, index);
        if (postable.contains(operation)) {
            checkFit(request, operation, lengthBytes, index);
            return null;
        }
        Refusal illegal = illegal(type, operation);
        if (sendQueue.capacity() == 0
                || device.profile().posting().illegalOpcode() == PostingSwitches.IllegalOpcode.EINVAL) {
            throw VerbsException.ofRequest(Errno.EINVAL, illegal, index);
        }
        qp.decided(illegal.brokenRule());
        checkData(request, operation, lengthBytes, index);
        return illegal;
    }

    private void checkFit(SendWorkRequest request, Operation operation, long lengthBytes, int index) {
        if (!device.can(operation.capability)) {
            throw refuse(
                    index, Rule.NW_04, "profile %s has no %s", device.profile().name(), operation);
        }
        Refusal wrong = switch (operation.effect) {
            case ATOMIC -> wrongInAtomic(device.profile(), request);
            case ATOMIC_WRITE -> wrongInWord(request);
            case FLUSH -> wrongInTarget(request.flushTarget());
            case BIND -> {
                WindowPosting.checkRequest(device, request, index);
                yield null;
            }
            case RECEIVE, WRITE, READ, INVALIDATE, NOTHING -> null;
        };
        if (wrong != null) {
            throw VerbsException.ofRequest(Errno.EINVAL, wrong, index);
        }
        if (type == QpType.UD) {
            checkDatagram(device, request.datagram(), index);
        }
        checkData(request, operation, lengthBytes, index);
    }

    private static @Nullable Refusal wrongInWord(SendWorkRequest request) {
        return request.lengthBytes() == Long.BYTES
                ? null
                : Refusal.of(Rule.NW_01, "%s: an ATOMIC_WRITE is of 8 bytes", request);
    }

    private static @Nullable Refusal wrongInAtomic(DeviceProfile profile, SendWorkRequest request) {
        if (profile.posting().atomicSizeRefusedAtPost() && !AtomicSize.isLegal(profile, request.lengthBytes())) {
            return Refusal.of(Rule.WR_34, "%s: an atomic needs elements of 8 bytes in all", request);
        }
        if (profile.posting().misalignedAtomicRefusedAtPost() && request.remoteAddress() % Long.BYTES != 0) {
            return Refusal.of(
                    Rule.WR_35, "%s: remote address 0x%x is no multiple of 8", request, request.remoteAddress());
        }
        return null;
    }

    private static @Nullable Refusal wrongInTarget(@Nullable FlushTarget target) {
        if (target == null) {
            return Refusal.of(Rule.NW_02, "the FLUSH does not say what it is to reach; post SendWorkRequest.flush");
        }
        if ((target.type() & ALL_FLUSH_TYPES) == 0 || (target.type() & ~ALL_FLUSH_TYPES) != 0) {
            return Refusal.of(Rule.NW_02, "placement type=0x%x is no set of GLOBAL=1 and PERSISTENT=2", target.type());
        }
        if (target.level() != FlushTarget.RANGE && target.level() != FlushTarget.REGION) {
            return Refusal.of(Rule.NW_02, "level=%d is neither RANGE=0 nor REGION=1", target.level());
        }
        return null;
    }

    private void checkData(SendWorkRequest request, Operation operation, long lengthBytes, int index) {
        if (operation.effect.hasNoData) {
            // Elements and INLINE mean nothing to them (MW-22, WR-39).
            return;
        }
        ElementChecks.checkCount(request.elementCount(), maxSendSge, "max_send_sge", index);
        if (lengthBytes > DeviceLimits.MAX_MESSAGE_BYTES) {
            throw refuse(index, Rule.WR_17, "message length=%d > 2^31", lengthBytes);
        }
        if (request.has(SendFlags.INLINE)) {
            checkInline(operation, lengthBytes, index);
        }
    }

    /** Whether a send gets into its queue; what is posted too early is refused, or on some devices lost (QP-20). */
    boolean sendEnters(Rule rule, String verb, int index) {
        QpState state = qp.state();
        boolean early = state == QpState.RESET || state == QpState.INIT || state == QpState.RTR;
        return !early || entersEarly(rule, verb, QpState.RTS, index);
    }

    /** Whether a receive gets into its queue; what is posted too early is refused, or on some devices lost (QP-21). */
    boolean receiveEnters(int index) {
        return qp.state() != QpState.RESET || entersEarly(Rule.QP_21, "post_recv", QpState.INIT, index);
    }

    private boolean entersEarly(Rule rule, String verb, QpState ready, int index) {
        PostingSwitches.LaxPost lax = device.profile().posting().laxPost();
        if (lax == PostingSwitches.LaxPost.NO) {
            throw refuse(index, rule, "%s in state %s; bring the queue pair to %s first", verb, qp.state(), ready);
        }
        qp.decided(rule);
        return lax == PostingSwitches.LaxPost.DEFER;
    }

    /** Whether a window of type 1 can be bound over a queue pair of this type. */
    void checkBindable() {
        if (!postable.contains(Operation.BIND_MW)) {
            throw refuse(0, Rule.MW_16, "bind_mw over a queue pair of type %s; RC, UC and XRC_SEND have it", type);
        }
    }

    /** Why a queue pair of this type does not have such requests (E.1). */
    private static Refusal illegal(QpType type, Operation operation) {
        boolean invalidates = operation == Operation.SEND_WITH_INV && (type == QpType.UC || type == QpType.UD);
        return Refusal.of(
                invalidates ? Rule.MW_90 : Rule.WR_01,
                "%s cannot be posted to this queue pair of type %s",
                operation,
                type);
    }

    /** A datagram says where it goes, by a handle of this device that is there; whose domain it is of is looked at later (WR-41). */
    private static void checkDatagram(DeviceContext device, @Nullable Datagram datagram, int index) {
        if (datagram == null) {
            throw refuse(
                    index, Rule.WR_41, "a request of type UD needs an address handle; say to whom it goes with to(..)");
        }
        if (!(datagram.addressHandle() instanceof EmulatedAddressHandle own)
                || own.domain().device() != device) {
            throw refuse(index, Rule.WR_41, "%s is not of device %s", datagram.addressHandle(), device.name());
        }
        if (!own.isOpen()) {
            throw refuse(index, Rule.WR_41, "%s was destroyed before", own);
        }
    }

    private void checkInline(Operation operation, long lengthBytes, int index) {
        boolean ofRead =
                operation == Operation.RDMA_READ && device.profile().posting().inlineOnReads();
        if (!ofRead && !operation.mayBeInline) {
            throw refuse(index, Rule.WR_22, "%s has no data to send, so INLINE is not for it", operation);
        }
        if (lengthBytes > sendQueue.maxInlineDataBytes()) {
            throw refuse(
                    index,
                    Rule.WR_22,
                    "inline length=%d > max_inline_data=%d; create the queue pair with more or leave INLINE out",
                    lengthBytes,
                    sendQueue.maxInlineDataBytes());
        }
    }

    void checkReceive(ReceiveQueue queue, ReceiveWorkRequest request, int index) {
        if (!(qp.receives() instanceof OwnReceives)) {
            throw refuse(
                    index,
                    Rule.WR_13,
                    "qp %d of type %s has no receive queue of its own; post to a shared receive queue",
                    qp.number(),
                    type);
        }
        ElementChecks.checkCount(request.elementCount(), queue.maxSge(), "max_recv_sge", index);
        ElementChecks.requireElements(request, index);
    }

    private static VerbsException refuse(int index, Rule rule, String format, Object... values) {
        return VerbsException.ofRequest(Errno.EINVAL, Refusal.of(rule, format, values), index);
    }
}
