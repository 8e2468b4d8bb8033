// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_recv_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.util.function.Consumer;

/** Posts chains of {@code struct ibv_recv_wr}, by one request that is filled again and again. */
final class Receives {

    private static final int USUAL_ELEMENTS = 4;

    /** More than any device has; a number beyond it is a mistake, and no list is read. */
    static final int MOST_ELEMENTS = 1024;

    private final Consumer<ReceiveWorkRequest> queue;
    private final ReceiveWorkRequest.Refillable request = new ReceiveWorkRequest.Refillable(USUAL_ELEMENTS);

    Receives(Consumer<ReceiveWorkRequest> queue) {
        this.queue = queue;
    }

    /** Posts a chain; if a request is refused, those before it are posted, and {@code bad} points to it. */
    synchronized void post(long requests, long bad) {
        long at = requests;
        try {
            while (at != 0) {
                fill(at);
                queue.accept(request);
                at = ibv_recv_wr.next.get(at);
            }
        } catch (RuntimeException | Error refused) {
            Native.putLong(bad, at);
            throw refused;
        }
    }

    private void fill(long at) {
        int count = ibv_recv_wr.num_sge.get(at);
        if (count < 0 || count > MOST_ELEMENTS) {
            throw new Refused(Errno.EINVAL.number(), "num_sge=" + count + " is not in 0.." + MOST_ELEMENTS);
        }
        request.fill(ibv_recv_wr.wr_id.get(at));
        long element = ibv_recv_wr.sg_list.get(at);
        for (int i = 0; i < count; i++) {
            request.add(ibv_sge.addr.get(element), ibv_sge.length.get(element), ibv_sge.lkey.get(element));
            element += ibv_sge.SIZE;
        }
    }
}
