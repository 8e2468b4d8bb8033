// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemoryInspector;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Scope;
import dev.verbatim.visibility.Weakness;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a node whose observers may see different things. A write that has happened before a look at its bytes is not seen for that:
 * it may not have arrived, may not have been released, or the observer may look at an old copy. What programs and requests know of that is
 * kept in the {@link Stage}s of their clocks.
 */
final class MemoryWatch implements MemoryInspector, WatchedMemory {

    private static final int MOST_STRICT = 64;

    final MemorySystem system;
    final Platform platform;
    final FlushLog flushes = new FlushLog(this);
    private final Judges judges;
    private final SettledBytes settled = new SettledBytes(this);

    /** The last bytes behind which all that was before them on their path arrives. */
    private final Deque<StrictWrite> strictWrites = new ArrayDeque<>();

    private record StrictWrite(Access write, Observer adapter, MemoryDomain domain, VectorClock before) {}

    MemoryWatch(Judges judges, MemorySystem system) {
        this.judges = judges;
        this.system = system;
        this.platform = system.platform();
    }

    @Override
    public boolean has(Range range) {
        return system.isObserved(range.address());
    }

    MemoryDomain domainOf(Range range) {
        return system.domainOf(range.address());
    }

    /** Who makes the access; null for who fills memory before programs begin, and for a device that is no adapter of the node. */
    @Nullable
    Observer observerOf(Access access) {
        ProgramClock program = access.program();
        if (program != null) {
            return judges.programs.isOpener(program) ? null : system.programOf(program.name);
        }
        DeviceWatch device = access.device();
        return device == null ? null : system.adapterOf(device.name());
    }

    Stage arrival(Observer adapter, MemoryDomain domain, Ordering ordering) {
        return new Stage(Stage.Kind.ARRIVAL, system, adapter, domain, ordering);
    }

    private Stage acceptance(Observer adapter) {
        return new Stage(Stage.Kind.ACCEPTANCE, system, adapter, null, Ordering.STRICT);
    }

    private Stage release(Observer program) {
        return new Stage(Stage.Kind.RELEASE, system, program, null, Ordering.STRICT);
    }

    private Stage view(Observer gpu, MemoryDomain domain) {
        return new Stage(Stage.Kind.VIEW, system, gpu, domain, Ordering.STRICT);
    }

    /** Whether it has happened, as far as is known; it need not have arrived anywhere. */
    boolean hasHappened(Access access, VectorClock known) {
        if (Races.isKnown(access, known, false)) {
            return true;
        }
        Observer adapter = access.kind() == Access.Kind.PLACE ? observerOf(access) : null;
        VectorClock accepted = adapter == null ? null : known.known(acceptance(adapter));
        return accepted != null && Races.isKnown(access, accepted, false);
    }

    /** The clock of all that an adapter is known to have accepted. */
    VectorClock acceptedBy(Observer adapter, VectorClock known) {
        VectorClock all = new VectorClock();
        all.joinTimes(known);
        VectorClock accepted = known.known(acceptance(adapter));
        if (accepted != null) {
            all.joinTimes(accepted);
        }
        return all;
    }

    /** Whether the write is known to be at its home, where all see it who do not look at copies. */
    boolean isAtHome(Access write, Range bytes, VectorClock known) {
        Observer writer = observerOf(write);
        if (writer == null || write.isWordStep()) {
            return hasHappened(write, known);
        }
        MemoryDomain domain = domainOf(bytes);
        if (write.isOfProgram()) {
            VectorClock released = known.known(release(writer));
            return platform.awaitsRelease(writer, domain)
                    ? released != null && hasHappened(write, released)
                    : hasHappened(write, known);
        }
        VectorClock arrived = known.known(arrival(writer, domain, write.ordering()));
        return (arrived != null && hasHappened(write, arrived))
                || write.isKnownToHaveEnded(known)
                || settled.isAtHome(write, bytes, known);
    }

    /** Whether an observer that knows that much sees the write in these bytes. */
    boolean isSeen(Access write, Range bytes, @Nullable Observer reader, VectorClock known) {
        Observer writer = observerOf(write);
        if (reader == null || writer == null) {
            return hasHappened(write, known);
        }
        if (reader.equals(writer)) {
            return hasHappened(write, known) && (!isMissedByItsAdapter(write) || isAtHome(write, bytes, known));
        }
        MemoryDomain domain = domainOf(bytes);
        boolean isPower = reader.kind() == Observer.Kind.POWER;
        boolean isCurrent = !platform.awaitsRefresh(reader, domain, writer);
        VectorClock looked = isCurrent ? known : isPower ? null : known.known(view(reader, domain));
        return (looked != null && isAtHome(write, bytes, looked)) || settled.isSeenBy(reader, write, bytes, known);
    }

    /** An adapter sees what it accepted at once, unless a region gives that up (VIS-01, MR-71). */
    private static boolean isMissedByItsAdapter(Access write) {
        return !write.isOfProgram() && !write.isWordStep() && write.ordering() == Ordering.UNORDERED;
    }

    /** Whether it survives a power failure, as far as is known. */
    boolean isDurable(Access write, Range bytes, VectorClock known) {
        return isSeen(write, bytes, system.power(), known);
    }

    /**
     * Whether a look by which a program waits for a value is none too early, whatever it is of: of a word that comes whole and in order.
     * Then what comes before it has arrived when its value is seen.
     */
    boolean isPolled(ProgramClock program, Access write, Range word) {
        if (write.isOfProgram() || write.isWordStep()) {
            return true;
        }
        if (write.kind() != Access.Kind.PLACE || write.isWriteOfWord() || !isInOrder(write)) {
            return hasHappened(write, program.clock);
        }
        sawWrite(program, write, word);
        return true;
    }

    /**
     * Why a program that loads bytes, or sends them by an adapter, need not see a write that has happened before; null if it sees it.
     *
     * @param known what is known where it looks
     */
    @Nullable
    Unseen unseen(Access write, Access look, Range bytes, VectorClock known) {
        if (isSeen(write, bytes, observerOf(look), known)) {
            return null;
        }
        boolean isAtHome = isAtHome(write, bytes, known);
        return Unseen.of(this, write, look, bytes, isAtHome, flushes.missed(write, bytes, isAtHome, known));
    }

    /** What a device misses that touches bytes behind an access that has happened before; null for nothing. */
    @Nullable
    Unseen misses(Access early, Access late, boolean isByQueue, VectorClock known) {
        if (!early.kind().isWrite) {
            return null;
        }
        Range bytes = early.range().common(late.range());
        boolean isSameAdapter = Objects.equals(observerOf(early), observerOf(late));
        if (isByQueue || (isSameAdapter && late.kind().isWrite)) {
            return losesOrder(early, late, bytes, known) ? Unseen.overtaken(this, early, late, bytes) : null;
        }
        if (late.kind().isWrite) {
            return early.isOfProgram() || isAtHome(early, bytes, known) ? null : unseenHome(early, late, bytes, known);
        }
        return unseen(early, late, bytes, known);
    }

    private Unseen unseenHome(Access early, Access late, Range bytes, VectorClock known) {
        return Unseen.of(this, early, late, bytes, false, flushes.missed(early, bytes, false, known));
    }

    /** Whether two writes of one adapter to the same bytes may arrive in the other order, or a READ miss the first. */
    boolean losesOrder(Access early, Access late, Range bytes, VectorClock known) {
        if (!early.kind().isWrite || early.isOfProgram() || early.isWordStep() || late.isOfProgram()) {
            return false;
        }
        boolean isLost = late.kind().isWrite
                ? late.ordering() != Ordering.STRICT && !late.isWordStep()
                : early.ordering() == Ordering.UNORDERED;
        return isLost && !isAtHome(early, bytes, known);
    }

    /** A program has a completion of that adapter: what is accepted as that clock says has arrived, as far as completions cover it. */
    @Override
    public void completed(VectorClock known, String device, VectorClock accepted) {
        Observer adapter = system.adapterOf(device);
        for (MemoryDomain domain : adapter == null ? List.<MemoryDomain>of() : system.domains()) {
            if (adapter != null && platform.isCoveredByCompletions(domain)) {
                arrive(known, adapter, domain, accepted);
                bringEarlier(known, adapter, domain, write -> hasHappened(write, accepted));
            }
        }
    }

    /** Some WRITEs have arrived: so has what their path keeps before them. */
    private void bringEarlier(VectorClock known, Observer adapter, MemoryDomain domain, Predicate<Access> hasArrived) {
        for (StrictWrite strict : strictWrites) {
            if (strict.adapter.equals(adapter) && strict.domain.equals(domain) && hasArrived.test(strict.write)) {
                arrive(known, adapter, domain, strict.before);
            }
        }
    }

    private void arrive(VectorClock known, Observer adapter, MemoryDomain domain, VectorClock accepted) {
        for (Ordering ordering : Ordering.values()) {
            known.at(arrival(adapter, domain, ordering)).joinTimes(accepted);
        }
    }

    /**
     * A READ or atomic is executed.
     *
     * @param before what was known there, requests before it on its queue included
     * @return what who has its result knows more
     */
    VectorClock executed(Access access, VectorClock before) {
        VectorClock gains = new VectorClock();
        Observer adapter = observerOf(access);
        MemoryDomain domain = domainOf(access.range());
        if (adapter == null || access.isOfProgram()) {
            return gains;
        }
        boolean isRead = access.kind() == Access.Kind.FETCH;
        VectorClock accepted = platform.readsCoverAllQueuePairs(domain)
                ? acceptedBy(adapter, before)
                : throughOwnQueuePair(access, before);
        for (Ordering ordering : Ordering.values()) {
            if (isRead ? isPassedByReads(ordering) : isPassedByAtomic(access, ordering)) {
                bringEarlier(gains, adapter, domain, write -> hasHappened(write, before));
            } else {
                gains.at(arrival(adapter, domain, ordering)).joinTimes(accepted);
            }
        }
        if (isRead) {
            flushes.read(access, domain, before);
            VectorClock all = before.copyAtHome();
            all.join(gains);
            seesOwner(gains, domain, all);
        }
        return gains;
    }

    /** What the queue pair of an access has executed before it (ORD-31). */
    private static VectorClock throughOwnQueuePair(Access access, VectorClock before) {
        VectorClock own = new VectorClock();
        Request request = access.request();
        if (request != null && request.queuePair != null) {
            own.advance(request.queuePair.executed, before.get(request.queuePair.executed));
        }
        return own;
    }

    /** Whether a READ does not wait for bytes of regions with that ordering (VIS-05). */
    boolean isPassedByReads(Ordering ordering) {
        return ordering == Ordering.UNORDERED
                || (ordering == Ordering.RELAXED && platform.has(Weakness.READ_PASSES_RELAXED));
    }

    private boolean isPassedByAtomic(Access atomic, Ordering ordering) {
        return ordering != Ordering.STRICT
                && atomic.ordering() != Ordering.STRICT
                && platform.has(Weakness.ATOMIC_PASSES_RELAXED);
    }

    private void seesOwner(VectorClock known, MemoryDomain domain, VectorClock atHome) {
        if (domain.kind() == MemoryDomain.Kind.DEVICE) {
            known.at(view(system.gpu(domain), domain)).join(atHome);
        }
    }

    /**
     * An adapter accepts bytes, of a peer or the result of a request.
     *
     * @param before what was known then, requests before it on its queue included
     */
    void accepted(Access write, VectorClock before) {
        Observer adapter = observerOf(write);
        if (adapter != null && isInOrder(write)) {
            if (strictWrites.size() == MOST_STRICT) {
                strictWrites.removeFirst();
            }
            strictWrites.addLast(new StrictWrite(write, adapter, domainOf(write.range()), acceptedBy(adapter, before)));
        }
    }

    /** A program is about to load bytes: from memory of a GPU the load may wait for what adapters write there (VIS-12). */
    void loads(ProgramClock program, Range range) {
        MemoryDomain domain = domainOf(range);
        if (system.programOf(program.name).kind() == Observer.Kind.CPU
                && domain.kind() == MemoryDomain.Kind.DEVICE
                && !platform.has(Weakness.BAR_READ_PASSES)) {
            for (Observer observer : system.observers()) {
                if (observer.kind() == Observer.Kind.ADAPTER) {
                    arrive(program.clock, observer, domain, acceptedBy(observer, program.clock));
                }
            }
            seesOwner(program.clock, domain, program.clock.copyAtHome());
            program.tick();
        }
    }

    /** Whether what comes on one path arrives in order. */
    boolean isInOrder(Access write) {
        return write.ordering() == Ordering.STRICT && !platform.has(Weakness.WRITES_IN_ANY_ORDER);
    }

    /**
     * A program has seen the value of a word that a WRITE wrote: what came before it was accepted, and has arrived where the path keeps
     * the order.
     */
    void sawWrite(ProgramClock program, Access write, Range word) {
        Observer adapter = observerOf(write);
        Request request = write.request();
        if (adapter == null || request == null) {
            return;
        }
        VectorClock before = acceptedBy(adapter, request.before == null ? request.clock : request.before);
        program.clock.at(acceptance(adapter)).joinTimes(before);
        if (isInOrder(write)) {
            arrive(program.clock, adapter, domainOf(word), before);
            Range until = new Range(
                    write.range().address(), word.end() - write.range().address());
            settled.arrived(until, QpWatch.including(request), program.newMoment());
        }
    }

    /** A program has seen the newest value of a word. */
    void saw(ProgramClock program, Range word) {
        settled.seenBy(system.programOf(program.name), word, program.clock.copyAtHome(), program.newMoment());
    }

    /** A FLUSH of a peer is executed, with that known. */
    @Override
    public void flushed(
            Predicate<VectorClock> isKnown,
            String device,
            Range range,
            boolean persistent,
            VectorClock before,
            VectorClock gains) {
        Observer adapter = system.adapterOf(device);
        if (adapter != null) {
            settled.flushed(isKnown, adapter, range, persistent, before);
            bringEarlier(
                    gains,
                    adapter,
                    domainOf(range),
                    write -> range.overlaps(write.range()) && hasHappened(write, before));
        }
    }

    @Override
    public void launched(MemoryDomain gpu) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            releases(program, system.cpu());
            system.domains().forEach(domain -> refreshes(program, system.gpu(gpu), domain));
            program.tick();
        }
    }

    private void releases(ProgramClock program, Observer writer) {
        program.clock.at(release(writer)).joinTimes(program.clock);
    }

    private void refreshes(ProgramClock program, Observer gpu, MemoryDomain domain) {
        program.clock.at(view(gpu, domain)).join(program.clock.copyAtHome());
    }

    @Override
    public void ended(MemoryDomain gpu) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            releases(program, system.gpu(gpu));
        }
    }

    @Override
    public void flushedForGpu(MemoryDomain gpu, FlushScope scope) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            flushes.ofGpu(program, judges.programs.site(program), gpu, scope);
            if (!platform.has(Weakness.FLUSH_GPU_DOES_NOTHING)) {
                for (Observer observer : system.observers()) {
                    boolean isMeant = scope == FlushScope.ALL_DEVICES || gpu.equals(observer.own());
                    if (observer.kind() == Observer.Kind.GPU && isMeant) {
                        refreshes(program, observer, gpu);
                    }
                }
            }
            program.tick();
        }
    }

    @Override
    public void fenced(Observer observer, Scope scope) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            if (scope == Scope.SYSTEM || !platform.has(Weakness.DEVICE_FENCE_STAYS)) {
                releases(program, observer);
            }
            if (scope == Scope.SYSTEM && observer.kind() == Observer.Kind.GPU) {
                seesHost(program, observer);
            }
            program.tick();
        }
    }

    private void seesHost(ProgramClock program, Observer gpu) {
        for (MemoryDomain domain : system.domains()) {
            if (domain.kind() != MemoryDomain.Kind.DEVICE) {
                refreshes(program, gpu, domain);
            }
        }
    }

    @Override
    public void acquired(Observer gpu) {
        synchronized (judges) {
            seesHost(judges.programs.current(), gpu);
        }
    }

    @Override
    public void persisted(long address, long lengthBytes) {
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            settled.persisted(new Range(address, lengthBytes), program.clock.copyAtHome(), program.newMoment());
        }
    }

    @Override
    public void powerFails() {
        synchronized (judges) {
            judges.races.powerFails(system, judges.programs.current());
        }
    }

    @Override
    public String toString() {
        return system.toString();
    }
}
