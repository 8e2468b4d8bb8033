// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.trace.MemoryTap;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.List;
import java.util.stream.Collectors;
import org.opentest4j.TestAbortedException;

/** Keeps what devices did, and tells {@link RuleCoverage} which rules they reached. */
public final class RecordingTap implements Tap {

    private static final int MOST_EVENTS = 1 << 18;

    private final MemoryTap kept = new MemoryTap(MOST_EVENTS);
    private final boolean isThere;

    /** A tap to be given to devices. */
    public RecordingTap() {
        this(true);
    }

    private RecordingTap(boolean isThere) {
        this.isThere = isThere;
    }

    /** What a test has where nobody watches: it is not for such tests if it asks what devices did. */
    public static RecordingTap absent() {
        return new RecordingTap(false);
    }

    @Override
    public void on(TraceEvent event) {
        RuleCoverage.observe(event);
        kept.on(event);
    }

    /** Everything so far. */
    public List<TraceEvent> events() {
        requireThere();
        return kept.events();
    }

    /** The events of one kind so far, oldest first. */
    public <E extends TraceEvent> List<E> events(Class<E> kind) {
        return events().stream().filter(kind::isInstance).map(kind::cast).collect(Collectors.toList());
    }

    /** The packets that a device sent so far. */
    public List<TraceEvent.PacketSent> sentBy(String device) {
        return events(TraceEvent.PacketSent.class).stream()
                .filter(sent -> sent.device().equals(device))
                .collect(Collectors.toList());
    }

    /** Forgets what was so far. */
    public void clear() {
        kept.clear();
    }

    private void requireThere() {
        if (!isThere) {
            throw new TestAbortedException("nobody watches the devices on this fabric");
        }
    }
}
