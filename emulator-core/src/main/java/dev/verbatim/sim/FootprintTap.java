// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.sim.Footprint.Access;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.wire.PacketRecord;
import java.util.List;

/**
 * Learns from what devices tell what an event touched.
 *
 * <p>The objects are: of each queue pair its requester ({@code a/17 request}), its responder with the receive queue
 * ({@code a/17 response}), its state, and the end of its send queue, where posting goes on while the requester works at the
 * beginning; of each device its completion queues, its keys, its events and its connections; memory as devices see it, and as programs see
 * it. Where a device tells too little, the event is taken to have touched everything.
 */
final class FootprintTap implements Tap {

    private static final String MEMORY = "memory";
    private static final String PROGRAM_MEMORY = "memory of programs";

    /** The two parts of a requester: what it sends next, and what is acknowledged. */
    static final int SENT = 0;

    static final int ACKNOWLEDGED = 1;
    private static final int PARTS = 2;

    /** That of a requester no part is known to be the only one that was changed. */
    static final int NO_PART = -1;

    private final ObjectNames names = new ObjectNames();

    private Footprint footprint = new Footprint();
    private boolean explained;

    /** What the objects are called. */
    ObjectNames names() {
        return names;
    }

    /** Whether nothing has been touched since it was asked last. */
    boolean isEmpty() {
        return footprint.isEmpty();
    }

    /** What has been touched since it was asked last. */
    Footprint take() {
        Footprint taken = footprint;
        List<ObjectNames.OfQueuePair> queuePairs = names.queuePairs();
        for (int i = 0; i < queuePairs.size(); i++) {
            ObjectNames.OfQueuePair queuePair = queuePairs.get(i);
            int part = queuePair.changedPart;
            if (part != NO_PART && part < PARTS) {
                taken.narrow(whole(queuePair.request, true), new Access(queuePair.request, part, part + 1L, true));
            }
            queuePair.changedPart = NO_PART;
        }
        explained = false;
        footprint = new Footprint();
        return taken;
    }

    /** The object was changed, says who knows. */
    void changes(String object) {
        footprint.add(whole(object, true));
    }

    private static Access whole(String object, boolean changes) {
        return new Access(object, 0, object.endsWith(ObjectNames.REQUEST) ? PARTS : 1, changes);
    }

    /** Of the requester of a queue pair only that part is changed, unless the same event changes another or its state. */
    void changesOnly(String device, int qp, int part) {
        ObjectNames.OfQueuePair queuePair = names.of(device, qp);
        boolean isOnly = queuePair.changedPart == NO_PART || queuePair.changedPart == part;
        queuePair.changedPart = isOnly ? part : PARTS;
    }

    /** Part of an object was touched, says who knows. */
    void add(Access access) {
        footprint.add(access);
    }

    /** The same, and of two events that tell so of one place, the later one cannot be first. */
    void addInTurn(Access access) {
        footprint.addInTurn(access);
    }

    /** What waited for one of these places of an object, or enables it too, cannot come before this event. */
    void enables(String object, long from, long to) {
        footprint.onlyInTurn(new Access(object, from, to, true));
    }

    /** It could not come before an event that {@linkplain #enables enabled} one of these places. */
    void waited(String object, long from, long to) {
        footprint.onlyInTurn(new Access(object, from, to, false));
    }

    /** The event does by itself what those that {@linkplain #forces force} one of these places would do. */
    void happensUnforced(String object, long from, long to) {
        footprint.forced(new Access(object, from, to, true));
    }

    /** The event does first what would {@linkplain #happensUnforced happen} at these places by itself and has not yet. */
    void forces(String object, long from, long to) {
        footprint.forced(new Access(object, from, to, false));
    }

    /** All of this was touched, says who knows. */
    void addAll(Footprint touched) {
        footprint.addAll(touched);
    }

    /** The object was looked at, says who knows. */
    void looksAt(String object) {
        footprint.add(whole(object, false));
    }

    /** Any memory may have been looked at, as programs see it. */
    void looksAtProgramMemory() {
        footprint.add(ofProgramMemory(0, -1));
    }

    /** A look at memory as programs see it. */
    static Access ofProgramMemory(long address, long lengthBytes) {
        return new Access(PROGRAM_MEMORY, address, address + lengthBytes, false);
    }

    /** The event of that name, which no object has, was made, or it happens: it cannot before. */
    void madeOrHappens(String event) {
        footprint.addInTurn(whole(event, true));
    }

    /** One event of several that happen in this order. */
    void happensInTurn(String events) {
        footprint.addInTurn(whole(events, true));
    }

    /** It may have touched anything, says who does not know. */
    void everything() {
        footprint.everything();
    }

    /** A range of memory was looked at as devices and as programs see it, says who knows. */
    void looksAtMemory(long address, long lengthBytes) {
        footprint.add(new Access(MEMORY, address, address + lengthBytes, false));
        footprint.add(new Access(PROGRAM_MEMORY, address, address + lengthBytes, false));
    }

    /** Whether a device has said since it was asked last what a program did. */
    boolean isExplained() {
        boolean isSo = explained;
        explained = false;
        return isSo;
    }

    @Override
    public void on(TraceEvent event) {
        explained |= event instanceof TraceEvent.SendPosted
                || event instanceof TraceEvent.ReceivePosted
                || event instanceof TraceEvent.SharedReceivePosted
                || event instanceof TraceEvent.KeyChanged
                || event instanceof TraceEvent.WindowChanged
                || event instanceof TraceEvent.StateChanged;
        if (event.qp() == ManagementPort.QP_NUMBER
                && (event instanceof TraceEvent.PacketReceived || event instanceof TraceEvent.PacketDropped)) {
            // What the connection manager does to queue pairs then, they tell.
            changes(names.of(DevicePart.CONNECTIONS, event.device()));
        } else if (!(event instanceof TraceEvent.Decided)) {
            touchedBy(event);
        }
    }

    private void touchedBy(TraceEvent event) {
        if (event instanceof TraceEvent.ReceivePosted) {
            footprint.changes(queuePair(event).response);
        } else if (event instanceof TraceEvent.SharedReceivePosted
                || event instanceof TraceEvent.SharedReceiveTaken
                || event instanceof TraceEvent.SharedReceiveLimited) {
            footprint.changes(sharedReceives(event));
        } else if (event instanceof TraceEvent.PacketSent sent) {
            // Packets to one queue pair over one link keep their order, whichever queue pair sends them.
            footprint.changes(names.way(
                    sent.source(), sent.destination(), sent.packet().bth().destQp()));
        } else if (event instanceof TraceEvent.PacketReceived received) {
            arrived(event, received.packet());
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            arrived(event, dropped.packet());
        } else if (event instanceof TraceEvent.MemoryTouched touched) {
            touched(touched);
        } else if (event instanceof TraceEvent.MemoryShown shown) {
            touch(PROGRAM_MEMORY, shown.address(), shown.lengthBytes(), true);
        } else if (event instanceof TraceEvent.ProgramTouched touched) {
            touch(PROGRAM_MEMORY, touched.address(), touched.lengthBytes(), touched.store());
            if (touched.store()) {
                touch(MEMORY, touched.address(), touched.lengthBytes(), true);
            }
        } else if (event instanceof TraceEvent.Completed) {
            // It vanishes with its queue pair.
            footprint.looksAt(queuePair(event).state);
        } else if (event instanceof TraceEvent.StateChanged) {
            stateChanged(queuePair(event));
        } else if (event instanceof TraceEvent.EventRaised) {
            footprint.changes(names.of(DevicePart.EVENTS, event.device()));
        } else if (event instanceof TraceEvent.KeyChanged) {
            footprint.changes(keys(event));
        } else if (event instanceof TraceEvent.WindowChanged) {
            // One that was not bound has no key that changes with it.
            footprint.changes(keys(event));
        }
    }

    private void stateChanged(ObjectNames.OfQueuePair queuePair) {
        changes(queuePair.request);
        queuePair.changedPart = PARTS;
        footprint.changes(queuePair.state).changes(queuePair.response);
    }

    /** Posts are in order, and the request with that number, from 0, can be taken up. */
    void posted(String device, int qp, long number) {
        ObjectNames.OfQueuePair queuePair = names.of(device, qp);
        footprint
                .changes(queuePair.posts)
                .addInTurn(new Access(queuePair.posts, number + 1, number + 2, true))
                .looksAt(queuePair.state);
    }

    /** A program changed the object, and it is told what else it touched by that. */
    void changedByProgram(String object) {
        explained = true;
        changes(object);
    }

    /** A device has said what a program did: it posted what is refused in this state. */
    void postRefused(String device, int qp) {
        explained = true;
        footprint.looksAt(names.of(device, qp).state);
    }

    /** The request with that number, from 0, cannot be taken up before it is posted. */
    void takesUp(String device, int qp, long number) {
        footprint.addInTurn(new Access(names.of(device, qp).posts, number + 1, number + 2, false));
    }

    private void arrived(TraceEvent event, PacketRecord packet) {
        ObjectNames.OfQueuePair queuePair = queuePair(event);
        changes(packet.opcode().isRequest() ? queuePair.response : queuePair.request);
        footprint.looksAt(keys(event));
        if (packet.opcode().isRequest()) {
            // Whether there was a receive for it.
            footprint.looksAt(sharedReceives(event));
        } else if (packet.isRnrNak()) {
            holdsBack(queuePair);
        }
    }

    /** What is posted from now on cannot be sent at once, although it is the same to the queue. */
    private void holdsBack(ObjectNames.OfQueuePair queuePair) {
        footprint.looksAt(queuePair.posts);
    }

    private void touched(TraceEvent.MemoryTouched touched) {
        if (touched.psn() < 0) {
            // Inline data: the verb copies what programs see, past the device (ORD-14).
            touch(PROGRAM_MEMORY, touched.address(), touched.lengthBytes(), false);
            return;
        }
        boolean changes = !touched.effect().isRead();
        touch(MEMORY, touched.address(), touched.lengthBytes(), changes);
        if (changes && !touched.held()) {
            touch(PROGRAM_MEMORY, touched.address(), touched.lengthBytes(), true);
        }
    }

    /** A program may wait for a word, which is one thing: who changes part of it conflicts with who changes another. */
    private void touch(String object, long address, int lengthBytes, boolean changes) {
        boolean isWhole = changes && object.equals(PROGRAM_MEMORY);
        long from = isWhole ? address & -Long.BYTES : address;
        long end = address + lengthBytes;
        footprint.add(new Access(object, from, isWhole ? end + Long.BYTES - 1 & -Long.BYTES : end, changes));
    }

    private ObjectNames.OfQueuePair queuePair(TraceEvent event) {
        return names.of(event.device(), event.qp());
    }

    /** The shared receive queues of a device, all of them. */
    private String sharedReceives(TraceEvent event) {
        return names.of(DevicePart.SHARED_RECEIVES, event.device());
    }

    private String keys(TraceEvent event) {
        return names.of(DevicePart.KEYS, event.device());
    }

    @Override
    public String toString() {
        return "footprints";
    }
}
