// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * An XRC domain ({@code struct ibv_xrcd}): queue pairs of type XRC_RECV reach the shared receive queues of their domain by number
 * (XRC-01).
 */
public interface XrcDomain extends AutoCloseable {

    /** The device it belongs to. */
    Device device();

    /**
     * Creates a queue pair of type XRC_RECV in state RESET ({@code ibv_create_qp_ex}). It has no queues, no completion
     * queues and no protection domain.
     *
     * @throws VerbsException EINVAL if another type is asked for, ENOMEM if the device has no more
     */
    QueuePair createQp(QpInitAttributes attributes);

    /**
     * Closes the domain once per opening; the last call destroys it ({@code ibv_close_xrcd}).
     *
     * @throws VerbsException EBUSY while it has queue pairs or shared receive queues, ENOENT if closed before
     */
    @Override
    void close();
}
