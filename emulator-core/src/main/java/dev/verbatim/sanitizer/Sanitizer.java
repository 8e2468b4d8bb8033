// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.Inspector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds mistakes of programs that the rules permit: see {@link Mistake}. It watches the devices of one {@link dev.verbatim.Verbatim} or
 * one {@link dev.verbatim.sim.Simulation} and their programs, and changes nothing. For any thread.
 *
 * <p>What happens in an order is known from posts, polled completions, receives, events, atomics, and in simulations from waits of
 * programs. Of Java's own synchronisation it knows only what it is told, by {@link #released} and {@link #acquired}.
 */
public final class Sanitizer {

    private final Findings findings = new Findings();
    private final Engine engine;

    private Sanitizer(Programs programs) {
        this.engine = new Engine(findings, programs);
    }

    /** A sanitizer whose findings name where each request was posted, which costs some microseconds for each. */
    public static Sanitizer withSites() {
        return new Sanitizer(new Programs(true, null));
    }

    /** A sanitizer whose findings name programs, requests and bytes, but no places. */
    public static Sanitizer withoutSites() {
        return new Sanitizer(new Programs(false, null));
    }

    /**
     * A sanitizer of a process whose program is not written in Java. Its threads count as one program, for how they wait for each other
     * is not seen: what one of them knows, all know.
     *
     * @param places where the calling thread is in the source of the program, asked for at each call of a verb, so it has to be cheap;
     *     the text of what it returns is the place, and is asked for when a finding names it. Null for what the caller does for itself:
     *     its objects may stay open (S15), and its requests have identifiers of its own (S16)
     */
    public static Sanitizer ofProcess(Supplier<? extends @Nullable Object> places) {
        return new Sanitizer(new Programs(true, places));
    }

    /**
     * Tells each finding when it is found. {@link dev.verbatim.Verbatim#close} then neither logs notes nor throws errors.
     *
     * @param listener is called while devices wait, and must not call verbs nor this object
     */
    public Sanitizer onFinding(Consumer<Finding> listener) {
        findings.listener(listener);
        return this;
    }

    /** Whether findings are told when they are found. */
    public boolean isListenedTo() {
        return findings.areTold();
    }

    /**
     * The program is going to wait for an event of the channel in a way that its device does not see, as by a descriptor; or has done
     * so, if it takes the event next.
     */
    public void awaits(CompletionChannel channel) {
        engine.awaits(channel);
    }

    /**
     * The program gave a block of memory back to its allocator. A region that begins with the block or lies in it is a finding; one that
     * has more is not, since regions of whole pages have bytes of neighbours.
     *
     * @param address first byte, as {@link Memory#address()} counts
     * @param call what the program called, for the text
     */
    public void freed(long address, long lengthBytes, String call) {
        Range block = new Range(address, lengthBytes);
        engine.freed(block, call, bytes -> block.covers(bytes) || bytes.address() == address);
    }

    /**
     * The program gave pages back to the system. A region that has any of these bytes is a finding.
     *
     * @param address first byte, as {@link Memory#address()} counts
     * @param call what the program called, for the text
     */
    public void unmapped(long address, long lengthBytes, String call) {
        Range pages = new Range(address, lengthBytes);
        engine.freed(pages, call, pages::overlaps);
    }

    /** What devices and simulations call. */
    public Inspector inspector() {
        return engine;
    }

    /**
     * No longer reports this mistake.
     *
     * @param reason why it is none here; it is shown with the findings
     */
    public Sanitizer silence(Mistake mistake, String reason) {
        findings.silence(mistake, reason);
        return this;
    }

    /** Which mistakes are not reported, each with its reason. */
    public Map<Mistake, String> silenced() {
        return findings.silenced();
    }

    /**
     * No program reads these bytes, so any number of requests may write to them at once: results that are not wanted.
     *
     * @param offset first byte of the memory
     */
    public Sanitizer scratch(Memory memory, int offset, int lengthBytes) {
        findings.addScratch(new Range(memory.address() + offset, lengthBytes));
        return this;
    }

    /**
     * Who looks at these bytes learns from them whether they belong together, by a checksum or by a version in each block, and looks again
     * if not. Loads and READs of them are no race with what writes to them, and nothing else is ordered by them.
     *
     * @param offset first byte of the memory
     */
    public Sanitizer checksummed(Memory memory, int offset, int lengthBytes) {
        findings.addChecksummed(new Range(memory.address() + offset, lengthBytes));
        return this;
    }

    /**
     * What the calling thread has done so far is known to a thread that calls {@link #acquired} with the same object afterwards: call it before
     * a latch is counted down, a lock released, an element put into a queue.
     */
    public void released(Object object) {
        engine.released(object);
    }

    /** The calling thread knows what was done before {@link #released} was called with the same object. */
    public void acquired(Object object) {
        engine.acquired(object);
    }

    /** Adds a finding, unless its mistake is silenced or it was found at the same places before; for checks of your own as well. */
    public void report(Finding finding) {
        findings.report(finding);
    }

    /**
     * Nothing more happens: adds what can be said only now, of devices that are still open. {@link dev.verbatim.Verbatim#close} calls
     * it; a device that is closed needs no call.
     */
    public void end() {
        engine.end();
    }

    /** The process ends with exit status 0; for one that is not written in Java, before its devices are closed. */
    public void endsWell() {
        engine.endsWell();
    }

    /** What was found so far, in order; at most a thousand. */
    public List<Finding> findings() {
        engine.settle();
        return findings.list();
    }

    /** Those that fail a test. */
    public List<Finding> errors() {
        return findings().stream().filter(Finding::isError).toList();
    }

    /** Throws an {@link AssertionError} that names all errors, if there are any. */
    public void requireNoErrors() {
        List<Finding> errors = errors();
        if (!errors.isEmpty()) {
            throw new SanitizerError(errors);
        }
    }

    /** All findings, a line each, and what was silenced. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        findings().forEach(finding -> lines.add(finding.toString()));
        if (findings.more() > 0) {
            lines.add("and " + findings.more() + " more");
        }
        silenced().forEach((mistake, reason) -> lines.add(mistake + " is silenced: " + reason));
        return lines.isEmpty() ? "nothing found" : String.join("\n", lines);
    }
}
