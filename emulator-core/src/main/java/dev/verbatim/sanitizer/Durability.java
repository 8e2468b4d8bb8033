// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.MemoryDomain;
import java.util.ArrayList;
import java.util.List;

/** Whether what a program takes for durable survives when power fails (S29). It is judged in runs in which power does. */
final class Durability {

    private static final int MOST_MARKS = 1 << 10;

    private final Findings findings;
    private final ShadowMemory memory;

    /** Words that were changed behind others which need not outlive them. */
    private final List<Mark> marks = new ArrayList<>();

    private record Mark(MemoryWatch memory, Access record, Access mark, Range bytes) {}

    Durability(Findings findings, ShadowMemory memory) {
        this.findings = findings;
        this.memory = memory;
    }

    /** An atomic or ATOMIC_WRITE sets a word, perhaps to say that something else is there. */
    void marked(MemoryWatch watch, Access mark, VectorClock before) {
        if (watch.domainOf(mark.range()).kind() != MemoryDomain.Kind.PERSISTENT) {
            return;
        }
        memory.forEachWrite((bytes, write) -> {
            if (isAtRisk(watch, write, bytes, before) && !write.equals(mark) && marks.size() < MOST_MARKS) {
                marks.add(new Mark(watch, write, mark, bytes));
            }
        });
    }

    private static boolean isAtRisk(MemoryWatch watch, Access write, Range bytes, VectorClock known) {
        return watch.has(bytes)
                && watch.domainOf(bytes).kind() == MemoryDomain.Kind.PERSISTENT
                && watch.hasHappened(write, known)
                && !watch.isDurable(write, bytes, known);
    }

    void powerFails(MemoryWatch watch, ProgramClock program, CallSite site) {
        memory.forEachWrite((bytes, write) -> {
            if (isAtRisk(watch, write, bytes, program.clock)) {
                tell(
                        watch,
                        write,
                        bytes,
                        site,
                        "program " + program.name + " knows of it when power fails"
                                + (site.isEmpty() ? "" : " at " + site));
            }
        });
        for (Mark mark : marks) {
            Request request = mark.mark().request();
            if (mark.memory().equals(watch)) {
                tell(
                        watch,
                        mark.record(),
                        mark.bytes(),
                        request == null ? CallSite.UNKNOWN : request.site,
                        mark.mark() + " behind it and may outlive it when power fails");
            }
        }
        marks.clear();
    }

    private void tell(MemoryWatch watch, Access write, Range bytes, CallSite site, String what) {
        Request owner = write.owner();
        findings.report(Finding.at(
                Mistake.S29,
                bytes.toString(),
                List.of(owner == null ? write.site() : owner.site, site),
                write + ", and " + what + "; " + bytes + " is in " + watch.domainOf(bytes) + " on " + watch.platform
                        + ", where nothing has made it durable"));
    }
}
