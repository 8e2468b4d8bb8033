// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.place.UserCode;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where in a program something is called: the innermost frame that is {@linkplain UserCode the program's},
 * and its callers as far as they are the program's methods, at most two: the innermost one may be a helper that everything is called by.
 * Its text is made when it is asked for: most are never, and a frame's names and line cost as much as the walk to it.
 */
final class CallSite implements Consumer<StackFrame> {

    /** A place that is not known, or not wanted. */
    static final CallSite UNKNOWN = new CallSite("");

    private static final int MOST_CALLERS = 2;

    /** It shows frames of reflection, which are then passed over here: it looks for them by several slow questions for each frame. */
    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES));

    private String text;

    /** What says where it is, in a program that is not Java; null for none. */
    private @Nullable Object place;

    /** Whose text is still to be made; null for none. */
    private @Nullable StackFrame frame;

    /** Of the frame and of each other, up to the first that is not the program's. */
    private @Nullable List<StackFrame> callers;

    private boolean isWhole;

    private CallSite(String text) {
        this.text = text;
    }

    /** A place that has this name; empty for one that is not known. */
    static CallSite named(String text) {
        return text.isEmpty() ? UNKNOWN : new CallSite(text);
    }

    /** A place of a program that is not Java, by an object whose text it is; null for one that is not known. */
    static CallSite of(@Nullable Object place) {
        if (place == null) {
            return UNKNOWN;
        }
        CallSite site = new CallSite("");
        site.place = place;
        return site;
    }

    /** Where the program is that calls. */
    static CallSite ofCaller() {
        return WALKER.walk(CallSite::innermost);
    }

    private static CallSite innermost(Stream<StackFrame> frames) {
        CallSite site = new CallSite("");
        Spliterator<StackFrame> each = frames.spliterator();
        while (!site.isWhole && each.tryAdvance(site)) {
            // The next one.
        }
        return site;
    }

    /** It is this frame, unless that is the device's own code; or a caller of it. */
    @Override
    public void accept(StackFrame candidate) {
        UserCode owner = UserCode.of(candidate.getDeclaringClass());
        boolean isOfProgram = owner == UserCode.PROGRAM;
        if (frame == null) {
            frame = isOfProgram ? candidate : null;
            isWhole = owner == UserCode.RUNNER;
            return;
        }
        List<StackFrame> before = callers == null ? new ArrayList<>(MOST_CALLERS) : callers;
        if (isOfProgram) {
            before.add(candidate);
            callers = before;
        }
        isWhole = !isOfProgram || before.size() == MOST_CALLERS;
    }

    /** Whether the call there is {@linkplain LoopCondition the condition of a loop} of itself. */
    boolean isLoopCondition() {
        return frame != null && LoopCondition.isAt(frame);
    }

    boolean isEmpty() {
        return frame == null && place == null && text.isEmpty();
    }

    /** As {@code File.java:17}, or {@code File.java:17 (called at Other.java:3)}; empty if it is not known. */
    @Override
    public synchronized String toString() {
        StackFrame found = frame;
        Object said = place;
        if (said != null && text.isEmpty()) {
            text = said.toString();
        }
        if (found != null && text.isEmpty()) {
            List<String> at = callersOf(found);
            text = line(found) + (at.isEmpty() ? "" : " (called at " + String.join(", ", at) + ")");
        }
        return text;
    }

    /** The lines that called it; what called a lambda is no caller, but what it was passed to. */
    private List<String> callersOf(StackFrame found) {
        List<String> lines = new ArrayList<>();
        StackFrame called = found;
        for (StackFrame caller : callers == null ? List.<StackFrame>of() : callers) {
            if (called.getMethodName().startsWith("lambda$")) {
                break;
            }
            lines.add(line(caller));
            called = caller;
        }
        return lines;
    }

    private static String line(StackFrame frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }
}
