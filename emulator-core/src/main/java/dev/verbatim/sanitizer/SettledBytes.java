// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.Observer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * What has happened to writes into certain bytes only, and not to all of a domain: they were flushed, written back, or seen. The oldest is
 * forgotten when there is too much.
 */
final class SettledBytes {

    private static final int MOST = 1 << 12;

    private final MemoryWatch memory;
    private final Deque<Settled> all = new ArrayDeque<>();

    /**
     * Of some bytes.
     *
     * @param writes those that are meant are known to this clock
     * @param isKnown whether who knows that much knows of it
     * @param isForHome whether they are at home
     * @param isFor whose view they are in
     * @param needsHome whether it is true only of those that were known to be at home
     */
    private record Settled(
            Range bytes,
            VectorClock writes,
            Predicate<VectorClock> isKnown,
            boolean isForHome,
            Predicate<Observer> isFor,
            boolean needsHome) {}

    SettledBytes(MemoryWatch memory) {
        this.memory = memory;
    }

    private void add(Settled settled) {
        if (all.size() == MOST) {
            all.removeFirst();
        }
        all.addLast(settled);
    }

    /** A FLUSH is executed: the bytes are there for all observers, or for good (VIS-15, VIS-16). */
    void flushed(
            Predicate<VectorClock> isKnown, Observer adapter, Range bytes, boolean persistent, VectorClock before) {
        add(new Settled(
                bytes,
                before,
                known -> isKnown.test(memory.acceptedBy(adapter, known)),
                true,
                observer -> persistent == (observer.kind() == Observer.Kind.POWER),
                false));
    }

    /** The CPU has written back what is at home. */
    void persisted(Range bytes, VectorClock atHome, ProgramClock.Moment moment) {
        add(new Settled(
                bytes, atHome, moment::isKnownTo, false, observer -> observer.kind() == Observer.Kind.POWER, true));
    }

    /** A program has seen that they are at home. */
    void arrived(Range bytes, VectorClock writes, ProgramClock.Moment moment) {
        add(new Settled(bytes, writes, moment::isKnownTo, true, observer -> false, false));
    }

    /** An observer has seen their newest values. */
    void seenBy(Observer self, Range bytes, VectorClock writes, ProgramClock.Moment moment) {
        add(new Settled(bytes, writes, moment::isKnownTo, false, self::equals, false));
    }

    boolean isAtHome(Access write, Range bytes, VectorClock known) {
        return isSo(write, bytes, known, Settled::isForHome);
    }

    boolean isSeenBy(Observer observer, Access write, Range bytes, VectorClock known) {
        return isSo(write, bytes, known, settled -> settled.isFor.test(observer));
    }

    private boolean isSo(Access write, Range bytes, VectorClock known, Predicate<Settled> isMeant) {
        for (Settled settled : all) {
            if (isMeant.test(settled)
                    && settled.bytes.covers(bytes)
                    && settled.isKnown.test(known)
                    && (settled.needsHome
                            ? memory.isAtHome(write, bytes, settled.writes)
                            : memory.hasHappened(write, settled.writes))) {
                return true;
            }
        }
        return false;
    }
}
