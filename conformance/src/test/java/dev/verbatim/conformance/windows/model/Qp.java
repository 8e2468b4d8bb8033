// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reliable connection's end, in RESET, RTS or ERR: what lies between does nothing that concerns windows. */
public final class Qp {

    private final Pd pd;
    private final String name;
    private final Deque<Receive> receives = new ArrayDeque<>();
    private final List<Completion> sendCompletions = new ArrayList<>();
    private final List<Completion> receiveCompletions = new ArrayList<>();
    private final List<String> accessEvents = new ArrayList<>();
    private QpState state = QpState.RESET;
    private int access;
    private @Nullable Qp peer;
    private Object connection = this;
    boolean isDestroyed;

    /** Another object in each life (MW-94 to MW-96). */
    Object identity = new Object();

    Qp(Pd pd, String name) {
        this.pd = pd;
        this.name = name;
    }

    /** Its domain. */
    public Pd pd() {
        return pd;
    }

    /** Its device. */
    public Hca hca() {
        return pd.hca();
    }

    /** Its state. */
    public QpState state() {
        return state;
    }

    /** Whether it was destroyed. */
    public boolean isDestroyed() {
        return isDestroyed;
    }

    boolean grants(Operation operation) {
        return (access & operation.right) != 0;
    }

    /** What was put on its send completion queue since the last call. */
    public List<Completion> takeSendCompletions() {
        return take(sendCompletions);
    }

    /** What was put on its receive completion queue since the last call. */
    public List<Completion> takeReceiveCompletions() {
        return take(receiveCompletions);
    }

    /** The rules by which it raised QP_ACCESS_ERR since the last call. */
    public List<String> takeAccessEvents() {
        return take(accessEvents);
    }

    private static <T> List<T> take(List<T> from) {
        List<T> taken = List.copyOf(from);
        from.clear();
        return taken;
    }

    /** Both ends go from RESET to RTS; they grant these rights. */
    public static void join(Qp left, Qp right, int access) {
        left.connect(right, access);
        right.connect(left, access);
        right.connection = left.connection;
    }

    private void connect(Qp to, int granted) {
        state = QpState.RTS;
        peer = to;
        access = granted;
        connection = new Object();
    }

    /** Who answers; null if nobody does, or somebody who was not meant. */
    @SuppressWarnings("ReferenceEquality") // One object for the two ends of a connection.
    @Nullable
    Qp responder() {
        Qp to = peer;
        return to != null && to.state == QpState.RTS && to.connection == connection ? to : null;
    }

    /** Whether both ends are in RTS, and mean each other. */
    @SuppressWarnings("ReferenceEquality") // As above.
    public boolean isConnectedTo(Qp other) {
        return state == QpState.RTS && responder() == other && other.responder() == this;
    }

    /** RESET: everything is forgotten without completions (QP-24), and what was bound has no owner any more (MW-94). */
    public Answer reset() {
        if (isDestroyed) {
            return Answer.refuse(Errno.ENOENT, "QP-05");
        }
        state = QpState.RESET;
        receives.clear();
        connection = this;
        if (!hca().conduct().has(Deviation.KEEPS_OVER_RESET)) {
            identity = new Object();
        }
        return Answer.OK;
    }

    /** ERR: windows stay bound, but nothing reaches them (MW-94). */
    public Answer fail() {
        if (isDestroyed) {
            return Answer.refuse(Errno.ENOENT, "QP-05");
        }
        state = QpState.ERR;
        while (!receives.isEmpty()) {
            completeReceive(WcStatus.WR_FLUSH_ERR, 0, 0, 0, WcOpcode.RECV, "QP-22");
        }
        return Answer.OK;
    }

    /** {@code ibv_destroy_qp}; not while a window 2A is bound (MW-95, MW-96). */
    public Answer destroy() {
        if (isDestroyed) {
            return Answer.refuse(Errno.ENOENT, "QP-05");
        }
        if (!hca().conduct().comparesPd() && hca().isBoundOver(this)) {
            return Answer.refuse(Errno.EBUSY, "MW-95");
        }
        isDestroyed = true;
        state = QpState.RESET;
        connection = this;
        identity = new Object();
        return Answer.OK;
    }

    /** {@code ibv_post_recv}. */
    public Answer postReceive(Receive receive) {
        if (isDestroyed) {
            return Answer.refuse(Errno.ENOENT, "QP-05");
        }
        if (state == QpState.RESET) {
            return Answer.refuse(Errno.EINVAL, "QP-21");
        }
        receives.add(receive);
        return state == QpState.ERR ? fail() : Answer.OK;
    }

    /** The next receive that a message will take; null if there is none. */
    public @Nullable Receive nextReceive() {
        return receives.peek();
    }

    void completeReceive(WcStatus status, int byteLength, int flags, int data, WcOpcode opcode, String rule) {
        receiveCompletions.add(new Completion(receives.remove().id(), status, opcode, byteLength, flags, data, rule));
    }

    void completeSend(long id, WcStatus status, WcOpcode opcode, String rule) {
        completeSend(id, status, opcode, 0, rule);
    }

    void completeSend(long id, WcStatus status, WcOpcode opcode, int byteLength, String rule) {
        sendCompletions.add(new Completion(id, status, opcode, byteLength, 0, 0, rule));
    }

    /** A request failed, and with it the queue pair (WC-05). */
    void failSend(long id, WcStatus status, WcOpcode opcode, String rule) {
        completeSend(id, status, opcode, rule);
        fail();
    }

    /** It refused what its peer wanted, and no receive could tell so (AE-04). */
    void failWithEvent(String rule) {
        accessEvents.add(rule);
        fail();
    }

    @Override
    public String toString() {
        return name;
    }
}
