// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue ({@code struct ibv_srq}): its receives are used by any of its queue pairs, in order of
 * arriving messages. Thread-safe.
 */
public interface SharedReceiveQueue extends AutoCloseable {

    /** The protection domain, to which its receive buffers must belong (PD-06). */
    ProtectionDomain pd();

    /** The attributes that were granted at creation. */
    SrqInitAttributes initAttributes();

    /**
     * The number for use in XRC requests ({@code ibv_get_srq_num}), 24 bits, from 1.
     *
     * @throws VerbsException EINVAL if it is not of type XRC
     */
    int number();

    /** The sizes, and the armed limit, 0 if none ({@code ibv_query_srq}, SRQ-08). */
    SrqAttributes query();

    /**
     * Changes the attributes in {@code mask} ({@code ibv_modify_srq}).
     *
     * @param mask {@link SrqAttributes#MAX_WR}, {@link SrqAttributes#LIMIT} or both
     * @throws VerbsException EINVAL if a value is not legal (SRQ-04, SRQ-05), EOPNOTSUPP if the device cannot
     *     resize; nothing has changed then
     */
    void modify(SrqAttributes attributes, int mask);

    /**
     * Posts one receive ({@code ibv_post_srq_recv}).
     *
     * @throws VerbsException EINVAL with too many elements, ENOMEM if the queue is full (SRQ-01)
     */
    void postRecv(ReceiveWorkRequest request);

    /** Posts a chain. On an exception the requests before {@link VerbsException#badRequest()} have been posted (WR-10). */
    void postRecv(List<ReceiveWorkRequest> chain);

    /** The context object of the caller. */
    default @Nullable Object context() {
        return initAttributes().context();
    }

    /**
     * Destroys the queue ({@code ibv_destroy_srq}). Its receives are discarded without completions.
     *
     * @throws VerbsException EBUSY while a queue pair uses it (PD-05) or events of it are not acknowledged, ENOENT
     *     if destroyed before
     */
    @Override
    void close();
}
