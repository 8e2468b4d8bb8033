// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.verbs.CompletionChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Finds mistakes of the program that the rules permit, if the environment asks for it. */
public final class Misuse {

    private static final @Nullable String WANTED = System.getenv("VERBATIM_SANITIZE");

    /** Whether mistakes are looked for. While they are not, nothing of this runs. */
    public static final boolean ON = WANTED != null && !WANTED.isEmpty();

    /** As ThreadSanitizer has it. */
    private static final int FAILED = 66;

    /** Made when it is wanted. */
    private static final class Watching {
        private static final Sanitizer SANITIZER =
                Sanitizer.ofProcess(Misuse::place).onFinding(Misuse::tell);
    }

    private static volatile boolean hasErrors;

    private static final List<Silence> SILENCES = Silence.parseAll(System.getenv("VERBATIM_SILENCE"));

    /** How often each of them was found. */
    private static final AtomicLongArray SILENCED = new AtomicLongArray(SILENCES.size());

    /** How many calls of this thread are answered by verbs of the library's own, in an array, which needs no object for each look. */
    private static final ThreadLocal<int[]> OWN = ThreadLocal.withInitial(() -> new int[1]);

    private Misuse() {}

    /** What watches the devices of this process. */
    public static Sanitizer sanitizer() {
        return Watching.SANITIZER;
    }

    private static @Nullable NativeCallSite place() {
        return OWN.get()[0] > 0 ? null : NativeCallSite.ofCall();
    }

    /** What this thread does until {@link #leaveOwn} is the library's and not the program's. */
    public static void enterOwn() {
        OWN.get()[0]++;
    }

    /** What it does from now on is the program's again. */
    public static void leaveOwn() {
        OWN.get()[0]--;
    }

    private static void tell(Finding finding) {
        for (int i = 0; i < SILENCES.size(); i++) {
            if (SILENCES.get(i).covers(finding)) {
                SILENCED.incrementAndGet(i);
                return;
            }
        }
        hasErrors |= finding.isError();
        Report.OF_PROCESS.tell(new FoundMistake(finding));
    }

    /** The program is going to wait for an event of the channel. */
    public static void awaits(CompletionChannel channel) {
        Watching.SANITIZER.awaits(channel);
    }

    /** The program gave memory back by this call, a block of its allocator or pages. */
    public static void freed(long address, long lengthBytes, boolean isBlock, String call) {
        if (isBlock) {
            Watching.SANITIZER.freed(address, lengthBytes, call);
        } else {
            Watching.SANITIZER.unmapped(address, lengthBytes, call);
        }
    }

    /** The devices are closed: says what was not told. */
    public static void end() {
        for (int i = 0; i < SILENCES.size(); i++) {
            Report.OF_PROCESS.silenced(SILENCES.get(i), SILENCED.get(i));
        }
    }

    /** The program ends by exit with this status; the devices are still open. */
    public static void ends(int status) {
        if (ON && status == 0) {
            Watching.SANITIZER.endsWell();
        }
    }

    /** The status that the program is to end with; 0 to leave it as it is. */
    public static int exitStatus() {
        return hasErrors && "fail".equals(WANTED) ? FAILED : 0;
    }
}
