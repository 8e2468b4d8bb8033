// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
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
            return (changes || other.changes)
                    && Long.compareUnsigned(from, other.to) < 0
                    && Long.compareUnsigned(other.from, to) < 0
                    && object.equals(other.object);
        }

        /** Whether both are to the same place. */
        private boolean isAt(Access other) {
            return from == other.from && to == other.to && object.equals(other.object);
        }
    }

    private final List<Access> touches = new ArrayList<>();
    private final List<Access> inTurn = new ArrayList<>(2);
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
        for (int i = 0; i < touches.size(); i++) {
            Access known = touches.get(i);
            if (known.isAt(touch)) {
                if (touch.changes()) {
                    // Who changes it need not tell that he looked.
                    touches.set(i, touch);
                }
                return this;
            }
        }
        touches.add(touch);
        return this;
    }

    /** As {@link #add}, and of two events that tell so of the same place, the later one cannot happen before the earlier one. */
    Footprint addInTurn(Access touch) {
        inTurn.add(touch);
        return add(touch);
    }

    /** Whether the later event, as it was, could not have happened before this one. */
    boolean mustPrecede(Footprint later) {
        for (Access mine : inTurn) {
            for (Access theirs : later.inTurn) {
                if (mine.isAt(theirs)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The access was only to part of the place. */
    void narrow(Access whole, Access part) {
        touches.replaceAll(touch -> touch.equals(whole) ? part : touch);
    }

    /** What was only looked at is forgotten. */
    Footprint keepChanges() {
        touches.removeIf(touch -> !touch.changes());
        return this;
    }

    /** As it was at first. */
    void clear() {
        touches.clear();
        inTurn.clear();
        everything = false;
    }

    /** Nothing may change places with the event. */
    public Footprint everything() {
        everything = true;
        return this;
    }

    /** All that the other has too. */
    public Footprint addAll(Footprint other) {
        other.touches.forEach(this::add);
        inTurn.addAll(other.inTurn);
        everything |= other.everything;
        return this;
    }

    /** Whether the order of the two can matter. */
    public boolean conflictsWith(Footprint other) {
        if (everything || other.everything) {
            return true;
        }
        for (Access mine : touches) {
            for (Access theirs : other.touches) {
                if (mine.conflictsWith(theirs)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it changed something that the other touched. */
    boolean changesWhatTouches(Footprint other) {
        if (everything) {
            return true;
        }
        for (Access mine : touches) {
            for (Access theirs : other.touches) {
                if (mine.changes() && mine.conflictsWith(theirs)) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean isEverything() {
        return everything;
    }

    List<Access> touches() {
        return touches;
    }

    List<Access> inTurn() {
        return inTurn;
    }

    /** Whether nothing was touched. */
    boolean isEmpty() {
        return touches.isEmpty() && !everything;
    }

    @Override
    public String toString() {
        return everything ? "everything" : touches.toString();
    }
}
