// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

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
record Touch(
        QueuePairModel queuePair,
        MemoryTouched event,
        ByteBuffer data,
        @Nullable KeyLife life,
        long position) {

    MemoryModel memory() {
        return queuePair.device().memory();
    }

    MemoryEffect effect() {
        return event.effect();
    }

    int psn() {
        return event.psn();
    }

    int lengthBytes() {
        return data.remaining();
    }
}
