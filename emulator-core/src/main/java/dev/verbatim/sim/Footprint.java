// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.Arrays;
import java.util.List;

/**
 * What an event reads and changes. Two events whose footprints do not conflict are independent: their order has no effect.
 */
public final class Footprint {

    /**
     * One access.
     *
     * @param object what is accessed, such as {@code "qp a/17"} or {@code "memory"}
     * @param from first byte, unsigned; 0 where the object has no parts
     * @param to first byte after the last one, unsigned
     * @param changes whether the access changes the object
     */
    public record Access(String object, long from, long to, boolean changes) {

        boolean conflictsWith(Access other) {
            return (changes || other.changes) && overlaps(other);
        }

        private boolean overlaps(Access other) {
            return Long.compareUnsigned(from, other.to) < 0
                    && Long.compareUnsigned(other.from, to) < 0
                    && isToObjectOf(other);
        }

        /** Whether both are to the same place. */
        private boolean isAt(Access other) {
            return from == other.from && to == other.to && isToObjectOf(other);
        }

        /** A bit for its object, the same for the same object. */
        private long bit() {
            return 1L << ((object.hashCode() * SPREAD) >>> BITS_LEFT);
        }

        /** Most names are not equal, and a string keeps its hash code. */
        private boolean isToObjectOf(Access other) {
            return object.hashCode() == other.object.hashCode() && object.equals(other.object);
        }
    }

    private static final Access[] NONE = {};
    private static final int FIRST_ROOM = 4;

    /** Multiplied with a hash code, it brings what differs to the upper bits, of which 6 are left. */
    private static final int SPREAD = 0x9e3779b9;

    private static final int BITS_LEFT = 26;

    private Access[] touches = NONE;
    private int touchCount;
    private Access[] inTurn = NONE;
    private int inTurnCount;
    private Access[] forced = NONE;
    private int forcedCount;

    /** The bits of what is touched, and of what is changed: where two footprints have none in common, nothing is to be compared. */
    private long touchedBits;

    private long changedBits;

    /** The same of what is in turn. */
    private long inTurnBits;

    private long enabledBits;
    private boolean everything;

    /** Empty at first. */
    public Footprint() {}

    /** The event changed the object. */
    public Footprint changes(String object) {
        return add(new Access(object, 0, 1, true));
    }

    /** The event looked at the object. */
    public Footprint looksAt(String object) {
        return add(new Access(object, 0, 1, false));
    }

    /** The event touched part of the object. */
    public Footprint add(Access touch) {
        if (everything) {
            return this;
        }
        long bit = touch.bit();
        for (int i = 0; (touchedBits & bit) != 0 && i < touchCount; i++) {
            if (touches[i].isAt(touch)) {
                if (touch.changes()) {
                    // Who changes it need not tell that he looked.
                    touches[i] = touch;
                    changedBits |= bit;
                }
                return this;
            }
        }
        touchedBits |= bit;
        changedBits |= touch.changes() ? bit : 0;
        touches = withRoom(touches, touchCount);
        touches[touchCount++] = touch;
        return this;
    }

    private static Access[] withRoom(Access[] accesses, int count) {
        return count < accesses.length ? accesses : Arrays.copyOf(accesses, Math.max(FIRST_ROOM, 2 * count));
    }

    /** As {@link #add}, and of two events that tell so of the same place, the later one cannot happen before the earlier one. */
    Footprint addInTurn(Access touch) {
        onlyInTurn(touch);
        return add(touch);
    }

    /** The access was in turn; whether it is one that others conflict with is said by {@link #add}. */
    void onlyInTurn(Access touch) {
        inTurn = withRoom(inTurn, inTurnCount);
        inTurn[inTurnCount++] = touch;
        inTurnBits |= touch.bit();
        enabledBits |= touch.changes() ? touch.bit() : 0;
    }

    /**
     * An access that changes says that the event happened by itself, and would have been forced by each that forces one of the places. One that does
     * not says that the event forces what would happen there.
     */
    void forced(Access places) {
        forced = withRoom(forced, forcedCount);
        forced[forcedCount++] = places;
    }

    /** Whether the later event would have done the same as this one, if that had not happened before. */
    public boolean isForcedBy(Footprint later) {
        for (int i = 0; i < forcedCount; i++) {
            for (int j = 0; forced[i].changes() && j < later.forcedCount; j++) {
                if (!later.forced[j].changes() && forced[i].overlaps(later.forced[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the later event, as it was, could not have happened before this one. Of those that only wait none must precede another. */
    boolean mustPrecede(Footprint later) {
        for (int i = 0; (enabledBits & later.inTurnBits) != 0 && i < inTurnCount; i++) {
            for (int j = 0; inTurn[i].changes() && j < later.inTurnCount; j++) {
                if (inTurn[i].overlaps(later.inTurn[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The access was only to part of the place. */
    void narrow(Access whole, Access part) {
        for (int i = 0; i < touchCount; i++) {
            if (touches[i].equals(whole)) {
                touches[i] = part;
            }
        }
    }

    /** What was only looked at is forgotten. */
    Footprint keepChanges() {
        int kept = 0;
        for (int i = 0; i < touchCount; i++) {
            if (touches[i].changes()) {
                touches[kept++] = touches[i];
            }
        }
        touchCount = kept;
        touchedBits = changedBits;
        return this;
    }

    /** As it was at first. */
    void clear() {
        touchCount = 0;
        inTurnCount = 0;
        forcedCount = 0;
        touchedBits = 0;
        changedBits = 0;
        inTurnBits = 0;
        enabledBits = 0;
        everything = false;
    }

    /** Nothing may change places with the event. */
    public Footprint everything() {
        everything = true;
        touchCount = 0;
        touchedBits = 0;
        changedBits = 0;
        return this;
    }

    /** All that the other has too. */
    public Footprint addAll(Footprint other) {
        if (touchCount == 0 && !everything) {
            touches = Arrays.copyOf(other.touches, other.touchCount);
            touchCount = other.touchCount;
            touchedBits = other.touchedBits;
            changedBits = other.changedBits;
        } else {
            for (int i = 0; i < other.touchCount; i++) {
                add(other.touches[i]);
            }
        }
        for (int i = 0; i < other.inTurnCount; i++) {
            onlyInTurn(other.inTurn[i]);
        }
        for (int i = 0; i < other.forcedCount; i++) {
            forced(other.forced[i]);
        }
        return other.everything ? everything() : this;
    }

    /** Whether the order of the two can matter. */
    public boolean conflictsWith(Footprint other) {
        if (everything || other.everything) {
            return true;
        }
        if (((changedBits & other.touchedBits) | (touchedBits & other.changedBits)) == 0) {
            return false;
        }
        for (int i = 0; i < touchCount; i++) {
            for (int j = 0; j < other.touchCount; j++) {
                if (touches[i].conflictsWith(other.touches[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it changed something that the other touched. */
    boolean changesWhatTouches(Footprint other) {
        if (everything || other.everything) {
            return true;
        }
        for (int i = 0; (changedBits & other.touchedBits) != 0 && i < touchCount; i++) {
            for (int j = 0; touches[i].changes() && j < other.touchCount; j++) {
                if (touches[i].conflictsWith(other.touches[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean isEverything() {
        return everything;
    }

    /** What it touches; nothing is named where it is {@linkplain #isEverything everything}. */
    List<Access> touches() {
        return List.of(Arrays.copyOf(touches, touchCount));
    }

    /** What it touches in turn. */
    List<Access> inTurn() {
        return List.of(Arrays.copyOf(inTurn, inTurnCount));
    }

    /** What it does by itself that others force, and what it forces. */
    List<Access> forced() {
        return List.of(Arrays.copyOf(forced, forcedCount));
    }

    /** Whether the other conflicts with the same. */
    boolean touchesAsMuchAs(Footprint other) {
        return everything == other.everything
                && Arrays.equals(touches, 0, touchCount, other.touches, 0, other.touchCount);
    }

    /** Whether nothing was touched. */
    boolean isEmpty() {
        return touchCount == 0 && !everything;
    }

    @Override
    public String toString() {
        return everything ? "everything" : touches().toString();
    }
}
