// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.verbs.PathMtu;
import java.time.Duration;

/**
 * What {@link PingPong} does. Both sides need the same type, size, iterations and number of queue pairs.
 *
 * @param service transport service, and whether receives are shared
 * @param sizeBytes bytes of a message, from 1; of UD at most one path MTU
 * @param mtu path MTU of RC and UC
 * @param iterations messages in each direction, of each queue pair; of a shared receive queue, of all together
 * @param queuePairs how many queue pairs share the receive queue; 1 otherwise
 * @param check whether each message that arrives is compared with what must come
 * @param patience longest wait for the peer, at each step
 */
public record PingPongOptions(
        Service service, int sizeBytes, PathMtu mtu, int iterations, int queuePairs, boolean check, Duration patience) {

    /** Which program of rdma-core is the peer. */
    public enum Service {
        /** {@code ibv_rc_pingpong}. */
        RC,
        /** {@code ibv_uc_pingpong}. */
        UC,
        /** {@code ibv_ud_pingpong}. */
        UD,
        /** {@code ibv_srq_pingpong}: RC with a shared receive queue. */
        SRQ
    }

    /** The TCP port at which a server of {@code ibv_*_pingpong} listens. */
    public static final int USUAL_PORT = 18515;

    static final int MOST_QUEUE_PAIRS = 255;

    /** Checks the ranges. */
    public PingPongOptions {
        if (sizeBytes < 1 || iterations < 1) {
            throw new InteropException("size=" + sizeBytes + " and iterations=" + iterations + " must be at least 1");
        }
        if (queuePairs < 1 || queuePairs > MOST_QUEUE_PAIRS) {
            throw new InteropException("num-qp=" + queuePairs + " is not in 1.." + MOST_QUEUE_PAIRS);
        }
        if (service != Service.SRQ && queuePairs != 1) {
            throw new InteropException("num-qp=" + queuePairs + " needs a shared receive queue, type srq");
        }
    }
}
