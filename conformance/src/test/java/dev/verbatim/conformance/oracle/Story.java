// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A trace written by hand: two devices with one region and one queue pair each, which are connected to each other. */
public final class Story {

    /** The key of either region. */
    static final int KEY = 0x100;

    /** Where the left region begins. */
    static final long LEFT = 0x1000;

    /** Where the right region begins. */
    static final long RIGHT = 0x2000;

    static final int REGION_BYTES = 1024;

    /** The number of either side's shared receive queue. */
    static final int SRQ = 3;

    private static final int CQ = 1;

    final List<TraceEvent> events = new ArrayList<>();
    public final Party left = new Party("left", 0x11, Gid.ofGuid(1), Gid.ofGuid(2), LEFT, KEY);
    public final Party right = new Party("right", 0x12, Gid.ofGuid(2), Gid.ofGuid(1), RIGHT, KEY);

    private Story() {}

    /** Both queue pairs are in RTS. */
    public static Story connected() {
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

    /** The same, and something was not judged. */
    Story isPermittedAsFarAsItIsJudged(Gap gap) {
        isPermitted();
        assertThat(verdict().count(gap)).isPositive();
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
        private final int key;

        private Party(String device, int qp, Gid gid, Gid peer, long address, int key) {
            this.device = device;
            this.qp = qp;
            this.gid = gid;
            this.peer = peer;
            this.address = address;
            this.key = key;
        }

        /** The same side, which touches memory by another key. */
        Party by(int otherKey) {
            return new Party(device, qp, gid, peer, address, otherKey);
        }

        /** Another queue pair of the same side. */
        Party over(int otherQp) {
            return new Party(device, otherQp, gid, peer, address, key);
        }

        private Story add(TraceEvent event) {
            events.add(event);
            return Story.this;
        }

        void connects(Party other) {
            changesKey(true);
            joins(other);
        }

        /** The queue pair alone. */
        void joins(Party other) {
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

        /** One of several parts of a packet, which goes to that offset. */
        Story gathersPart(int psn, long address, int offset, byte... data) {
            return touches(MemoryEffect.GATHERED, psn, address, offset, false, data);
        }

        Story fetchesPart(int psn, long address, int offset, byte... data) {
            return touches(MemoryEffect.FETCHED, psn, address, offset, false, data);
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
            return touches(effect, psn, address, 0, held, data);
        }

        private Story touches(MemoryEffect effect, int psn, long address, int offset, boolean held, byte... data) {
            ByteBuffer bytes = ByteBuffer.wrap(data);
            return add(new TraceEvent.MemoryTouched(0, device, qp, effect, key, psn, address, bytes, offset, held));
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
            return add(new TraceEvent.Completed(0, device, qp, CQ, id, WcStatus.SUCCESS, opcode, byteLength, null));
        }

        Story fails(long id, WcOpcode opcode, WcStatus status) {
            return add(new TraceEvent.Completed(0, device, qp, CQ, id, status, opcode, 0, null));
        }

        Story changesKey(boolean valid) {
            return changesKey(KEY, valid, address, address, REGION_BYTES);
        }

        /** Another region of the same bytes, which observers see in an order of their own. */
        Story changesKeyOfSeveralViews() {
            return add(new TraceEvent.KeyChanged(
                    0, device, KEY + 0x100, true, address, address, REGION_BYTES, false, "another region"));
        }

        /** Somebody may see an older value of a word. */
        Story hasObserversBehind(long word, String behind) {
            return add(new TraceEvent.ViewChanged(0, device, "host", false, word, Long.BYTES, behind));
        }

        Story changesKey(int changed, boolean valid, long keyAddress, long memoryAddress, long lengthBytes) {
            return add(new TraceEvent.KeyChanged(
                    0, device, changed, valid, keyAddress, memoryAddress, lengthBytes, true, "a region or window"));
        }

        Story allocates(StoryWindow window) {
            return changes(window, WindowChange.ALLOCATED, 0, window.rkey(), BindInfo.NOTHING);
        }

        /** As that request asks for it. */
        Story binds(StoryWindow window, SendWorkRequest bind) {
            BindInfo info = bind.bindInfo();
            boolean zeroBased = (info.access() & AccessFlags.ZERO_BASED) != 0;
            changesKey(bind.boundKey(), true, zeroBased ? 0 : info.address(), info.address(), info.lengthBytes());
            return tellsBound(window, bind.boundKey(), info);
        }

        Story tellsBound(StoryWindow window, int rkey, BindInfo info) {
            return changes(window, WindowChange.BOUND, qp, rkey, info);
        }

        Story unbinds(StoryWindow window, int rkey) {
            return changes(window, WindowChange.UNBOUND, qp, rkey, BindInfo.NOTHING);
        }

        /** The window's key dies, whatever comes of that. */
        Story revokes(int windowKey) {
            return changesKey(windowKey, false, 0, 0, 0);
        }

        Story invalidates(StoryWindow window, int rkey) {
            revokes(rkey);
            return changes(window, WindowChange.INVALIDATED, qp, rkey, BindInfo.NOTHING);
        }

        Story isInvalidated(StoryWindow window, int rkey) {
            revokes(rkey);
            return tellsInvalidated(window, rkey);
        }

        Story tellsInvalidated(StoryWindow window, int rkey) {
            return changes(window, WindowChange.INVALIDATED_BY_PEER, qp, rkey, BindInfo.NOTHING);
        }

        Story deallocates(StoryWindow window, int rkey) {
            return changes(window, WindowChange.DEALLOCATED, 0, rkey, BindInfo.NOTHING);
        }

        private Story changes(StoryWindow window, WindowChange change, int number, int rkey, BindInfo info) {
            return add(new TraceEvent.WindowChanged(
                    0,
                    device,
                    number,
                    change,
                    window.handle(),
                    window.type(),
                    1,
                    rkey,
                    info.address(),
                    info.address(),
                    info.lengthBytes(),
                    info.access()));
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

        /** A packet of a request leaves, of whichever transport. */
        Story sends(Opcode opcode, int psn) {
            return add(new TraceEvent.PacketSent(0, device, qp, gid, peer, request(opcode, psn, qp)));
        }

        /** A link delivers the packet twice. */
        Story isRepeated(Opcode opcode, int psn) {
            return add(new TraceEvent.LinkFaulted(0, device, gid, peer, "duplicates", request(opcode, psn, qp)));
        }

        /** A packet of the peer comes. */
        Story receives(Opcode opcode, int psn, Party from) {
            return add(new TraceEvent.PacketReceived(0, device, qp, peer, gid, request(opcode, psn, from.qp)));
        }

        /** The packet that came last goes no further. */
        Story drops(Opcode opcode, int psn, Party from) {
            Refusal reason = Refusal.of(Rule.UD_01, "nobody wants it");
            return add(new TraceEvent.PacketDropped(0, device, qp, request(opcode, psn, from.qp), reason));
        }

        private PacketRecord request(Opcode opcode, int psn, int sourceQp) {
            Packet packet = new Packet().begin(opcode).psn(psn).destQp(1);
            return PacketRecord.of(opcode.has(Header.DETH) ? packet.sourceQp(sourceQp) : packet);
        }

        Story postsShared(ReceiveWorkRequest request) {
            return add(new TraceEvent.SharedReceivePosted(0, device, SRQ, request));
        }

        Story limits(int limit) {
            return add(new TraceEvent.SharedReceiveLimited(0, device, SRQ, limit));
        }

        Story tellsLimitReached() {
            return add(new TraceEvent.EventRaised(0, device, 0, SRQ, EventType.SRQ_LIMIT_REACHED, null));
        }

        Story raises(EventType type) {
            return add(new TraceEvent.EventRaised(0, device, qp, 0, type, null));
        }

        Story takes(long id) {
            return add(new TraceEvent.SharedReceiveTaken(0, device, qp, SRQ, id));
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
