// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.visibility.MemorySystem;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Judges what programs and devices do; with the lock of the {@link Judges} held. */
interface Judge {

    /** A request is in a queue, and its elements are the device's from now on. */
    default void posted(Request request, ProgramClock program) {}

    /** A program has posted to the queue pair, and goes on. */
    default void postEnds(QpWatch queuePair) {}

    /** A queue pair took a receive of a shared queue. */
    default void taken(Request receive, QpWatch queuePair) {}

    /** The device touches elements of a request of its own program; null for one that is not known. */
    default void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {}

    /**
     * The device touches memory for a peer.
     *
     * @param request of the peer; null for one that is not known
     * @param receive whose elements the bytes are; null for none
     */
    default void touchedRemotely(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {}

    /** A program may have been told of what is over, in a way that is not seen. */
    default void toldSomething() {}

    /** Memory with such bytes is given back, or its region ends. */
    default void given(Predicate<Range> isMeant) {}

    /** Programs see bytes that were placed for a peer. */
    default void shown(Range range) {}

    /** The power of a node fails. */
    default void powerFails(MemorySystem memory, ProgramClock program) {}

    /** A peer reached memory by a remote key. */
    default void reached(QpWatch responder, Access.Kind kind, Range range, int key, @Nullable Request request) {}

    /** A request has completed. */
    default void completed(Request request, WcStatus status) {}

    /** A program has the completion of a request, or of a later one: its elements are the program's again. */
    default void released(Request request) {}

    /** Keys lead to memory from now on. */
    default void registered(DeviceWatch device, Region region) {}

    /** They no longer do. */
    default void deregistered(DeviceWatch device, Region region, long nowNanos) {}

    /** The key of a window became valid or invalid, by a request of a queue pair or, with null, of none. */
    default void windowKey(DeviceWatch device, int rkey, boolean valid, @Nullable QpWatch queuePair, long nowNanos) {}

    /** A program gave memory back by this call, and so that of regions with such bytes. */
    default void freed(DeviceWatch device, Range range, String call, Predicate<Range> isMeant) {}

    /** A peer's atomic changed a word. */
    default void stepped(Range word, long before, long after, @Nullable Request request) {}

    /** A program asked for the remote key of a region. */
    default void rkeyAsked(DeviceWatch device, int lkey) {}

    /** A remote key was refused. */
    default void keyRefused(QpWatch responder, int rkey, @Nullable Request request, long nowNanos) {}

    /** A message found no receive. */
    default void receiverNotReady(QpWatch responder, @Nullable Request message, long nowNanos) {}

    /** What stands in a send queue that is full, in some words. */
    default String standing(QpWatch queuePair) {
        return "";
    }

    /** A program closes a queue pair, with what is left in its queues. */
    default void abandoned(QpWatch queuePair, ProgramClock program, CallSite site) {}

    /** A program has a completion of this queue. */
    default void polled(CqWatch cq) {}

    /** A queue pair was destroyed. */
    default void destroyed(QpWatch queuePair) {}

    /** A program made an object. */
    default void made(DeviceWatch device, Object object) {}

    /** A program closed an object. */
    default void closed(DeviceWatch device, Object object) {}

    /** A device is closed with all that it has. */
    default void closedAll(DeviceWatch device) {}

    /** A program asked for an event of a completion queue. */
    default void armed(CqWatch cq, long waiting, ProgramClock program) {}

    /** A program waits for an event of a channel; in vain if the channel has none. */
    default void waitsFor(DeviceWatch device, CompletionChannel channel, ProgramClock program, boolean isVain) {}

    /** A program has an event of a completion queue. */
    default void eventTaken(DeviceWatch device, CompletionQueue cq) {}

    /** An asynchronous event was raised. */
    default void raised(DeviceWatch device, EventType type) {}

    /** A program has an asynchronous event. */
    default void eventTaken(DeviceWatch device, AsyncEvent event) {}

    /** Somebody asks what was found so far. */
    default void settle(DeviceWatch device) {}

    /** The program ends, and says that nothing failed. */
    default void endsWell(DeviceWatch device) {}

    /** Nothing more happens to the device. */
    default void end(DeviceWatch device) {}
}
