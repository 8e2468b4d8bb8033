// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.inspect;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.ReceiveWorkRequest;

/** Watches a device. */
public interface DeviceInspector {

    /**
     * A queue pair is made; what is returned watches it.
     *
     * @param srq the shared receive queue that it takes its receives from; 0 for none
     */
    QpInspector queuePair(int number, QpInitAttributes attributes, int srq);

    /** A completion queue is made; what is returned watches it. */
    CqInspector completionQueue(CompletionQueue cq);

    /** A program made an object, of whatever kind. */
    default void made(Object object) {}

    /** An object was closed by its program. */
    default void closed(Object object) {}

    /** The device was closed with all that it had. */
    default void closedAll() {}

    /**
     * Keys lead to memory from now on.
     *
     * @param rkey 0 if there is none
     * @param offset first byte of the memory
     * @param address what the keys call that byte
     * @param access its {@link dev.verbatim.verbs.AccessFlags}
     */
    default void registered(
            int lkey, int rkey, Memory memory, long offset, long lengthBytes, long address, int access) {}

    /** They no longer do. */
    default void deregistered(int lkey, long nowNanos) {}

    /**
     * The key of a window begins to be valid, or ceases to be.
     *
     * @param queuePair queue pair of this device that executed it, for a request of its own or of its peer; 0 for a program
     */
    default void windowKey(int rkey, boolean valid, int queuePair, long nowNanos) {}

    /** A program asked for the remote key of a region. */
    default void rkeyAsked(int lkey) {}

    /** A receive was posted to a shared receive queue. */
    default void sharedReceivePosted(int srq, ReceiveWorkRequest request) {}

    /** A program waits for an event of a channel; {@link #eventTaken} follows when it has one. */
    default void waitsFor(CompletionChannel channel, boolean hasEvent) {}

    /** A program has an event of a channel. */
    default void eventTaken(CompletionChannel channel, CompletionQueue cq) {}

    /** An asynchronous event was raised; on the lane. */
    default void raised(EventType type) {}

    /** A program has an asynchronous event. */
    default void eventTaken(AsyncEvent event) {}

    /** A program has an event of the connection manager. */
    default void heardOfConnection() {}
}
