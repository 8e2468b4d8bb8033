// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.device.event.EmulatedAsyncEvent;
import dev.verbatim.device.event.EventElement;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** State, attributes and link of a queue pair: they stand in its {@link QpContext}, and are changed here and nowhere else, on the lane. */
final class QpLifecycle {

    private final QpContext qp;
    private final DeviceContext device;
    private final EventElement element;
    private final AsyncEventQueue events;

    /** Events that may be wanted when there is no heap to make them. */
    private @Nullable EmulatedAsyncEvent preparedFatal;

    private @Nullable EmulatedAsyncEvent preparedLastWqe;
    private boolean communicationEstablished;

    /** Why a step ended the queue pair's work; null if none did. */
    private @Nullable Refusal failure;

    /** What took it to ERR or SQE first: the cause of whatever is flushed; null where it never was there. */
    private @Nullable Refusal root;

    /**
     * Of a queue pair in RESET.
     *
     * @param element what its events are about
     */
    QpLifecycle(QpContext qp, EventElement element, AsyncEventQueue events) {
        this.qp = qp;
        this.device = qp.device();
        this.element = element;
        this.events = events;
        prepareForFailure();
    }

    QpAttributes query() {
        return new QpAttributes(qp.attributes)
                .state(qp.state)
                .currentState(qp.state)
                .draining(qp.draining)
                .reason(qp.state == QpState.ERR || qp.state == QpState.SQE ? root : null);
    }

    /** Checks a modify, all of it, and then does it (QS-04). */
    void modify(QpAttributes values, int mask) {
        QpAttributes copy = new QpAttributes(values);
        copy.rqPsn(values.rqPsn() & Psn.MASK).sqPsn(values.sqPsn() & Psn.MASK);
        QpState to = (mask & QpAttributeMask.STATE) != 0 ? copy.state() : qp.state;
        qp.decided(Rule.QS_04);
        QpTransitions.check(device.profile(), qp.type(), qp.state, qp.draining, to, mask);
        QpAttributeChecks.check(device.profile(), qp.port().activeMtuBytes(), qp.state, copy, mask);
        int changed = withPort(copy, mask & ~(QpAttributeMask.STATE | QpAttributeMask.CUR_STATE));
        qp.attributes.assign(copy, changed);
        qp.attributesChanged(changed);
        if ((mask & (QpAttributeMask.RQ_PSN | QpAttributeMask.SQ_PSN)) != 0) {
            qp.decided(Rule.QV_05);
        }
        if ((mask & QpAttributeMask.ACCESS_FLAGS) != 0) {
            qp.decided(Rule.QV_08);
        }
        enter(to, mask, copy.reason());
    }

    /**
     * The port and the address vector name one port: in RTR that of the queue pair, while in SQD either takes the queue pair to another one
     * (QV-13).
     *
     * @return the attributes that change: in SQD each of the two brings the other
     */
    private int withPort(QpAttributes values, int mask) {
        AddressVector now = qp.attributes.addressVector();
        if ((mask & QpAttributeMask.AV) == 0) {
            if ((mask & QpAttributeMask.PORT) == 0 || now == null) {
                return mask;
            }
            values.addressVector(now.withPort(values.portNumber()));
            return mask | QpAttributeMask.AV;
        }
        AddressVector vector = Objects.requireNonNull(values.addressVector());
        boolean moves = qp.state == QpState.SQD && (mask & QpAttributeMask.PORT) == 0;
        int port = moves ? vector.portNumber() : namedPort(values, mask);
        if (vector.portNumber() != port) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QV_13,
                    "ah_attr.port_num=%d but port_num=%d of qp %d; give both the same",
                    vector.portNumber(),
                    port,
                    qp.number());
        }
        values.portNumber(port);
        return mask | QpAttributeMask.PORT;
    }

    private int namedPort(QpAttributes values, int mask) {
        return (mask & QpAttributeMask.PORT) == 0 ? qp.port().number() : values.portNumber();
    }

    private void enter(QpState to, int mask, @Nullable Refusal reason) {
        QpState from = qp.state;
        if (to == QpState.ERR) {
            if (from == QpState.RESET) {
                qp.decided(Rule.QS_07);
            }
            end(reason);
            return;
        }
        if (to == QpState.RESET) {
            letGo();
        }
        changeState(to, null);
        switch (to) {
            case RESET -> {
                qp.decided(Rule.QP_24);
                forgetConnection();
                prepareForFailure();
                qp.windows().beginNewLife();
            }
            case RTR -> {
                connect();
                qp.engine().beginReceiving();
            }
            case RTS -> {
                if (from == QpState.RTR) {
                    qp.engine().beginSending();
                } else if (from != QpState.RTS) {
                    qp.engine().resumeSending();
                }
                qp.announceRequests();
            }
            case SQD -> drain(from, mask);
            default -> {}
        }
    }

    private void drain(QpState from, int mask) {
        if (from == QpState.SQD) {
            if ((mask & (QpAttributeMask.AV | QpAttributeMask.PORT)) != 0) {
                qp.decided(Rule.QV_13);
                connect();
            }
            if ((mask & QpAttributeMask.MAX_DEST_RD_ATOMIC) != 0) {
                qp.engine().resizeResponderResources();
            }
            return;
        }
        if ((mask & QpAttributeMask.EN_SQD_ASYNC_NOTIFY) == 0) {
            qp.attributes.notifyDrained(false);
        }
        qp.draining = true;
        drainProgressed();
    }

    private void connect() {
        AddressVector vector = qp.attributes.addressVector();
        qp.link = vector == null ? null : qp.linkTo(vector.destination());
        qp.moved(qp.link, vector);
        qp.announceRequests();
        qp.announceResponses();
        if (qp.type() == QpType.UD) {
            qp.attributes.pathMtu(PathMtu.ofBytes(qp.port().activeMtuBytes()));
            qp.attributesChanged(QpAttributeMask.PATH_MTU);
        }
        if (vector != null) {
            qp.trace().connected(vector, qp.attributes.destinationQp());
            if (vector.destination().equals(qp.port().gid()) && qp.attributes.destinationQp() == qp.number()) {
                qp.decided(Rule.QV_12);
            }
        }
    }

    /** The device fails: completions that were held come now, or never. */
    void showCompletions() {
        CompletionOutput sends = qp.sendCompletions();
        if (sends != null) {
            sends.showHeld();
        }
        qp.receives().showCompletions();
    }

    /** What is posted in ERR is flushed, for the reason that led there if that was a step that threw (QP-23). */
    void flushPosted() {
        if (failure == null) {
            Flush.of(qp, root);
        } else {
            Flush.of(qp, failure, WcStatus.WR_FLUSH_ERR);
        }
    }

    /** What a step that throws would need. */
    private void prepareForFailure() {
        if (preparedFatal == null) {
            preparedFatal = new EmulatedAsyncEvent(EventType.QP_FATAL, element, 0, null);
        }
        if (preparedLastWqe == null && qp.receives().isShared()) {
            preparedLastWqe = new EmulatedAsyncEvent(EventType.QP_LAST_WQE_REACHED, element, 0, null);
        }
    }

    /** What took it to ERR or SQE; null if it was in neither since it left RESET. */
    @Nullable
    Refusal root() {
        return root;
    }

    /** The end, in whatever state. */
    void end() {
        letGo();
        changeState(QpState.RESET, null);
        forgetConnection();
    }

    /** RESET: queues, counters and attributes are as new, and completions of this queue pair are gone (QP-24). */
    private void forgetConnection() {
        qp.engine().stop();
        qp.forgetWork();
        qp.attributes = new QpAttributes();
        qp.attributesChanged(QpContext.ALL_ATTRIBUTES);
        qp.link = null;
        qp.moved(null, null);
        qp.draining = false;
        communicationEstablished = false;
        failure = null;
        root = null;
    }

    /**
     * The link sends what is owed and has waited. Then programs have their buffers back: what is on its way between them and the link goes
     * on with bytes of its own.
     */
    private void letGo() {
        if (qp.link != null) {
            qp.link.letGo();
        }
    }

    private void changeState(QpState to, @Nullable Refusal reason) {
        QpState from = qp.state;
        qp.state = to;
        qp.trace().stateChanged(from, to, reason);
    }

    /** To ERR by a program, perhaps for a reason that it gives. */
    private void end(@Nullable Refusal reason) {
        if (reason == null) {
            qp.trace().endedByProgram();
        }
        Refusal cause =
                reason != null ? reason : Refusal.of(Rule.QP_22, "a program set qp %d to ERR by modify", qp.number());
        fail(cause, reason, () -> {});
    }

    /**
     * To ERR: {@code tell} brings the completion or event that says why, then whatever is queued is flushed, in order
     * (QP-22). In between another thread may look: whoever knows of the failure finds the queue pair in ERR.
     */
    void fail(Refusal reason, Runnable tell) {
        if (qp.state != QpState.ERR) {
            qp.decided(Rule.WC_05);
            fail(reason, reason, tell);
        }
    }

    /** The same for a cause that the change of state tells, or does not because a program wanted it. */
    private void fail(Refusal cause, @Nullable Refusal told, Runnable tell) {
        if (qp.state == QpState.ERR) {
            return;
        }
        root = cause;
        letGo();
        changeState(QpState.ERR, told);
        qp.draining = false;
        qp.engine().stopAfterError();
        Flush.ofExecuted(qp, cause);
        tell.run();
        Flush.of(qp, cause);
        if (qp.receives().isShared()) {
            // What it had taken is flushed, and in ERR it takes nothing more.
            qp.decided(Rule.QP_25);
            qp.decided(Rule.SRQ_03);
            qp.raise(EventType.QP_LAST_WQE_REACHED, null);
        }
    }

    /**
     * To ERR since a step threw something, perhaps in the middle of {@link #fail}: whatever is queued is flushed for that reason,
     * and an event tells it (AE-02), since there may be no completion that does. It makes nothing that was not made before, and
     * may be called again if it throws.
     *
     * @param withDevice whether the device fails, and tells it (WC-42, AE-12)
     */
    void endAfter(Refusal reason, boolean withDevice) {
        if (qp.state != QpState.ERR) {
            root = reason;
            changeState(QpState.ERR, reason);
        }
        qp.draining = false;
        try {
            letGo();
            qp.engine().stopAfterError();
        } catch (RuntimeException | Error e) {
            device.stepFailures().alsoThrown(e);
        }
        failure = reason;
        Flush.of(qp, reason, withDevice ? WcStatus.FATAL_ERR : WcStatus.WR_FLUSH_ERR);
        if (withDevice) {
            showCompletions();
        }
        if (preparedFatal != null && !withDevice) {
            events.occurred(preparedFatal.because(reason));
            preparedFatal = null;
        }
        if (preparedLastWqe != null) {
            events.occurred(preparedLastWqe);
            preparedLastWqe = null;
        }
    }

    /** To SQE, where UC and UD go when a request of theirs fails: it receives on, and what it would send is flushed (QS-06). */
    void failSending(Refusal reason, Runnable tell) {
        qp.decided(Rule.WC_05);
        qp.decided(Rule.QS_06);
        root = reason;
        changeState(QpState.SQE, reason);
        qp.draining = false;
        tell.run();
        Flush.ofSends(qp, reason);
    }

    /**
     * In SQD the requests that were started finish, and an event says when they have, if that was asked for or the device always
     * does (QP-26).
     */
    private void drainProgressed() {
        if (qp.draining && qp.state() == QpState.SQD && !qp.engine().isOutstanding()) {
            qp.draining = false;
            qp.decided(Rule.QP_26);
            if (qp.attributes().notifyDrained()
                    || qp.device().profile().completions().drainAlwaysTold()) {
                qp.raise(EventType.SQ_DRAINED, null);
            }
        }
    }

    /** A request has finished, and perhaps it was the last that a drain waits for. */
    void requestFinished() {
        drainProgressed();
    }

    /** Whether the next request is taken and answered like those after it; the first one in RTR is an event of its own. */
    boolean answersAsUsual() {
        QpState state = qp.state();
        return state == QpState.RTS || (state == QpState.RTR && communicationEstablished);
    }

    /** A packet came in RTR; the first one is an event of its own (QP-27). */
    void heard(Packet packet) {
        if (!communicationEstablished && qp.engine().expects(packet)) {
            communicationEstablished = true;
            qp.decided(Rule.QP_27);
            if (device.choose(ChoicePoint.COMMUNICATION_ESTABLISHED, 2) == 0) {
                qp.raise(EventType.COMM_EST, null);
            }
        }
    }
}
