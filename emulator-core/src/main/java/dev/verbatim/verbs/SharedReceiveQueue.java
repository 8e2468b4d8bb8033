// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue ({@code struct ibv_srq}): receives for whichever of its queue pairs gets a message first. Any thread may
 * use it.
 */
public interface SharedReceiveQueue extends AutoCloseable {

    /** The domain it was made in, in which its receive buffers are (PD-06). */
    ProtectionDomain pd();

    /** What was granted at creation. */
    SrqInitAttributes initAttributes();

    /**
     * Number by which XRC requests name it ({@code ibv_get_srq_num}), 24 bits, from 1.
     *
     * @throws VerbsException EINVAL if it is not of type XRC
     */
    int number();

    /** Its sizes, and the limit that is armed, 0 if none is ({@code ibv_query_srq}, SRQ-08). */
    SrqAttributes query();

    /**
     * Changes the attributes that {@code mask} names ({@code ibv_modify_srq}).
     *
     * @param mask {@link SrqAttributes#MAX_WR}, {@link SrqAttributes#LIMIT} or both
     * @throws VerbsException EINVAL if a value is not legal (SRQ-04, SRQ-05), EOPNOTSUPP if the device cannot resize; nothing has
     *     changed then
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

    /** The caller's own object. */
    default @Nullable Object context() {
        return initAttributes().context();
    }

    /**
     * Destroys the queue, and the receives in it, without completions ({@code ibv_destroy_srq}).
     *
     * @throws VerbsException EBUSY while a queue pair uses it (PD-05) or events of it are not acknowledged, ENOENT if destroyed
     *     before
     */
    @Override
    void close();
}
