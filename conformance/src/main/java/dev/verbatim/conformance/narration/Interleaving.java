// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Puts what two processes saw into one order. Their clocks need not agree, so the order follows from the packets alone:
 * each side keeps its own, and nothing is received before it was sent.
 */
public final class Interleaving {

    private final Side left;
    private final Side right;
    private final List<NarratedEvent> merged = new ArrayList<>();

    private Interleaving(List<NarratedEvent> left, List<NarratedEvent> right) {
        this.left = new Side(left);
        this.right = new Side(right);
    }

    /** One list of all; where the packets do not say, whoever hears the first of them comes first, having prepared for it. */
    public static List<NarratedEvent> of(List<NarratedEvent> left, List<NarratedEvent> right) {
        return new Interleaving(left, right).merge();
    }

    private List<NarratedEvent> merge() {
        Side turn = left.hearsFirst() ? left : right;
        while (!left.isDone() || !right.isDone()) {
            Side other = turn == right ? left : right;
            int before = merged.size();
            turn.tellWhatIsPossible(other);
            if (merged.size() == before && !other.canGoOn(turn)) {
                // Received but never sent: a tap came late. Better told out of order than not at all.
                (turn.isDone() ? other : turn).tellNext();
            }
            turn = other;
        }
        return merged;
    }

    /** One side's events, and the packets that it has sent and the other has not yet received. */
    private final class Side {

        private final Deque<NarratedEvent> untold;
        private final List<String> underWay = new ArrayList<>();

        Side(List<NarratedEvent> narratedEvents) {
            this.untold = new ArrayDeque<>(narratedEvents);
        }

        boolean isDone() {
            return untold.isEmpty();
        }

        boolean hearsFirst() {
            for (NarratedEvent narrated : untold) {
                if (narrated.packet() != null) {
                    return narrated.kind() == Kind.RECEIVED;
                }
            }
            return false;
        }

        boolean canGoOn(Side sender) {
            NarratedEvent next = untold.peekFirst();
            return next != null && (next.kind() != Kind.RECEIVED || sender.underWay.contains(next.packet()));
        }

        void tellWhatIsPossible(Side sender) {
            while (canGoOn(sender)) {
                NarratedEvent told = tellNext();
                if (told.kind() == Kind.RECEIVED) {
                    sender.underWay.remove(told.packet());
                }
            }
        }

        NarratedEvent tellNext() {
            NarratedEvent next = untold.removeFirst();
            if (next.kind() == Kind.SENT && next.packet() != null) {
                underWay.add(next.packet());
            }
            merged.add(next);
            return next;
        }
    }
}
