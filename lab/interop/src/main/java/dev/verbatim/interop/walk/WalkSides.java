// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.walk.WalkNode.Connection;
import dev.verbatim.interop.walk.WalkNode.Done;
import dev.verbatim.interop.walk.WalkNode.Pair;
import dev.verbatim.interop.walk.WalkNode.Region;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Requester and responder of one case, with a queue pair and memory each. */
final class WalkSides {

    static final int ALL_REMOTE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    static final int ALL = AccessFlags.LOCAL_WRITE | ALL_REMOTE | AccessFlags.MW_BIND;
    static final int MEMORY_BYTES = 8192;
    static final int QUEUE_KEY = 0x1111_1111;

    /** Of soft-RoCE 7 means for ever. */
    private static final int RETRIES = 6;

    private static final int RNR_RETRIES = 7;

    private final Duration patience;
    private final int timeout;

    /** Who posts requests. */
    final WalkNode requester;

    /** Who answers them. */
    final WalkNode responder;

    /** Memory of the requester. */
    final Region own;

    /** Memory of the responder, with all rights. */
    final Region far;

    Pair near;
    Pair remote;

    /**
     * New memory on both sides.
     *
     * @param patience longest wait for a completion
     * @param timeout ACK timeout code of connections
     */
    WalkSides(WalkNode requester, WalkNode responder, Duration patience, int timeout) {
        this.requester = requester;
        this.responder = responder;
        this.patience = patience;
        this.timeout = timeout;
        own = requester.register(MEMORY_BYTES, ALL);
        far = responder.register(MEMORY_BYTES, ALL);
        requester.fill(own, MEMORY_BYTES, 1);
        near = new Pair(-1, -1);
        remote = near;
    }

    /** Connects a queue pair of each with all rights. */
    WalkSides connect(QpType type) {
        return connect(type, ALL_REMOTE, RNR_RETRIES, false);
    }

    WalkSides connect(QpType type, int access, int rnrRetries, boolean shared) {
        near = requester.createQp(type, false);
        remote = responder.createQp(type, shared);
        join(near, remote, type, access, rnrRetries);
        return this;
    }

    private void join(Pair one, Pair other, QpType type, int access, int rnrRetries) {
        int onePeer = type == QpType.UD ? QUEUE_KEY : other.qpNumber();
        int otherPeer = type == QpType.UD ? QUEUE_KEY : one.qpNumber();
        requester.connect(
                one, new Connection(responder.gid(), onePeer, access, timeout, RETRIES, rnrRetries, PathMtu.MTU_1024));
        responder.connect(
                other,
                new Connection(requester.gid(), otherPeer, access, timeout, RETRIES, rnrRetries, PathMtu.MTU_1024));
    }

    /** Posts a request at the requester, and returns how it completed. */
    WcStatus execute(SendWorkRequest request) {
        responder.settle();
        requester.postSend(near, request);
        return awaitSend();
    }

    WcStatus awaitSend() {
        return requester
                .awaitSend(near, patience)
                .map(Done::status)
                .orElseThrow(() -> new InteropException("the request did not complete"));
    }

    /** Waits for a receive at the responder. */
    Done receive() {
        return responder.awaitReceive(remote, patience).orElseThrow(() -> new InteropException("no receive completed"));
    }

    void postReceive(int lengthBytes) {
        responder.postReceive(remote, 0, far.sge(0, lengthBytes), false);
    }

    /** Binds a window at the responder, and returns its key. */
    int bind(int type, int offset, int lengthBytes, int access) {
        return bind(remote, type, offset, lengthBytes, access);
    }

    int bind(Pair pair, int type, int offset, int lengthBytes, int access) {
        int key = responder.bind(pair, responder.allocateWindow(type), far, offset, lengthBytes, access);
        requireSuccess(responder.awaitSend(pair, patience), "the bind");
        return key;
    }

    /** Carries out a request of the responder, such as LOCAL_INV. */
    void executeAtResponder(SendWorkRequest request) {
        requester.settle();
        responder.postSend(remote, request);
        requireSuccess(responder.awaitSend(remote, patience), request.toString());
    }

    private static void requireSuccess(Optional<Done> done, String what) {
        if (done.isEmpty() || done.get().status() != WcStatus.SUCCESS) {
            throw new InteropException(what + " of the responder ended with " + done);
        }
    }

    /** The responder's memory holds the requester's pattern, from {@code offset}. */
    void requireArrived(int offset, int length) {
        requireEqual(responder.load(far, offset, length), WalkNode.pattern(length, 1), "memory");
    }

    static void requireEqual(byte[] found, byte[] wanted, String what) {
        int wrong = Arrays.mismatch(found, wanted);
        if (wrong >= 0) {
            throw new InteropException(what + " differs at byte " + wrong);
        }
    }

    static void require(boolean right, String what) {
        if (!right) {
            throw new InteropException(what);
        }
    }
}
