// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.QpInspector;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its requests from their posts until their completions were polled, and what is known of them. Its components in clocks,
 * each counting requests of its send queue but the last, which counts its receives:
 *
 * <ul>
 *   <li>{@link #done}: the device has let go of the elements;
 *   <li>{@link #executed}: the peer's device has done all of it;
 *   <li>{@link #shown}: programs of the peer see what it placed (ORD-31);
 *   <li>{@link #received}: the receive has completed.
 * </ul>
 */
final class QpWatch implements QpInspector {

    private static final int COMPONENTS = 4;

    final DeviceWatch device;
    final int number;
    final QpInitAttributes attributes;
    final int done;
    final int executed;
    final int shown;
    final int received;

    /** Send requests that were not polled, or are not covered by one that was; the oldest first. */
    final ArrayDeque<Request> sends = new ArrayDeque<>();

    /** Receives that were not polled; the oldest first. Those of a shared queue are here once they were taken. */
    final ArrayDeque<Request> receives = new ArrayDeque<>();

    /** Where its completions go; null for nowhere. */
    final @Nullable CqWatch sendCq;

    final @Nullable CqWatch recvCq;

    /** Where its receives come from; 0 for a queue of its own. */
    final int sharedQueue;

    final Identifiers sendIdentifiers = new Identifiers();
    final Identifiers receiveIdentifiers = new Identifiers();

    /** The last request with FENCE; 0 for none. */
    private long lastFence;

    QpState state = QpState.RESET;

    /** Of which the bytes are not yet known, for no program has gone on since they were posted. */
    final ArrayDeque<Request> fresh = new ArrayDeque<>();

    /** The first failed completion that a program polled since RESET; null for none. */
    @Nullable
    PolledFailure failure;

    /** Whether a program has set it to ERR, so that it expects failures. */
    private boolean isEndedByProgram;

    /** Whether a program may know that what is queued is given back undone. */
    private boolean isFlushKnown;

    /** The queue that it was polled of. */
    @Nullable
    CqWatch failedAt;

    /** Messages that found no receive. */
    @Nullable
    MissingReceives missing;

    /** What was known to those whose words READs of this queue pair have fetched, the last READ excepted as long as it may be executed. */
    private final VectorClock seenByReads = new VectorClock();

    /** The same of its last READ, of which one part does not know what another has fetched (ORD-40). */
    private final VectorClock seenByLastRead = new VectorClock();

    private long lastRead;

    /** The first request that executed an atomic, or fetched a word that another had stored; 0 for none. */
    private long firstSight;

    /** What was known to those whose words its atomics have changed, and whose receives its messages took. */
    private final VectorClock seenByAtomics = new VectorClock();

    /** What its peer may do here now. */
    private Grant writes = new Grant();

    private Grant reads = new Grant();
    private Grant atomics = new Grant();
    private Grant messages = new Grant();

    private final Judges judges;
    private final RecentItems<Request> sent = new RecentItems<>();

    private VectorClock lastPost = new VectorClock();
    private long posted;
    private long receivesPosted;
    private long begun;
    private long completed;
    private long visible;
    private @Nullable Gid own;
    private @Nullable Gid peer;
    private int peerQp;
    private boolean isDestroyed;

    /** When it was destroyed: nothing touches memory on this queue pair any more. */
    private ProgramClock.@Nullable Moment destruction;

    /** The program that closes it, and where. */
    private @Nullable ProgramClock closer;

    private CallSite closing = CallSite.UNKNOWN;

    /** What watches the queue pair that it is connected with; null until it was asked for. */
    private @Nullable QpWatch other;

    private @Nullable Gid sender;
    private int senderQp;
    private int senderPsn;

    QpWatch(Judges judges, DeviceWatch device, int number, QpInitAttributes attributes, int sharedQueue) {
        this.judges = judges;
        this.device = device;
        this.number = number;
        this.attributes = attributes;
        this.sendCq = attributes.hasSendCq() ? device.watching(attributes.sendCq()) : null;
        this.recvCq = attributes.hasRecvCq() ? device.watching(attributes.recvCq()) : null;
        this.sharedQueue = sharedQueue;
        this.done = judges.programs.newComponents(COMPONENTS);
        this.executed = done + 1;
        this.shown = done + 2;
        this.received = done + 3;
    }

    /** It is asked for its place where its stack is still short. */
    @Override
    public void postBegins() {
        if (!judges.programs.hasSites()) {
            return;
        }
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            program.posting = CallSite.UNKNOWN;
            program.posting = judges.programs.site(program);
        }
    }

    @Override
    public void postEnds() {
        synchronized (judges) {
            judges.programs.current().posting = CallSite.UNKNOWN;
            judges.ownership.postEnds(this);
        }
    }

    @Override
    public void sendPosted(SendWorkRequest posting, boolean signaled) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            List<Range> elements = new ArrayList<>(posting.elementCount());
            List<Region> places = new ArrayList<>(posting.elementCount());
            Effect effect = Operation.of(posting.opcode()).effect;
            boolean hasElements = !effect.isLocal;
            for (int i = 0; hasElements && i < posting.elementCount(); i++) {
                device.addElement(posting.element(i), elements, places);
            }
            Request request = new Request(
                    device,
                    this,
                    ++posted,
                    posting.id(),
                    posting.opcode(),
                    signaled,
                    posting.has(SendFlags.FENCE),
                    posting.has(SendFlags.INLINE) && !effect.returnsData,
                    elements,
                    places,
                    judges.programs.site(program),
                    program,
                    known(program, posting.has(SendFlags.FENCE)));
            request.remoteAddress = posting.remoteAddress();
            request.compared = posting.compareOrAdd();
            request.remoteKey = posting.remoteKey();
            request.invalidatedKey = posting.invalidateKey();
            request.window = posting.window();
            request.bind = posting.bindInfo();
            request.mayLoop = program.mayLoop();
            if (request.isFenced) {
                lastFence = request.number;
            }
            request.lastFence = lastFence;
            sends.addLast(request);
            judges.posted(request, program);
        }
    }

    @Override
    public String standing() {
        synchronized (judges) {
            return judges.habits.standing(this);
        }
    }

    /** What the program knows, and what was known to who posted here before; then the program goes on. */
    private VectorClock known(ProgramClock program, boolean isFenced) {
        lastPost.join(program.clock);
        if (isFenced) {
            KeyLife.passFence(lastPost, this);
        }
        program.tick();
        program.deeds++;
        return lastPost.copy();
    }

    @Override
    public void receivePosted(ReceiveWorkRequest posting) {
        synchronized (judges) {
            Request request = device.receive(this, posting, ++receivesPosted);
            receives.addLast(request);
            judges.posted(request, judges.programs.current());
        }
    }

    @Override
    public void sharedReceiveTaken(int srq) {
        synchronized (judges) {
            Request request = device.takeShared(srq);
            if (request != null) {
                request.queuePair = this;
                receives.addLast(request);
                judges.habits.taken(request, this);
            }
        }
    }

    @Override
    public void started(int firstPsn, int packets) {
        synchronized (judges) {
            begun = Math.max(begun, completed) + 1;
            Request request = send(begun);
            if (request != null) {
                request.firstPsn = firstPsn;
                request.packets = packets;
                request.isStarted = true;
            }
        }
    }

    /** The request of that number, from 1; null if it is forgotten. */
    private @Nullable Request send(long sought) {
        Request oldest = sends.peekFirst();
        Request newest = sends.peekLast();
        if (oldest == null || newest == null || sought < oldest.number) {
            return null;
        }
        if (sought == newest.number) {
            return newest;
        }
        boolean isRecent = newest.number - sought < sought - oldest.number;
        Iterator<Request> each = isRecent ? sends.descendingIterator() : sends.iterator();
        while (each.hasNext()) {
            Request request = each.next();
            if (request.number == sought) {
                return request;
            }
        }
        return null;
    }

    @Override
    public void connected(Gid ownGid, Gid peerGid, int destinationQp) {
        synchronized (judges) {
            own = ownGid;
            peer = peerGid;
            peerQp = destinationQp;
            other = null;
        }
    }

    /** Without the lock, since it is read only on the lane. */
    @Override
    public void received(Gid from, int sourceQp, int psn) {
        sender = from;
        senderQp = sourceQp;
        senderPsn = psn;
    }

    /** The queue pair that sent the present packet, or is connected with this one; null if it is not watched. */
    private @Nullable QpWatch sender() {
        if (peer != null && peerQp != 0) {
            if (other == null || other.isDestroyed) {
                other = judges.queuePair(peer, peerQp);
            }
            return other;
        }
        return sender == null ? null : judges.queuePair(sender, senderQp);
    }

    /** Whether it is connected with one that is watched, too. */
    boolean hasPeerHere() {
        return peer != null && sender() != null;
    }

    /** The send request that has this PSN; null if there is none. */
    private @Nullable Request withPsn(int psn) {
        // Of those that were not polled, the last are the ones under way.
        Iterator<Request> each = sends.descendingIterator();
        while (each.hasNext()) {
            Request request = each.next();
            if (request.isCompleted && !isUnreliable()) {
                return null;
            }
            if (request.hasPsn(psn)) {
                return request;
            }
        }
        return sent.find(request -> request.hasPsn(psn));
    }

    /** Whether a completion says no more than that the device has sent it (UC-01). */
    private boolean isUnreliable() {
        return attributes.type() == QpType.UC || attributes.type() == QpType.UD;
    }

    /** The peer's request that has this PSN. */
    private @Nullable Request ofPeer(int psn) {
        QpWatch from = sender();
        return from == null ? null : from.withPsn(psn);
    }

    @Override
    public void touched(MemoryEffect effect, int key, int psn, long address, int lengthBytes) {
        if (psn < 0) {
            return;
        }
        synchronized (judges) {
            Range range = new Range(address, lengthBytes);
            switch (effect) {
                case GATHERED -> judges.touchedLocally(Access.Kind.GATHER, range, withPsn(psn));
                case RETURNED -> judges.touchedLocally(Access.Kind.RETURN, range, withPsn(psn));
                case FETCHED -> reached(Access.Kind.FETCH, range, key, ofPeer(psn));
                case ATOMIC -> reached(Access.Kind.ATOMIC, range, key, ofPeer(psn));
                case PLACED -> placed(range, key, psn);
            }
        }
    }

    /** Under which its peer accesses memory by remote keys. */
    Grant grant(Access.Kind kind) {
        return switch (kind) {
            case FETCH -> reads;
            case ATOMIC -> atomics;
            default -> writes;
        };
    }

    /** A peer touches memory by a remote key. */
    private void reached(Access.Kind kind, Range range, int key, @Nullable Request request) {
        judges.habits.reached(this, kind, range, key, request);
        judges.touchedRemotely(kind, range, request, null, new Access.Reach(this, grant(kind), device.keyLife(key)));
    }

    @Override
    public void stepped(int psn, long address, long before, long after) {
        synchronized (judges) {
            Range word = new Range(address, Long.BYTES);
            Request request = ofPeer(psn);
            judges.races.stepped(word, before, after, request);
            judges.habits.stepped(word, before, after, request);
        }
    }

    private void placed(Range range, int key, int psn) {
        Request request = ofPeer(psn);
        boolean fillsReceive = request == null ? device.region(key) != null : request.isSend();
        Request receive = fillsReceive ? oldestReceive() : null;
        boolean isWord = request != null && request.opcode == WrOpcode.ATOMIC_WRITE;
        Access.Kind kind = isWord ? Access.Kind.ATOMIC_WRITE : Access.Kind.PLACE;
        if (fillsReceive) {
            judges.touchedRemotely(kind, range, request, receive, new Access.Reach(this, messages, null));
        } else {
            reached(kind, range, key, request);
        }
    }

    @Override
    public void shown(long address, int lengthBytes) {
        synchronized (judges) {
            judges.races.shown(new Range(address, lengthBytes));
        }
    }

    /** The receive that is being filled. */
    @Nullable
    Request oldestReceive() {
        for (Request receive : receives) {
            if (!receive.isCompleted) {
                return receive;
            }
        }
        return null;
    }

    @Override
    public void sendCompleted(WcStatus status) {
        synchronized (judges) {
            completed++;
            Request request = send(completed);
            if (request == null) {
                return;
            }
            if (request.isAnswered() || request.opcode == WrOpcode.FLUSH) {
                visible = completed;
            }
            request.visibleUpTo = visible;
            request.isCompleted = true;
            judges.completed(request, status);
        }
    }

    @Override
    public void receiveCompleted(WcStatus status) {
        synchronized (judges) {
            Request receive = oldestReceive();
            if (receive != null) {
                receive.isCompleted = true;
                receive.message = status == WcStatus.SUCCESS ? ofPeer(senderPsn) : null;
                Request message = receive.message;
                QpWatch from = message == null ? null : message.queuePair;
                if (message != null && from != null) {
                    if (!judges.memories().isEmpty()) {
                        receive.before = from.seenBefore(message, false);
                    }
                    if (!from.isUnreliable()) {
                        // It waited until the receive was posted, and what is behind it did, too (RNR).
                        message.acquires(receive.clock);
                        from.sawByAtomic(receive.clock);
                    }
                }
                judges.completed(receive, status);
            }
        }
    }

    /** A program has a completion of its send queue: it and all requests before it are the program's again. */
    void polledSend(ProgramClock program, long upTo, boolean succeeded) {
        isFlushKnown |= !succeeded;
        program.clock.advance(done, upTo);
        for (WatchedMemory memory : judges.memories()) {
            VectorClock accepted = new VectorClock();
            accepted.advance(done, upTo);
            memory.completed(program.clock, device.name(), accepted);
        }
        Request request = sends.peekFirst();
        while (request != null && request.number <= upTo) {
            boolean isLast = request.number == upTo;
            if (isUnreliable()) {
                sent.add(request);
            } else if (succeeded || !isLast) {
                program.clock.advance(executed, request.number);
                program.clock.advance(shown, request.visibleUpTo);
                if (request.acquired != null) {
                    program.learns(request.acquired);
                }
            }
            sends.removeFirst();
            judges.released(request);
            request = sends.peekFirst();
        }
    }

    /** A program has a completion of a receive. */
    void polledReceive(ProgramClock program, boolean succeeded) {
        isFlushKnown |= !succeeded;
        Request receive = receives.pollFirst();
        if (receive == null) {
            return;
        }
        program.clock.advance(received, receive.number);
        Request message = receive.message;
        if (message != null) {
            QpWatch from = message.queuePair;
            program.learns(receive.before == null ? message.clock : receive.before);
            if (from != null) {
                program.clock.advance(from.shown, message.number);
            }
        }
        for (WatchedMemory memory : judges.memories()) {
            VectorClock accepted = message == null ? new VectorClock() : including(message);
            accepted.advance(received, receive.number);
            memory.completed(program.clock, device.name(), accepted);
        }
        judges.released(receive);
    }

    @Override
    public void receiverNotReady(long nowNanos) {
        synchronized (judges) {
            judges.habits.receiverNotReady(this, ofPeer(senderPsn), nowNanos);
        }
    }

    /**
     * What is known where a request is executed: what its program knew, and what requests before it have seen there that are executed
     * before it: atomics, and for a READ or behind a fence READs as well (table F.1).
     */
    VectorClock seenBefore(Request request, boolean isRead) {
        VectorClock all = request.clock.copy();
        all.join(seenByAtomics);
        if (isRead || request.isFenced) {
            all.join(seenByReadsBefore(request));
        }
        return all;
    }

    /** What READs have seen that are executed before this request. */
    private VectorClock seenByReadsBefore(Request request) {
        if (request.number != lastRead) {
            seenByReads.join(seenByLastRead);
        }
        return seenByReads;
    }

    /** A READ has fetched what tells that much. */
    void sawByRead(Request read, VectorClock known) {
        seenByReadsBefore(read);
        lastRead = read.number;
        seenByLastRead.join(known);
    }

    /** An atomic has changed a word that tells that much, or a message has taken a receive that does. */
    void sawByAtomic(VectorClock known) {
        seenByAtomics.join(known);
    }

    /** The request is an atomic, or has fetched a word that another has stored. */
    void sees(Request request) {
        firstSight = firstSight == 0 ? request.number : firstSight;
    }

    /** Whether a request before this one was an atomic, or has fetched a word that another had stored. */
    boolean hasSeenBefore(Request request) {
        return firstSight != 0 && firstSight < request.number;
    }

    /** What its requests have seen at the peer so far. */
    VectorClock seen() {
        VectorClock all = seenByAtomics.copy();
        all.join(seenByReads);
        all.join(seenByLastRead);
        return all;
    }

    /** That the request was executed, and those before it of its queue. */
    static VectorClock including(Request request) {
        VectorClock known = new VectorClock();
        if (request.queuePair != null) {
            known.advance(request.queuePair.executed, request.number);
        }
        return known;
    }

    @Override
    public void flushed(int psn, long address, long lengthBytes, boolean persistent) {
        synchronized (judges) {
            Request request = ofPeer(psn);
            Range range = new Range(address, lengthBytes);
            for (WatchedMemory memory : judges.memories()) {
                if (request != null && request.queuePair != null && memory.has(range)) {
                    VectorClock before = request.queuePair.seenBefore(request, false);
                    before.advance(request.queuePair.executed, request.number - 1);
                    VectorClock gains = request.acquired == null ? new VectorClock() : request.acquired;
                    memory.flushed(request::isKnownToBeExecuted, device.name(), range, persistent, before, gains);
                    request.acquired = gains;
                }
            }
        }
    }

    /** How many receives were posted for it so far, those of its shared queue included. */
    long receivesPosted() {
        return sharedQueue == 0 ? receivesPosted : device.sharedPosted(sharedQueue);
    }

    /** The request that begins or ends a key of a window here now: its own, or that of its peer; null if unknown. */
    @Nullable
    Request changer(int rkey) {
        for (Request request : sends) {
            boolean isInvalidation = request.opcode == WrOpcode.LOCAL_INV && request.invalidatedKey == rkey;
            if (!request.isCompleted && (request.opcode == WrOpcode.BIND_MW || isInvalidation)) {
                return request;
            }
        }
        return ofPeer(senderPsn);
    }

    /** Whether what is queued is given back undone. */
    boolean isFlushing() {
        return state == QpState.ERR || state == QpState.RESET;
    }

    /** Whether it is, and a program may know so: it brought that about, has polled what failed, or has taken an event. */
    boolean isKnownToFlush() {
        return isFlushing() && isFlushKnown;
    }

    /** A program has taken an event of its device. */
    void mayKnowOfFailure() {
        isFlushKnown |= isFlushing();
    }

    @Override
    public String keyRefused(int rkey, int psn, long nowNanos) {
        synchronized (judges) {
            Request request = ofPeer(psn);
            judges.habits.keyRefused(this, rkey, request, nowNanos);
            KeyLife life = device.keyLife(rkey);
            String user = request == null ? "" : "used by " + request.posted();
            String end = life == null || life.isValid ? "" : life.ended();
            return user + (user.isEmpty() || end.isEmpty() ? "" : ", ") + end;
        }
    }

    @Override
    public String localKeyRefused(int lkey) {
        synchronized (judges) {
            return device.endOf(lkey);
        }
    }

    @Override
    public void stateChanged(QpState from, QpState to) {
        synchronized (judges) {
            state = to;
            if (to == QpState.RESET) {
                failure = null;
                isEndedByProgram = false;
                isFlushKnown = false;
                endBy(judges.programs.current());
                forget();
            }
        }
    }

    @Override
    public void rightsChanged(int accessFlags) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            if ((accessFlags & AccessFlags.REMOTE_WRITE) == 0) {
                writes = writes.endedBy(program);
            }
            if ((accessFlags & AccessFlags.REMOTE_READ) == 0) {
                reads = reads.endedBy(program);
            }
            if ((accessFlags & AccessFlags.REMOTE_ATOMIC) == 0) {
                atomics = atomics.endedBy(program);
            }
        }
    }

    /** The program takes it to RESET, or destroys it: its buffers are its own again, and the peer touches nothing here any more. */
    private void endBy(ProgramClock program) {
        program.clock.advance(done, posted);
        program.clock.advance(received, receivesPosted);
        endGrantsBy(program);
    }

    private void endGrantsBy(ProgramClock program) {
        writes = writes.endedBy(program);
        reads = reads.endedBy(program);
        atomics = atomics.endedBy(program);
        messages = messages.endedBy(program);
    }

    @Override
    public void endedByProgram() {
        synchronized (judges) {
            isEndedByProgram = true;
            isFlushKnown = true;
            endGrantsBy(judges.programs.current());
        }
    }

    /** What a program has polled of its failure and may not know of: one that has set the queue pair to ERR knows. */
    @Nullable
    PolledFailure unknownFailure() {
        return isEndedByProgram ? null : failure;
    }

    /** All that was queued is forgotten, and numbers go on: what programs know of them stays true. */
    private void forget() {
        sends.forEach(judges::released);
        receives.forEach(judges::released);
        sends.clear();
        receives.clear();
        begun = posted;
        completed = posted;
        reset = posted;
        lastPost = lastPost.copy();
    }

    /** Whether who knows that much knows that it is destroyed. */
    boolean isKnownToBeDestroyed(VectorClock known) {
        return destruction != null && destruction.isKnownTo(known);
    }

    /** How many requests had been posted when the device began to count anew. */
    long reset;

    @Override
    public void closeBegins() {
        synchronized (judges) {
            closer = judges.programs.current();
            closing = judges.programs.site(closer);
        }
    }

    @Override
    public void destroyed() {
        synchronized (judges) {
            // The program that destroys it owns its buffers again.
            ProgramClock program = closer == null ? judges.programs.current() : closer;
            if (closer != null && !device.isClosing && !isFlushing()) {
                judges.habits.abandoned(this, program, closing);
            }
            endBy(program);
            state = QpState.RESET;
            isDestroyed = true;
            destruction = program.newMoment();
            device.forget(this);
            forget();
            judges.habits.destroyed(this);
            judges.races.destroyed(this);
        }
    }

    /** Its own GID; null if it was never connected. */
    @Nullable
    Gid own() {
        return own;
    }

    @Override
    public String toString() {
        return "qp " + number + " of " + device.name();
    }
}
