// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every request that was posted, until it is known to be over: each completes at most once, and in its order. */
final class Ledger {

    /** A request: one of the two, and the queue pair that it was posted to. */
    record Entry(
            long id,
            int qpNumber,
            @Nullable SendWorkRequest send,
            @Nullable ReceiveWorkRequest receive) {

        boolean isSend() {
            return send != null;
        }

        /** Whether it has a completion in any case. */
        boolean isSignaled() {
            return send == null || send.has(SendFlags.SIGNALED);
        }

        /** Whether the answer to it is placed in its elements. */
        boolean takesAnswer() {
            return send != null
                    && switch (send.opcode()) {
                        case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> true;
                        default -> false;
                    };
        }

        List<Sge> elements() {
            List<Sge> elements = new ArrayList<>();
            for (int i = 0; send != null && send.opcode() != WrOpcode.BIND_MW && i < send.elementCount(); i++) {
                elements.add(send.element(i));
            }
            for (int i = 0; receive != null && i < receive.elementCount(); i++) {
                elements.add(receive.element(i));
            }
            return elements;
        }
    }

    private final Map<Long, Entry> open = new LinkedHashMap<>();
    private final boolean lossy;
    private long lastId;

    /**
     * A ledger without entries.
     *
     * @param lossy whether completions may get lost, because there is too little room for them
     */
    Ledger(boolean lossy) {
        this.lossy = lossy;
    }

    /** A number for the next request. */
    long nextId() {
        return ++lastId;
    }

    void posted(int qpNumber, SendWorkRequest request) {
        open.put(request.id(), new Entry(request.id(), qpNumber, request, null));
    }

    void posted(int qpNumber, ReceiveWorkRequest request) {
        open.put(request.id(), new Entry(request.id(), qpNumber, null, request));
    }

    /** A completion came: it is of a request that is open, and those before it are over. */
    Entry completed(WorkCompletion completion) {
        Entry entry = open.get(completion.id());
        assertThat(entry).as("an open request of %s", completion).isNotNull();
        assertThat(completion.qpNumber()).as("%s", completion).isEqualTo(entry.qpNumber());
        for (Entry before : of(entry.qpNumber(), entry.isSend())) {
            if (before.id() < entry.id()) {
                assertThat(before.isSignaled() && !lossy)
                        .as("%s came before %s, which was posted earlier", completion, before)
                        .isFalse();
                open.remove(before.id());
            }
        }
        open.remove(entry.id());
        return entry;
    }

    /** The queue pair was reset or destroyed: nothing more comes of its requests. */
    void forget(int qpNumber) {
        open.values().removeIf(entry -> entry.qpNumber() == qpNumber);
    }

    /** The requests of a queue pair that are not known to be over, oldest first. */
    List<Entry> of(int qpNumber, boolean sends) {
        return open.values().stream()
                .filter(entry -> entry.qpNumber() == qpNumber && entry.isSend() == sends)
                .toList();
    }

    /** The queue pair failed and everything was polled: nothing that has a completion is left. */
    void assertFlushed(int qpNumber) {
        assertThat(open.values())
                .as("requests of a failed queue pair that never completed")
                .noneMatch(entry -> entry.qpNumber() == qpNumber && entry.isSignaled() && !lossy);
        forget(qpNumber);
    }
}
