// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair ({@code struct ibv_qp}). Thread-safe; chains that different threads post do not interleave (WR-18). */
public interface QueuePair extends AutoCloseable {

    /** The device it belongs to. */
    Device device();

    /** The protection domain; null for XRC_RECV, which has none (XRC-01). */
    @Nullable
    ProtectionDomain pd();

    /** Its number, 24 bits, from 2. */
    int number();

    /** The current state; see {@link #query()} for other attributes. */
    QpState state();

    /** The attributes that were granted at creation. */
    QpInitAttributes initAttributes();

    /**
     * Returns the current attributes ({@code ibv_query_qp}); permitted in every state.
     *
     * @throws VerbsException ENOENT if destroyed before, as every other verb (QP-05)
     */
    QpAttributes query();

    /**
     * Changes the attributes that are set in {@code attributes}. Transitions from RESET through INIT and RTR to RTS
     * each require certain attributes; {@link dev.verbatim.RcConnection} sets them for two queue pairs. The attributes
     * are copied.
     *
     * @throws VerbsException as {@link #modify(QpAttributes, int)}
     */
    default void modify(QpAttributes attributes) {
        modify(
                attributes,
                VerbsException.requireNonNull(attributes, "attributes").mask());
    }

    /**
     * Changes the attributes in {@code mask} ({@code ibv_modify_qp}); all other attributes are ignored. Timeouts are
     * codes, not times: 4.096 us * 2^timeout; 0 means no timeout. PSNs have 24 bits.
     *
     * @param mask bits of {@link QpAttributeMask}; with STATE it is a transition, which has required and optional
     *     attributes
     * @throws VerbsException EINVAL for a transition, an attribute or a value that is not legal; nothing has
     *     changed then, and the message names what is missing or too much (QS-01 to QS-05, QV-01 to QV-10); ENOENT if
     *     the queue pair was destroyed (QP-05)
     */
    void modify(QpAttributes attributes, int mask);

    /**
     * Posts one request ({@code ibv_post_send}). Keys and ranges are checked when it executes, not here (MR-40).
     *
     * @throws VerbsException EINVAL for a state or a request that is not legal (QP-20, WR-01, WR-11, WR-17, WR-22),
     *     ENOMEM if the send queue is full (WR-11)
     */
    void postSend(SendWorkRequest request);

    /**
     * Posts a chain. On an exception the requests before {@link VerbsException#badRequest()} have been posted (WR-10).
     */
    void postSend(List<SendWorkRequest> chain);

    /**
     * Posts all requests of a batch, or none of them ({@code ibv_wr_complete}, WR-10).
     *
     * @throws VerbsException as {@link #postSend(SendWorkRequest)}, with the first request that was refused; nothing was posted then
     */
    void postAll(List<SendWorkRequest> batch);

    /**
     * Posts a bind of a window of type 1 ({@code ibv_bind_mw}). After the return {@link MemoryWindow#rkey()} is the new
     * key, which is valid when the bind has executed (MW-20).
     *
     * @throws VerbsException EINVAL if the window is not of type 1 (MW-10), for a range without a region (MW-11), a
     *     ZERO_BASED window (MW-13) or region (MW-14), a closed object (MW-58), or a state that does not send (MW-17);
     *     EPERM if window and region are of different domains (MW-12); ENOMEM if the send queue is full (MW-18).
     *     Nothing is posted then, and the key of the window is unchanged
     */
    void bindWindow(MemoryWindow window, WindowBind bind);

    /**
     * Posts one receive ({@code ibv_post_recv}).
     *
     * @throws VerbsException EINVAL in state RESET (QP-21) or with too many elements (WR-11), ENOMEM if the receive
     *     queue is full (WR-11)
     */
    void postRecv(ReceiveWorkRequest request);

    /**
     * Posts a chain. On an exception the requests before {@link VerbsException#badRequest()} have been posted (WR-10).
     */
    void postRecv(List<ReceiveWorkRequest> chain);

    /**
     * Lets messages that begin find no receive for so long, whatever is posted, for tests of their senders: RC and XRC answer that the
     * receiver is not ready (WC-47), UC and UD drop them. Receives can be posted meanwhile, and are found afterwards.
     *
     * @param time up to an hour; zero ends it
     * @throws VerbsException EINVAL for another time, ENOENT if the queue pair was destroyed (QP-05)
     */
    void holdReceives(Duration time);

    /** Whether data is placed in order for programs that poll memory ({@code ibv_query_qp_data_in_order}, QP-09). */
    boolean queryDataInOrder(WrOpcode opcode);

    /**
     * Destroys the queue pair in any state ({@code ibv_destroy_qp}). Outstanding requests are discarded without
     * completions (QP-06).
     *
     * @throws VerbsException EBUSY while asynchronous events of it are not acknowledged (QP-06), ENOENT if
     *     destroyed before (QP-05)
     */
    @Override
    void close();
}
