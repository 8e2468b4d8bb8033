// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TracedPacket;
import java.util.regex.Pattern;

/**
 * Which events may be folded: packets, accesses to memory and applied rules, which leave every state as it was when they come
 * again. All others change a state or a count, as posts and completions do, and each of them is kept.
 */
final class Foldable {

    private static final Pattern LINE =
            Pattern.compile("\\{\"kind\":\"(?:sent|received|dropped|fault|carrier|memory|shown|program|decided)\"");

    private Foldable() {}

    static boolean is(TraceEvent event) {
        return event instanceof TracedPacket
                || event instanceof TraceEvent.LinkFaulted
                || event instanceof TraceEvent.CarrierReported
                || event instanceof TraceEvent.MemoryTouched
                || event instanceof TraceEvent.MemoryShown
                || event instanceof TraceEvent.ProgramTouched
                || event instanceof TraceEvent.Decided;
    }

    /** The same of an event as a line, which names its kind first. */
    static boolean is(String line) {
        return LINE.matcher(line).lookingAt();
    }
}
