// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.MemoryShown;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.trace.TraceEvent.SendPosted;
import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.trace.TraceEvent.StateChanged;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A run of two devices as somebody has it who sees one of them: its events, and what the other reports. */
final class OneSide implements Tap {

    final Set<String> own;
    final List<TraceEvent> events = new ArrayList<>();

    /** The other side's memory at the end, byte by byte. */
    final Map<Long, Byte> memory = new TreeMap<>();

    OneSide(String... own) {
        this.own = Set.of(own);
    }

    @Override
    public void on(TraceEvent event) {
        if (own.contains(event.device())) {
            events.add(event);
            return;
        }
        if (event instanceof SendPosted
                || event instanceof ReceivePosted
                || event instanceof SharedReceivePosted
                || event instanceof Completed
                || event instanceof KeyChanged
                || event instanceof StateChanged
                || event instanceof ProgramTouched) {
            events.add(event);
        }
        if (event instanceof ProgramTouched touched && touched.store()) {
            put(touched.address(), touched.data());
        } else if (event instanceof MemoryTouched touched
                && !touched.held()
                && !touched.effect().isRead()) {
            put(touched.address(), touched.data());
        } else if (event instanceof MemoryShown shown) {
            put(shown.address(), shown.data());
        }
    }

    private void put(long address, ByteBuffer data) {
        for (int i = 0; i < data.remaining(); i++) {
            memory.put(address + i, data.get(data.position() + i));
        }
    }

    Verdict verdict() {
        Oracle oracle = Oracle.ofOneSide(own.toArray(String[]::new)).read(events);
        memory.forEach((address, value) -> oracle.peerMemoryAtEnd(address, ByteBuffer.wrap(new byte[] {value})));
        return oracle.verdictAtEnd();
    }
}
