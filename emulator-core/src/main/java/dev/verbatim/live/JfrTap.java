// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TracedPacket;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.EventType;
import org.jspecify.annotations.Nullable;

/** Passes what a device does to Flight Recorder. On the lane of the device. */
final class JfrTap implements Tap {

    private static final int PSN_BITS = 24;
    private static final int SIGN_SHIFT = Integer.SIZE - PSN_BITS;

    private static final List<Class<? extends DeviceEvent>> EVENTS = List.of(
            PostEvent.class,
            PacketEvent.class,
            CompletionEvent.class,
            RefusalEvent.class,
            RetryEvent.class,
            StateEvent.class);

    /** The newest request packet of each queue pair, by PSN. */
    private final Map<Integer, Integer> newest = new HashMap<>();

    /** Whether any recording wants any of the events. */
    static boolean isWanted() {
        return EVENTS.stream().map(EventType::getEventType).anyMatch(EventType::isEnabled);
    }

    @Override
    public void on(TraceEvent event) {
        if (event instanceof TraceEvent.SendPosted posted) {
            post(event, posted.request().id(), posted.request().opcode().name());
        } else if (event instanceof TraceEvent.ReceivePosted posted) {
            post(event, posted.request().id(), "RECV");
        } else if (event instanceof TraceEvent.SharedReceivePosted posted) {
            post(event, posted.request().id(), "RECV");
        } else if (event instanceof TraceEvent.PacketSent sent) {
            packet(sent, true, sent.destination().toString());
            retry(sent);
        } else if (event instanceof TraceEvent.PacketReceived received) {
            packet(received, false, received.source().toString());
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            refusal(event, dropped.reason());
        } else if (event instanceof TraceEvent.Completed completed) {
            completion(completed);
        } else if (event instanceof TraceEvent.StateChanged changed) {
            state(changed);
        }
    }

    private static void post(TraceEvent event, long id, String opcode) {
        PostEvent post = new PostEvent();
        if (post.isEnabled()) {
            post.workRequestId = id;
            post.opcode = opcode;
            post.commit(event);
        }
    }

    private static <E extends TraceEvent & TracedPacket> void packet(E event, boolean sent, String peer) {
        PacketEvent packet = new PacketEvent();
        if (packet.isEnabled()) {
            packet.sent = sent;
            packet.peer = peer;
            packet.opcode = event.opcodeName();
            packet.psn = event.psn();
            packet.payloadBytes = event.packet().payload().lengthBytes();
            packet.commit(event);
        }
    }

    /** A request packet that is not newer than the newest is sent again. */
    private void retry(TraceEvent.PacketSent sent) {
        if (sent.isResponse()) {
            return;
        }
        Integer before = newest.get(sent.qp());
        boolean isNew = before == null || (sent.psn() - before) << SIGN_SHIFT > 0;
        if (isNew) {
            newest.put(sent.qp(), sent.psn());
            return;
        }
        RetryEvent retry = new RetryEvent();
        if (retry.isEnabled()) {
            retry.opcode = sent.opcodeName();
            retry.psn = sent.psn();
            retry.commit(sent);
        }
    }

    private static void completion(TraceEvent.Completed completed) {
        CompletionEvent completion = new CompletionEvent();
        if (completion.isEnabled()) {
            completion.workRequestId = completed.workRequestId();
            completion.opcode = completed.opcode().name();
            completion.status = completed.status().name();
            completion.byteLength = completed.byteLength();
            completion.commit(completed);
        }
        refusal(completed, completed.refusal());
    }

    private void state(TraceEvent.StateChanged changed) {
        if (changed.to() == QpState.RESET) {
            newest.remove(changed.qp());
        }
        StateEvent state = new StateEvent();
        if (state.isEnabled()) {
            state.from = changed.from().name();
            state.to = changed.to().name();
            state.commit(changed);
        }
        refusal(changed, changed.reason());
    }

    private static void refusal(TraceEvent event, @Nullable Refusal reason) {
        RefusalEvent refusal = new RefusalEvent();
        if (reason != null && refusal.isEnabled()) {
            refusal.rule = reason.rule();
            refusal.sentence = reason.sentence();
            refusal.commit(event);
        }
    }

    /** What it passes events to. */
    @Override
    public String toString() {
        return "events of Flight Recorder";
    }
}
