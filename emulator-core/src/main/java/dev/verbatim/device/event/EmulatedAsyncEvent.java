// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SharedReceiveQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An asynchronous event about an element, or a port, or the whole device. */
public final class EmulatedAsyncEvent implements AsyncEvent {

    private final EventType type;
    private final @Nullable EventElement element;
    private final int portNumber;
    private @Nullable Refusal refusal;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    /**
     * An event that nobody has taken yet.
     *
     * @param element what it is about; null for a port or the device
     * @param portNumber the port it is about, or 0
     */
    public EmulatedAsyncEvent(
            EventType type, @Nullable EventElement element, int portNumber, @Nullable Refusal refusal) {
        this.type = type;
        this.element = element;
        this.portNumber = portNumber;
        this.refusal = refusal;
    }

    /** It is going to be raised for that reason: an event that was made before it was known. On the lane. */
    public EmulatedAsyncEvent because(Refusal reason) {
        refusal = reason;
        return this;
    }

    /** The rule that says when an event of this type is raised. */
    public static Rule ruleOf(EventType type) {
        return switch (type) {
            case CQ_ERR -> Rule.AE_01;
            case QP_FATAL -> Rule.AE_02;
            case QP_REQ_ERR -> Rule.AE_03;
            case QP_ACCESS_ERR -> Rule.AE_04;
            case COMM_EST -> Rule.AE_05;
            case SQ_DRAINED -> Rule.AE_06;
            case QP_LAST_WQE_REACHED -> Rule.AE_07;
            case SRQ_LIMIT_REACHED -> Rule.AE_08;
            case SRQ_ERR -> Rule.AE_09;
            case PATH_MIG, PATH_MIG_ERR -> Rule.AE_10;
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> Rule.AE_11;
            case DEVICE_FATAL -> Rule.AE_12;
            case WQ_FATAL -> Rule.AE_13;
        };
    }

    @Override
    public EventType type() {
        return type;
    }

    @Override
    public @Nullable QueuePair queuePair() {
        return element instanceof QueuePair queuePair ? queuePair : null;
    }

    @Override
    public @Nullable CompletionQueue completionQueue() {
        return element instanceof CompletionQueue cq ? cq : null;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return element instanceof SharedReceiveQueue srq ? srq : null;
    }

    @Override
    public int portNumber() {
        return portNumber;
    }

    @Override
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @SuppressWarnings("ReferenceEquality") // an element is its identity
    boolean isAbout(EventElement candidate) {
        return element == candidate;
    }

    /** The number of the queue pair under which a trace shows it, or 0. */
    int tracedQp() {
        return element == null ? 0 : element.tracedQp();
    }

    /** What a trace shows of it. */
    TraceEvent traced(long nowNanos, String device) {
        int srq = element == null ? 0 : element.tracedSrq();
        return new TraceEvent.EventRaised(nowNanos, device, tracedQp(), srq, type, refusal);
    }

    /** A program takes it; false if it came too late, for its element goes. */
    boolean taken() {
        return element == null || element.eventDebt().taken();
    }

    @Override
    public void acknowledge() {
        if (acknowledged.getAndSet(true)) {
            throw new IllegalStateException("this " + type + " event was acknowledged before [AE-20]");
        }
        if (element != null) {
            element.eventDebt().givenBack(1);
        }
    }

    @Override
    public String toString() {
        return type + (refusal == null ? "" : ": " + refusal);
    }
}
