// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.sim.Footprint.Access;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.wire.PacketRecord;

/**
 * Learns from what devices tell what an event touched.
 *
 * <p>The objects are: of each queue pair its requester ({@code a/17 request}), its responder with the receive queue
 * ({@code a/17 response}), its state, and the end of its send queue, where posting goes on while the requester works at the
 * beginning; of each device its completion queues, its keys and its events; memory as devices see it, and as programs see
 * it. Where a device tells too little, the event is taken to have touched everything.
 */
final class FootprintTap implements Tap {

    private static final String MEMORY = "memory";
    private static final String PROGRAM_MEMORY = "memory of programs";

    private Footprint footprint = new Footprint();
    private boolean explained;

    /** What has been touched since it was asked last. */
    Footprint take() {
        Footprint taken = footprint;
        explained = false;
        footprint = new Footprint();
        return taken;
    }

    /** The object was changed, says who knows. */
    void changes(String object) {
        footprint.changes(object);
    }

    /** The object was looked at, says who knows. */
    void looksAt(String object) {
        footprint.looksAt(object);
    }

    /** Any memory may have been looked at, as programs see it. */
    void looksAtProgramMemory() {
        footprint.add(new Access(PROGRAM_MEMORY, 0, -1, false));
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
        if (event.qp() == ManagementPort.QP_NUMBER) {
            // What a management agent does is unknown.
            footprint.everything();
        } else if (event instanceof TraceEvent.SendPosted) {
            footprint.changes(queue(event) + " posts").looksAt(state(event.device(), event.qp()));
        } else if (event instanceof TraceEvent.ReceivePosted) {
            footprint.changes(responder(event));
        } else if (event instanceof TraceEvent.SharedReceivePosted
                || event instanceof TraceEvent.SharedReceiveTaken
                || event instanceof TraceEvent.SharedReceiveLimited) {
            footprint.changes(sharedReceives(event));
        } else if (event instanceof TraceEvent.PacketSent sent) {
            // Packets to one queue pair over one link keep their order, whichever queue pair sends them.
            footprint.changes("way " + sent.source() + " > " + sent.destination() + " "
                    + sent.packet().bth().destQp());
        } else if (event instanceof TraceEvent.PacketReceived received) {
            arrived(event, received.packet());
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            arrived(event, dropped.packet());
        } else if (event instanceof TraceEvent.MemoryTouched touched) {
            touched(touched);
        } else if (event instanceof TraceEvent.MemoryShown shown) {
            touch(PROGRAM_MEMORY, shown.address(), shown.lengthBytes(), true);
            footprint.changes(held(event));
        } else if (event instanceof TraceEvent.ProgramTouched touched) {
            touch(PROGRAM_MEMORY, touched.address(), touched.lengthBytes(), touched.store());
            if (touched.store()) {
                touch(MEMORY, touched.address(), touched.lengthBytes(), true);
            }
        } else if (event instanceof TraceEvent.Completed) {
            // It vanishes with its queue pair.
            footprint.changes(DevicePart.COMPLETIONS.of(event.device())).looksAt(state(event.device(), event.qp()));
        } else if (event instanceof TraceEvent.StateChanged) {
            footprint
                    .changes(state(event.device(), event.qp()))
                    .changes(requester(event))
                    .changes(responder(event));
        } else if (event instanceof TraceEvent.EventRaised) {
            footprint.changes(DevicePart.EVENTS.of(event.device()));
        } else if (event instanceof TraceEvent.KeyChanged) {
            footprint.changes(keys(event));
        } else if (event instanceof TraceEvent.WindowChanged) {
            // One that was not bound has no key that changes with it.
            footprint.changes(keys(event));
        }
    }

    private void arrived(TraceEvent event, PacketRecord packet) {
        footprint.changes(packet.opcode().isRequest() ? responder(event) : requester(event));
        footprint.looksAt(keys(event));
        if (packet.opcode().isRequest()) {
            // Whether there was a receive for it.
            footprint.looksAt(sharedReceives(event));
        }
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

    private void touch(String object, long address, int lengthBytes, boolean changes) {
        footprint.add(new Access(object, address, address + lengthBytes, changes));
    }

    private static String queue(TraceEvent event) {
        return event.device() + "/" + event.qp();
    }

    private static String requester(TraceEvent event) {
        return queue(event) + " request";
    }

    private static String responder(TraceEvent event) {
        return queue(event) + " response";
    }

    /** The shared receive queues of a device, all of them. */
    private static String sharedReceives(TraceEvent event) {
        return DevicePart.SHARED_RECEIVES.of(event.device());
    }

    private static String held(TraceEvent event) {
        return held(event.device(), event.qp());
    }

    /** Bytes of a queue pair that are held back: each is shown once. */
    static String held(String device, int qp) {
        return device + "/" + qp + " held";
    }

    private static String keys(TraceEvent event) {
        return DevicePart.KEYS.of(event.device());
    }

    static String state(String device, int qp) {
        return device + "/" + qp + " state";
    }

    @Override
    public String toString() {
        return "footprints";
    }
}
