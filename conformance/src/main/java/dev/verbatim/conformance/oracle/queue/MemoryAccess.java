// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.memory.MemoryModel;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair touches memory.
 *
 * @param life of the key; null if there is none
 * @param position where in the trace
 */
public record MemoryAccess(
        QueuePairModel queuePair,
        MemoryTouched event,
        ByteBuffer data,
        @Nullable KeyLife life,
        long position) {

    public MemoryModel memory() {
        return queuePair.device().memory();
    }

    public MemoryEffect effect() {
        return event.effect();
    }

    public int psn() {
        return event.psn();
    }

    public int lengthBytes() {
        return data.remaining();
    }
}
