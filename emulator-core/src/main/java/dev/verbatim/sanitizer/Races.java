// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds accesses that nothing orders, at least one of them a write (S4), and says which mistake is behind them where the pair tells it:
 * S1, S2, S3, S5, S6, S14, S17. An access is before another if the maker of the other knew of it (happens-before), or if the queue of
 * both keeps their order (table F.1).
 */
final class Races implements Judge {

    private static final int MOST_WORDS = 1 << 16;

    private static final String UNLESS_TOLD =
            " (if a lock or a latch does, tell it: Sanitizer.released before it, acquired behind it)";

    private static final String UNLESS_IN_A_LOOP = " (if the load is the condition of a loop, wait by Node.loadUntil)";

    private final Findings findings;
    private final Programs programs;
    private final ShadowMemory memory = new ShadowMemory();

    /** What is known to who sees the value of a word that an atomic or ATOMIC_WRITE stored. */
    private final Map<Long, VectorClock> words = new LinkedHashMap<>();

    /** What the program knew that stored a word last, of programs that may loop. */
    private final Map<Long, VectorClock> stored = new LinkedHashMap<>();

    private final PlacedWords placed = new PlacedWords();
    private final Looks looks = new Looks();

    /** Memory whose observers may see different things. */
    private final List<MemoryWatch> memories = new ArrayList<>();

    private final Durability durability;

    /** Of a program, the word that it loaded last: it may be spinning on it. */
    private final Map<ProgramClock, Spin> spins = new HashMap<>();

    /** Conflicts with that load, which are none if the program loads the word again. */
    private static final class Spin {
        final long address;
        final long deed;
        final List<Access> conflicts = new ArrayList<>();
        final @Nullable Access load;
        final VectorClock told;

        /**
         * Of a word.
         *
         * @param load the access; null where it is still to come
         */
        Spin(long address, ProgramClock program, @Nullable Access load) {
            this.address = address;
            this.deed = program.deeds;
            this.load = load;
            this.told = program.told;
        }

        /** Whether the load looks for data, of which the program was told that they are posted, by a flag for example. */
        boolean isOfData(Access write) {
            Request request = write.request();
            return load != null
                    && load.isLook()
                    && request != null
                    && write.kind() == Access.Kind.PLACE
                    && isOfSameWord(load, write)
                    && request.isPostKnownTo(told);
        }
    }

    /** Of a program, what stored the flag that it waited for by looking at memory. */
    private final Map<ProgramClock, Access> flags = new HashMap<>();

    Races(Findings findings, Programs programs) {
        this.findings = findings;
        this.programs = programs;
        this.durability = new Durability(findings, memory);
    }

    void add(MemoryWatch watch) {
        memories.add(watch);
    }

    /** The one that has these bytes; null where all observers are coherent. */
    private @Nullable MemoryWatch memoryOf(Range range) {
        for (MemoryWatch each : memories) {
            if (each.has(range)) {
                return each;
            }
        }
        return null;
    }

    @Override
    public void powerFails(MemorySystem system, ProgramClock program) {
        for (MemoryWatch each : memories) {
            if (each.system == system) {
                durability.powerFails(each, program, programs.site(program));
            }
        }
    }

    @Override
    public void posted(Request request, ProgramClock program) {
        moved(program);
        if (request.isInline) {
            // Its elements are read now, by the program that posts it (ORD-14).
            request.elements.forEach(range -> loaded(program, range));
            moved(program);
        }
    }

    @Override
    public void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        if (request != null) {
            touched(kind, range, request, null, null);
        }
    }

    @Override
    public void touchedRemotely(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {
        if (request != null || receive != null) {
            touched(kind, range, request, receive, reach);
        }
    }

    /** A program did something other than loading the word that it may be spinning on. */
    private void moved(ProgramClock program) {
        Spin spin = spins.remove(program);
        if (spin != null && spin.load != null) {
            for (Access other : spin.conflicts) {
                if (!spin.isOfData(other) || looks.isAwaited(program, spin.address)) {
                    report(spin.load, other, null);
                } else if (!isOfChecksum(spin.load, other)) {
                    tell(spin.load, other, null, UNLESS_IN_A_LOOP);
                }
            }
        }
    }

    /** The run is over: no program spins any more. */
    void end() {
        new ArrayList<>(spins.keySet()).forEach(this::moved);
        looks.end().forEach(this::tell);
    }

    @Override
    public void stepped(Range word, long before, long after, @Nullable Request request) {
        if (before != after && request != null) {
            looks.changed(
                    new Access(Access.Kind.ATOMIC, word, request, null, null, null, 0, 0, CallSite.UNKNOWN, false));
        }
    }

    @Override
    public void destroyed(QpWatch queuePair) {
        looks.end(queuePair).forEach(this::tell);
    }

    private void tell(Looks.Conflict conflict) {
        tell(
                conflict.look(),
                conflict.write(),
                conflict.unseen(),
                conflict.look().isOfProgram() ? UNLESS_IN_A_LOOP : "");
    }

    void loaded(ProgramClock program, Range range) {
        Spin before = spins.get(program);
        boolean mayLoop = program.mayLoop();
        boolean again = before != null
                && before.address == range.address()
                && before.deed == program.deeds
                && (mayLoop || before.load == null);
        MemoryWatch watch = memoryOf(range);
        if (watch != null && (before == null || before.load != null)) {
            watch.loads(program, range);
        }
        if (again) {
            spins.remove(program);
            looks.waits(program, range.address());
        } else {
            moved(program);
            program.deeds++;
        }
        acquire(program, range);
        if (again || mayLoop) {
            seesWrite(program, range, again);
            seesStore(program, range);
        }
        Access load = ofProgram(Access.Kind.LOAD, program, range, again);
        List<Access> conflicts = new ArrayList<>();
        List<Unseen> unseen = new ArrayList<>();
        memory.touch(load, other -> {
            if (other.program() == program || (watch == null && other.isWordStep())) {
                return;
            }
            boolean isOrdered = watch == null
                    ? isKnown(other, program.clock, true)
                    : isOrdered(watch, program, other, load, again, unseen);
            if (!isOrdered && !other.isWordStep() && !Access.isPollOfWord(load, other)) {
                conflicts.add(other);
            }
        });
        if (again && watch != null) {
            watch.saw(program, range);
        }
        unseen.forEach(reason -> report(load, reason.write(), reason));
        Spin spin = new Spin(range.address(), program, load);
        spins.put(program, spin);
        if (again && !conflicts.isEmpty()) {
            // It spun until it saw this: a flag, not data.
            flags.put(program, conflicts.get(conflicts.size() - 1));
            conflicts.stream().filter(Access::isLocalWrite).forEach(other -> reportPoll(load, other));
        } else {
            conflicts.forEach(other -> meets(spin, program, load, other));
        }
    }

    /** A program loads a word that nothing orders with a write. */
    private void meets(Spin spin, ProgramClock program, Access load, Access write) {
        if (spin.isOfData(write) && !isAwaited(program, load.range())) {
            // Unless it loads the word again at once.
            spin.conflicts.add(write);
        } else {
            report(load, write, null);
        }
    }

    /** Whether the program, which loads the word now, was seen to wait for it, or does so in this very loop, whose first look may end it. */
    private boolean isAwaited(ProgramClock program, Range word) {
        if (looks.isAwaited(program, word.address())) {
            return true;
        }
        boolean isInLoop = program.mayLoop() && CallSite.ofCaller().isLoopCondition();
        if (isInLoop) {
            looks.waits(program, word.address());
        }
        return isInLoop;
    }

    /**
     * Whether an access to memory whose observers may see different things is in order with the load.
     *
     * @param again whether the program loads the word again and again
     * @param unseen gets it if it has happened before, and need not be seen
     */
    private static boolean isOrdered(
            MemoryWatch watch, ProgramClock program, Access other, Access load, boolean again, List<Unseen> unseen) {
        Range common = load.range().common(other.range());
        if (again) {
            return watch.isPolled(program, other, common);
        }
        if (!watch.hasHappened(other, program.clock)) {
            return watch.isSeen(other, common, watch.observerOf(load), program.clock);
        }
        Unseen reason = watch.unseen(other, load, common, program.clock);
        if (reason != null) {
            unseen.add(reason);
        }
        return true;
    }

    static boolean isOfSameWord(Access look, Access write) {
        return look.isWord() && write.isWriteOfWord() && look.range().equals(write.range());
    }

    /**
     * A program that waits for a word by loads sees what a WRITE of this word alone has stored. The WRITE stores it once and whole
     * (ORD-37), so for these bytes it is over; and what its program knew when it posted it was before. Other bytes that it or earlier
     * requests place may still be missing (ORD-31). An only look at a word of which the program was told already is one at data.
     */
    private void seesWrite(ProgramClock program, Range word, boolean again) {
        Access write = placed.seenAt(word);
        Request request = write == null ? null : write.request();
        if (write == null || request == null || isKnown(write, program.clock, true)) {
            return;
        }
        if (!again && request.isPostKnownTo(program.told) && !isAwaited(program, word)) {
            return;
        }
        program.learnsByWord(request);
        request.seen(program);
        MemoryWatch watch = memoryOf(word);
        if (watch != null) {
            watch.sawWrite(program, write, word);
        }
        flags.put(program, write);
        looks.waits(program, word.address());
    }

    /** A program that waits for a word by loads sees what another program has stored there last. */
    private void seesStore(ProgramClock program, Range word) {
        VectorClock known = stored.get(word.address());
        if (known != null) {
            program.learns(known);
        }
    }

    @Override
    public void shown(Range range) {
        placed.shown(range);
    }

    /** The result of a request, waited for by loads: whole words of it are seen, but it may not be all of it, nor its last value. */
    private void reportPoll(Access load, Access placed) {
        Request owner = placed.owner();
        findings.report(Finding.at(
                Mistake.S20,
                load.range().toString(),
                List.of(load.site(), owner == null ? CallSite.UNKNOWN : owner.site),
                load + " in a loop, which ended before the completion of " + placed
                        + " was polled: until then the bytes may change again"));
    }

    void loadedUntil(ProgramClock program, Range range) {
        moved(program);
        program.deeds++;
        spins.put(program, new Spin(range.address(), program, null));
    }

    private void acquire(ProgramClock program, Range range) {
        VectorClock known = words.get(range.address());
        if (known != null) {
            program.learns(known);
        }
    }

    void stored(ProgramClock program, Range range) {
        moved(program);
        program.deeds++;
        placed.overwritten(range);
        Access store = ofProgram(Access.Kind.STORE, program, range, false);
        looks.changed(store);
        MemoryWatch watch = memoryOf(range);
        memory.touch(store, other -> {
            boolean isKnown = (watch != null && other.kind().isWrite)
                    ? watch.isAtHome(other, range.common(other.range()), program.clock)
                    : isKnown(other, program.clock, true);
            if (other.program() == program || isKnown) {
                return;
            }
            if (precedes(other, store)) {
                program.clock.join(QpWatch.including(Objects.requireNonNull(other.request())));
            } else {
                report(store, other, null);
            }
        });
        if (store.isWord()) {
            bounded(stored, range.address());
            stored.put(range.address(), program.clock.copy());
            // What it does from now on is not seen by who sees this store.
            program.tick();
        }
    }

    /**
     * Whether the one is a fetch of a word that its queue pair READs more than once, and the other writes this word now. Then this READ and
     * all before it are before whatever who writes does from now on: a reader that had seen the new word would have READ the rest again. So
     * a record whose version did not change meanwhile is no race with the next change of it (a seqlock).
     */
    private boolean precedes(Access fetch, Access write) {
        Request read = fetch.request();
        return read != null
                && fetch.kind() == Access.Kind.FETCH
                && isOfSameWord(fetch, write)
                && looks.isAwaited(read.queuePair, write.range().address());
    }

    private static void bounded(Map<Long, VectorClock> known, long address) {
        if (known.size() >= MOST_WORDS && !known.containsKey(address)) {
            Iterator<VectorClock> oldest = known.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private Access ofProgram(Access.Kind kind, ProgramClock program, Range range, boolean isPolled) {
        return new Access(
                kind, range, null, null, null, program, program.now(), program.deeds, programs.site(program), isPolled);
    }

    /**
     * A device touches memory for a request.
     *
     * @param receive the receive whose elements they are; null for none
     */
    private void touched(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {
        Access access = new Access(kind, range, request, receive, reach, null, 0, 0, CallSite.UNKNOWN, false);
        VectorClock known = known(access);
        boolean isWord = access.isWordStep();
        boolean isLook = access.isLook();
        MemoryWatch watch = memoryOf(range);
        VectorClock before =
                watch == null || request == null || access.isByRequester() ? known : behindEarlier(request, known);
        if (isLook && request != null) {
            looks.readAgain(request, access);
        } else if (request != null && request.opcode == WrOpcode.ATOMIC_CMP_AND_SWP && kind == Access.Kind.ATOMIC) {
            looks.outdates(request, access);
        }
        memory.touch(access, other -> {
            if ((isWord && other.isWordStep()) || Access.isPollOfWord(other, access)) {
                return;
            }
            boolean isOrdered = isOrderedByQueue(other, access);
            if (isOrdered || (watch == null ? isKnown(other, known, false) : watch.hasHappened(other, known))) {
                Unseen reason = watch == null ? null : watch.misses(other, access, isOrdered, before);
                if (reason != null) {
                    report(other, access, reason);
                }
                return;
            }
            boolean isOfWord = isOfSameWord(access, other) || access.covers(other);
            if (isLook && request != null && isOfWord && sees(request, access, other)) {
                return;
            }
            if (request != null && precedes(other, access)) {
                learn(request, QpWatch.including(Objects.requireNonNull(other.request())), kind);
                return;
            }
            ProgramClock program = other.program();
            Spin spin = program == null || other.kind() != Access.Kind.LOAD ? null : spins.get(program);
            if (spin != null && other.equals(spin.load)) {
                spin.conflicts.add(access);
            } else {
                report(other, access, null);
            }
        });
        if (kind.isWrite) {
            written(access);
        }
        if (watch != null && (kind == Access.Kind.PLACE || kind == Access.Kind.RETURN)) {
            watch.accepted(access, before);
        }
        if (request != null) {
            VectorClock gains =
                    watch == null || access.isByRequester() ? null : executed(watch, access, request, before);
            if (isWord) {
                step(kind, range, request, gains);
            }
        }
    }

    /** A device writes, or executes an atomic, of which {@link #stepped} says whether it changed the word. */
    private void written(Access write) {
        if (write.kind() == Access.Kind.PLACE && write.isWriteOfWord()) {
            placed.placed(write);
        } else {
            placed.overwritten(write.range());
        }
        stored.remove(write.range().address());
        if (write.kind() != Access.Kind.ATOMIC) {
            looks.changed(write);
        }
    }

    /** A request of a peer is executed; what is known of memory by that, null for nothing. */
    private @Nullable VectorClock executed(MemoryWatch watch, Access access, Request request, VectorClock before) {
        request.before = before;
        boolean isWord = access.isWordStep();
        VectorClock gains = null;
        if (isWord || access.kind() == Access.Kind.FETCH) {
            gains = watch.executed(access, before);
            learn(request, gains, access.kind());
        }
        if (isWord) {
            VectorClock atMark = before.copy();
            if (gains != null) {
                atMark.join(gains);
            }
            durability.marked(watch, access, atMark);
        }
        return gains;
    }

    /** What is known where a request is executed, the requests before it of its queue included. */
    private static VectorClock behindEarlier(Request request, VectorClock known) {
        VectorClock before = known.copy();
        if (request.queuePair != null) {
            before.advance(request.queuePair.executed, request.number - 1);
        }
        return before;
    }

    /** Who has the completion knows so, and so do requests that are executed behind it. */
    private static void learn(Request request, VectorClock gains, Access.Kind kind) {
        request.acquires(gains);
        if (request.queuePair == null) {
            return;
        }
        if (kind == Access.Kind.FETCH) {
            request.queuePair.sawByRead(request, gains);
        } else {
            request.queuePair.sawByAtomic(gains);
        }
    }

    /** What was known when a device made the access. */
    private static VectorClock known(Access access) {
        Request request = access.request();
        Request receive = access.receive();
        if (request == null) {
            return receive == null ? new VectorClock() : receive.clock;
        }
        if (receive != null) {
            VectorClock both = request.clock.copy();
            both.join(receive.clock);
            return both;
        }
        return request.queuePair == null || access.isByRequester()
                ? request.clock
                : request.queuePair.seenBefore(request, access.kind() == Access.Kind.FETCH);
    }

    /**
     * A READ of a word fetches what a step on it stored, whole (ORD-37): a store of a program, an atomic, a WRITE of this word alone. Who
     * has its completion knows what was known to who stored it.
     *
     * @return false if it may not see it yet
     */
    private boolean sees(Request read, Access fetch, Access written) {
        VectorClock known;
        if (written.isOfProgram()) {
            known = stored.get(fetch.range().address());
        } else if (written.isWordStep()) {
            known = words.get(written.range().address());
        } else {
            // The device reads what it placed, whether programs see it yet or not.
            known = written.request() == null ? null : written.request().clock;
        }
        if (known == null || read.queuePair == null) {
            return false;
        }
        read.acquires(known);
        read.queuePair.sawByRead(read, known);
        read.queuePair.sees(read);
        looks.waits(read.queuePair, written.range().address());
        return true;
    }

    /** An atomic knows what the one before it knew, and a program or request that sees its value knows what it knew. */
    private void step(Access.Kind kind, Range range, Request request, @Nullable VectorClock gains) {
        bounded(words, range.address());
        VectorClock word = words.computeIfAbsent(range.address(), address -> new VectorClock());
        if (kind == Access.Kind.ATOMIC) {
            request.acquires(word);
            if (request.queuePair != null) {
                request.queuePair.sawByAtomic(word);
                request.queuePair.sees(request);
            }
        }
        word.join(request.clock);
        if (gains != null) {
            word.join(gains);
        }
        QpWatch queuePair = request.queuePair;
        if (queuePair != null) {
            word.advance(queuePair.shown, request.number);
        }
    }

    /** Whether the knowledge includes that the access is over; for a program, also that it can see it. */
    static boolean isKnown(Access access, VectorClock known, boolean byProgram) {
        ProgramClock program = access.program();
        if (program != null) {
            return known.get(program.component) >= access.epoch();
        }
        Access.Reach reach = access.reach();
        if (reach != null && reach.isKnownToBeClosed(known)) {
            return true;
        }
        Request receive = access.receive();
        if (receive != null && receive.queuePair != null && known.get(receive.queuePair.received) >= receive.number) {
            return true;
        }
        Request request = access.request();
        if (request == null || request.queuePair == null) {
            return request == null && receive == null;
        }
        if (request.isKnownToBeSeen(known)) {
            return true;
        }
        QpWatch queuePair = request.queuePair;
        boolean isShown = access.kind() != Access.Kind.FETCH
                && access.kind() != Access.Kind.RETURN
                && known.get(queuePair.shown) >= request.number;
        if (access.receive() == null && access.isLocal()) {
            return isShown || known.get(queuePair.done) >= request.number;
        }
        boolean isExecuted = known.get(queuePair.executed) >= request.number;
        boolean isPlacement = access.kind() == Access.Kind.PLACE;
        return isShown || (isExecuted && !(byProgram && isPlacement));
    }

    /** Whether both are of one send queue, which keeps their order whichever comes first here (ORD-11 to ORD-19). */
    private static boolean isOrderedByQueue(Access one, Access other) {
        Request first = one.request();
        Request second = other.request();
        if (first == null || second == null || first.queuePair == null || first.queuePair != second.queuePair) {
            return false;
        }
        if (first == second) {
            return true;
        }
        return one.isByRequester() == other.isByRequester()
                && (first.number < second.number ? keepsOrder(one, other) : keepsOrder(other, one));
    }

    private static boolean keepsOrder(Access early, Access late) {
        Request first = early.request();
        Request second = late.request();
        if (first == null || second == null) {
            return false;
        }
        if (second.lastFence > first.number && first.isAnswered()) {
            return true;
        }
        return switch (early.kind()) {
            case FETCH -> late.kind() == Access.Kind.FETCH;
            case RETURN -> late.kind() == Access.Kind.RETURN;
            default -> true;
        };
    }

    private void report(Access one, Access other, @Nullable Unseen unseen) {
        if (!isOfChecksum(one, other) && !looks.holds(one, other, unseen)) {
            tell(one, other, unseen, "");
        }
    }

    private boolean isOfChecksum(Access one, Access other) {
        return (one.isLook() || other.isLook())
                && one.range().overlaps(other.range())
                && findings.isChecksummed(one.range().common(other.range()));
    }

    private void tell(Access one, Access other, @Nullable Unseen unseen, String hint) {
        Mistake found = unseen == null ? null : unseen.mistake();
        Mistake mistake = found == null ? mistake(one, other) : found;
        if (mistake == null) {
            return;
        }
        Range common = one.range().overlaps(other.range()) ? one.range().common(other.range()) : one.range();
        List<CallSite> places = new ArrayList<>();
        for (Access each : List.of(one, other)) {
            Request owner = each.owner();
            places.add(owner == null ? each.site() : owner.site);
        }
        findings.report(Finding.at(
                mistake,
                common.toString(),
                places,
                unseen != null && found != null
                        ? unseen.sentence()
                        : one + ", and " + other + "; nothing orders these two accesses to " + common
                                + (programs.areThreads() && !programs.isProcess() ? UNLESS_TOLD : hint)));
    }

    /** What the pair tells of the mistake; null if it is reported elsewhere. */
    private @Nullable Mistake mistake(Access one, Access other) {
        if (!one.isOfProgram() && !other.isOfProgram()) {
            boolean bothLocal = one.isLocal() && other.isLocal();
            if (bothLocal) {
                return Mistake.S3;
            }
            return isOfWordOfAtomics(one, other) || isOfWordOfAtomics(other, one) ? Mistake.S14 : Mistake.S4;
        }
        Access program = one.isOfProgram() ? one : other;
        Access device = one.isOfProgram() ? other : one;
        if (device.isOfProgram()) {
            return null;
        }
        if (device.kind() == Access.Kind.GATHER) {
            return isOfGpu(program) ? Mistake.S26 : Mistake.S1;
        }
        if (device.isLocal()) {
            return Mistake.S2;
        }
        if (device.isWordStep()) {
            return Mistake.S14;
        }
        if (program.kind() == Access.Kind.LOAD && device.kind() == Access.Kind.PLACE) {
            return ofLoad(program, device);
        }
        return Mistake.S4;
    }

    /** Whether the one is an atomic, and the other writes its word otherwise. */
    private static boolean isOfWordOfAtomics(Access atomic, Access other) {
        return atomic.kind() == Access.Kind.ATOMIC && other.kind().isWrite;
    }

    private boolean isOfGpu(Access access) {
        MemoryWatch watch = memoryOf(access.range());
        Observer self = watch == null ? null : watch.observerOf(access);
        return self != null && self.kind() == Observer.Kind.GPU;
    }

    /** Whether data or flag came into a region that gives up the order of both. */
    private boolean isRelaxed(Access load, Access placed) {
        Access flag = load.program() == null ? null : flags.get(load.program());
        return memoryOf(load.range()) != null
                && (placed.ordering() != Ordering.STRICT || (flag != null && flag.ordering() != Ordering.STRICT));
    }

    private Mistake ofLoad(Access load, Access placed) {
        if (isRelaxed(load, placed)) {
            return Mistake.S27;
        }
        Request request = placed.request();
        Access flag = load.program() == null ? null : flags.get(load.program());
        if (flag != null && flag.request() != null && request != null) {
            return flag.request().queuePair == request.queuePair ? Mistake.S6 : Mistake.S17;
        }
        ProgramClock program = load.program();
        QpWatch queuePair = request == null ? null : request.queuePair;
        if (program != null && queuePair != null && knowsAnotherQueuePair(program, queuePair)) {
            return Mistake.S17;
        }
        return Mistake.S4;
    }

    /** Whether the program was told something over another queue pair of the same device. */
    private static boolean knowsAnotherQueuePair(ProgramClock program, QpWatch queuePair) {
        for (QpWatch other : queuePair.device.queuePairs()) {
            if (other != queuePair && program.clock.get(other.shown) > 0) {
                return true;
            }
        }
        return false;
    }
}
