// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A trace written by hand: two devices with one region and one queue pair each, which are connected to each other. */
final class Story {

    /** The key of either region. */
    static final int KEY = 0x100;

    /** Where the left region begins. */
    static final long LEFT = 0x1000;

    /** Where the right region begins. */
    static final long RIGHT = 0x2000;

    private static final int REGION_BYTES = 256;

    final List<TraceEvent> events = new ArrayList<>();
    final Party left = new Party("left", 0x11, 1, 2, LEFT);
    final Party right = new Party("right", 0x12, 2, 1, RIGHT);

    private Story() {}

    /** Both queue pairs are in RTS. */
    static Story connected() {
        Story story = new Story();
        story.left.connects(story.right);
        story.right.connects(story.left);
        return story;
    }

    /** Nothing has happened. */
    static Story empty() {
        return new Story();
    }

    Verdict verdict() {
        return Oracle.ofDevicesAndPrograms().read(events).verdict();
    }

    Verdict verdictAtEnd() {
        return Oracle.ofDevicesAndPrograms().read(events).verdictAtEnd();
    }

    /** Everything so far may happen. */
    Story isPermitted() {
        Verdict verdict = verdict();
        assertThat(verdict.violations()).as(verdict.toString()).isEmpty();
        return this;
    }

    /** The first that may not happen is the newest event, and it is this check that says so. */
    void isForbiddenBy(Check check) {
        Verdict verdict = verdict();
        assertThat(verdict.violations()).as(verdict.toString()).isNotEmpty();
        Violation first = verdict.violations().get(0);
        assertThat(first.check()).as(verdict.toString()).isEqualTo(check);
        assertThat(first.rule()).isEqualTo(check.rule());
        assertThat(first.positions()).as(verdict.toString()).contains(events.size() - 1L);
    }

    /** One of the two sides. */
    final class Party {

        final String device;
        final int qp;
        private final Gid gid;
        private final Gid peer;

        private final long address;

        private Party(String device, int qp, long guid, long peerGuid, long address) {
            this.device = device;
            this.qp = qp;
            this.gid = Gid.ofGuid(guid);
            this.peer = Gid.ofGuid(peerGuid);
            this.address = address;
        }

        private Story add(TraceEvent event) {
            events.add(event);
            return Story.this;
        }

        void connects(Party other) {
            changesKey(true);
            enters(QpState.RESET, QpState.INIT);
            enters(QpState.INIT, QpState.RTR);
            add(new TraceEvent.Connected(0, device, qp, gid, peer, other.qp));
            enters(QpState.RTR, QpState.RTS);
        }

        Story enters(QpState from, QpState to) {
            return add(new TraceEvent.StateChanged(0, device, qp, from, to, null));
        }

        Story posts(SendWorkRequest request) {
            return add(new TraceEvent.SendPosted(0, device, qp, request, true));
        }

        Story postsUnsignaled(SendWorkRequest request) {
            return add(new TraceEvent.SendPosted(0, device, qp, request, false));
        }

        Story posts(ReceiveWorkRequest request) {
            return add(new TraceEvent.ReceivePosted(0, device, qp, request));
        }

        Story starts(long id, int psn, int packets) {
            return add(new TraceEvent.Started(0, device, qp, id, psn, packets));
        }

        Story gathers(int psn, long address, byte... data) {
            return touches(MemoryEffect.GATHERED, psn, address, false, data);
        }

        Story fetches(int psn, long address, byte... data) {
            return touches(MemoryEffect.FETCHED, psn, address, false, data);
        }

        Story places(int psn, long address, byte... data) {
            return touches(MemoryEffect.PLACED, psn, address, false, data);
        }

        Story holds(int psn, long address, byte... data) {
            return touches(MemoryEffect.PLACED, psn, address, true, data);
        }

        Story returns(int psn, long address, byte... data) {
            return touches(MemoryEffect.RETURNED, psn, address, false, data);
        }

        Story holdsResult(int psn, long address, byte... data) {
            return touches(MemoryEffect.RETURNED, psn, address, true, data);
        }

        Story makes(int psn, long address, long word) {
            return touches(MemoryEffect.ATOMIC, psn, address, false, word(word));
        }

        private Story touches(MemoryEffect effect, int psn, long address, boolean held, byte... data) {
            ByteBuffer bytes = ByteBuffer.wrap(data);
            return add(new TraceEvent.MemoryTouched(0, device, qp, effect, KEY, psn, address, bytes, held));
        }

        Story shows(int psn, long address, byte... data) {
            return add(new TraceEvent.MemoryShown(0, device, qp, psn, address, ByteBuffer.wrap(data)));
        }

        Story stores(long address, byte... data) {
            return add(new TraceEvent.ProgramTouched(0, device, true, address, ByteBuffer.wrap(data)));
        }

        Story loads(long address, byte... data) {
            return add(new TraceEvent.ProgramTouched(0, device, false, address, ByteBuffer.wrap(data)));
        }

        Story completes(long id, WcOpcode opcode, int byteLength) {
            return add(new TraceEvent.Completed(0, device, qp, id, WcStatus.SUCCESS, opcode, byteLength, null));
        }

        Story fails(long id, WcOpcode opcode, WcStatus status) {
            return add(new TraceEvent.Completed(0, device, qp, id, status, opcode, 0, null));
        }

        Story changesKey(boolean valid) {
            return add(new TraceEvent.KeyChanged(0, device, KEY, valid, address, address, REGION_BYTES, "a region"));
        }

        Story revokes() {
            return changesKey(false);
        }

        Story acknowledges(int psn) {
            return replies(Opcode.ACKNOWLEDGE, psn, Syndrome.ACK_NO_CREDIT);
        }

        Story responds(Opcode opcode, int psn) {
            return replies(opcode, psn, Syndrome.ACK_NO_CREDIT);
        }

        Story replies(Opcode opcode, int psn, int syndrome) {
            Packet packet = new Packet()
                    .begin(opcode)
                    .psn(psn)
                    .destQp(1)
                    .syndrome(syndrome)
                    .messageSequence(1);
            return add(new TraceEvent.PacketSent(0, device, qp, gid, peer, PacketRecord.of(packet)));
        }
    }

    /** Eight bytes in the machine's order. */
    static byte[] word(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(0, value)
                .array();
    }
}
