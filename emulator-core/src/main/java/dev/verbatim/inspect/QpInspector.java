// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.inspect;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;

/** Watches a queue pair. All on the lane, unless said. */
public interface QpInspector {

    /** A program begins to post to the send queue; on its thread, before anything is checked. */
    default void postBegins() {}

    /** It has posted, or was refused, and goes on when this returns; on its thread. */
    default void postEnds() {}

    /** Says which requests occupy the full send queue; empty if that is not known. On the program's thread. */
    default String standing() {
        return "";
    }

    /**
     * A request is in the send queue. The request must not be kept.
     *
     * @param signaled whether it has a completion on success
     */
    void sendPosted(SendWorkRequest request, boolean signaled);

    /** A request is in the receive queue. The request must not be kept. */
    void receivePosted(ReceiveWorkRequest request);

    /** The oldest request of a shared receive queue is the queue pair's own from now on. */
    void sharedReceiveTaken(int srq);

    /** The next request of the send queue begins, with these packet sequence numbers. */
    void started(int firstPsn, int packets);

    /** The queue pair takes packets of this peer from now on. */
    void connected(Gid own, Gid peer, int destinationQp);

    /** A packet of a peer is about to be processed. */
    void received(Gid peer, int sourceQp, int psn);

    /**
     * Bytes were gathered or fetched, or are about to be placed.
     *
     * @param key the key that was used
     * @param psn of the packet, or the first of several
     * @param address the memory's address of the first byte
     */
    void touched(MemoryEffect effect, int key, int psn, long address, int lengthBytes);

    /** Programs see bytes that were placed for a peer: right behind {@link #touched}, or later. */
    default void shown(long address, int lengthBytes) {}

    /**
     * A FLUSH of a peer is executed.
     *
     * @param address the memory's address of the first byte
     */
    default void flushed(int psn, long address, long lengthBytes, boolean persistent) {}

    /** A peer's atomic of this PSN changed the word at this address of memory. */
    default void stepped(int psn, long address, long before, long after) {}

    /** The oldest request of the send queue has completed, whether a completion tells it or not. */
    void sendCompleted(WcStatus status);

    /** The receive that the present message took, or else the oldest, has completed. */
    void receiveCompleted(WcStatus status);

    /** A message found no receive, and its sender was told so. */
    void receiverNotReady(long nowNanos);

    /**
     * A remote key was refused that a peer used.
     *
     * @return who posted the request and what ended the key, with their places, for the explanation; empty if that is not known
     */
    String keyRefused(int rkey, int psn, long nowNanos);

    /**
     * A local key was refused that a request names.
     *
     * @return what ended the key, with its place, for the explanation; empty if that is not known
     */
    default String localKeyRefused(int lkey) {
        return "";
    }

    /** The queue pair changed its state. */
    void stateChanged(QpState from, QpState to);

    /**
     * A program changed what the peer may do, or took the queue pair to RESET.
     *
     * @param accessFlags of {@link dev.verbatim.verbs.AccessFlags}, the remote rights that the peer has from now on
     */
    default void rightsChanged(int accessFlags) {}

    /** A program sets it to ERR, where it may be already. */
    default void endedByProgram() {}

    /** A program is about to close it, which may be refused; on its thread. */
    default void closeBegins() {}

    /** The queue pair was destroyed. */
    void destroyed();
}
