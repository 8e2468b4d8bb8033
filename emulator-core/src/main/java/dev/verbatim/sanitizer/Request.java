// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.WrOpcode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of a program, from its post until its completion was polled. */
final class Request {

    /** The queue pair; null for one of a shared receive queue that no queue pair has taken. */
    @Nullable
    QpWatch queuePair;

    final DeviceWatch device;
    final long id;

    /** Null for a receive. */
    final @Nullable WrOpcode opcode;

    final boolean isSignaled;
    final boolean isFenced;
    final boolean isInline;

    /** Its local elements that have a known key and a length. */
    final List<Range> elements;

    /** Where each of them is. */
    final List<Region> regions;

    final CallSite site;
    final ProgramClock poster;

    /** What its program knew when it was posted. */
    final VectorClock clock;

    /** Its place in its queue, from 1. */
    final long number;

    @Nullable
    MemoryWindow window;

    @Nullable
    BindInfo bind;

    /** What a CMP_SWP compares with. */
    long compared;

    long remoteAddress;
    int remoteKey;

    /** The key that it invalidates; 0 for none. */
    int invalidatedKey;

    /** The elements while they are the device's; null before and after. */
    OwnedElement @Nullable [] owned;

    /** The last request with FENCE of its send queue, perhaps itself; 0 for none. */
    long lastFence;

    /** The shared queue that it was posted to; 0 for none. */
    int sharedQueue;

    /** Where its completion goes; null for none, or if that is not known. */
    @Nullable
    CqWatch cq;

    /** Programs that saw the one word that it writes; null for none. */
    @Nullable
    Witness seenBy;

    /** Under which the peer last touched remote memory for it; null for none, or if it is of another process. */
    @Nullable
    Grant grant;

    int firstPsn;
    int packets;
    boolean isStarted;
    boolean isCompleted;

    /** Whether the device has completed it without an error. */
    boolean hasSucceeded;

    /** What may have told programs of anything, counted when it was posted, or when a receive completed. */
    long tidings;

    /** Whether its program may post the like in a loop. */
    boolean mayLoop;

    /** So many requests of its queue have effects that programs of the peer see when this one has succeeded. */
    long visibleUpTo;

    /** What was known to who wrote the words that it saw, and to who posted the receive that it took; null for nothing. */
    @Nullable
    VectorClock acquired;

    /** What was known where it was executed, what its queue had executed before included; null where observers are coherent. */
    @Nullable
    VectorClock before;

    /** What the sender of the message knew that this receive took, and how far its queue pair had come; null if unknown. */
    @Nullable
    Request message;

    Request(
            DeviceWatch device,
            @Nullable QpWatch queuePair,
            long number,
            long id,
            @Nullable WrOpcode opcode,
            boolean isSignaled,
            boolean isFenced,
            boolean isInline,
            List<Range> elements,
            List<Region> regions,
            CallSite site,
            ProgramClock poster,
            VectorClock clock) {
        this.device = device;
        this.queuePair = queuePair;
        this.number = number;
        this.id = id;
        this.opcode = opcode;
        this.isSignaled = isSignaled;
        this.isFenced = isFenced;
        this.isInline = isInline;
        this.elements = elements;
        this.regions = regions;
        this.site = site;
        this.poster = poster;
        this.clock = clock;
    }

    /** A program that saw its word: knowing that it reached this epoch implies that the request is executed. */
    record Witness(ProgramClock.Moment moment, @Nullable Witness next) {}

    /** The program has seen the one word that it writes. */
    void seen(ProgramClock program) {
        seenBy = new Witness(new ProgramClock.Moment(program, program.now()), seenBy);
    }

    /** Whether the knowledge includes that a program has seen the word. */
    boolean isKnownToBeSeen(VectorClock known) {
        for (Witness each = seenBy; each != null; each = each.next()) {
            if (each.moment().isKnownTo(known)) {
                return true;
            }
        }
        return false;
    }

    /** Who has its completion knows that much, too. */
    void acquires(VectorClock known) {
        VectorClock all = acquired == null ? new VectorClock() : acquired;
        all.join(known);
        acquired = all;
    }

    /** Whether it is a READ or an atomic, which bring something back. */
    boolean isAnswered() {
        return opcode != null && Operation.of(opcode).effect.returnsData;
    }

    /** Whether it is done by its own device alone. */
    boolean isLocal() {
        return opcode != null && Operation.of(opcode).effect.isLocal;
    }

    /** Whether it is a message to a receive of the peer. */
    boolean isSend() {
        return opcode != null && Operation.of(opcode).effect == Effect.RECEIVE;
    }

    /** Whether it changes a word of the peer in one step. */
    boolean isAtomic() {
        return opcode != null && Operation.of(opcode).effect == Effect.ATOMIC;
    }

    /** How many bytes its elements have. */
    long lengthBytes() {
        long length = 0;
        for (Range each : elements) {
            length += each.lengthBytes();
        }
        return length;
    }

    boolean isReceive() {
        return opcode == null;
    }

    /** Whether its peer is a queue pair that is watched as well. */
    boolean hasPeerHere() {
        QpWatch own = queuePair;
        return isReceive() ? message != null : own != null && own.hasPeerHere();
    }

    boolean hasPsn(int psn) {
        return isStarted && ((psn - firstPsn) & 0xffffff) < Math.max(1, packets);
    }

    /** In a sentence, with the place of its post. */
    String posted() {
        return site.isEmpty() ? toString() : this + " posted at " + site;
    }

    /** Whether who was told that much was told something that its program said behind the post. */
    boolean isPostKnownTo(VectorClock told) {
        return told.get(poster.component) > clock.get(poster.component);
    }

    /** Whether it names the bytes until it is over. */
    boolean names(Region region) {
        return !isInline && regions.contains(region);
    }

    /** Whether the knowledge includes that it has had its effect; the program that has polled it knows so anyway. */
    boolean isKnownToBeOver(VectorClock known) {
        return isKnownToBeDone(known) || (!isReceive() && isKnownToBeExecuted(known));
    }

    /**
     * Whether the knowledge includes that the device needs its elements no more. That a peer has executed it does not say so: if the
     * acknowledgement is lost, it is sent again.
     */
    boolean isKnownToBeDone(VectorClock known) {
        QpWatch own = queuePair;
        if (own == null) {
            return false;
        }
        if (isReceive()) {
            Request taken = message;
            return known.get(own.received) >= number || (taken != null && taken.isKnownToBeExecuted(known));
        }
        return known.get(own.done) >= number;
    }

    /** Whether the knowledge includes that the peer's device has done it. */
    boolean isKnownToBeExecuted(VectorClock known) {
        QpWatch own = queuePair;
        return own != null && (known.get(own.executed) >= number || known.get(own.shown) >= number);
    }

    /** The name of its queue, for a sentence: a shared receive queue until a queue pair has taken it, then that queue pair. */
    String queue() {
        QpWatch own = queuePair;
        if (own != null) {
            return own.toString();
        }
        return sharedQueue == 0 ? device.name() : "srq " + sharedQueue + " of " + device.name();
    }

    /** In a sentence. */
    @Override
    public String toString() {
        String what = opcode == null ? "receive" : opcode.toString();
        return what + " wr_id=" + Long.toUnsignedString(id) + " of " + queue();
    }
}
