// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.sim.network.EventNames;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The sources that may have a packet to send, in the order in which they announced themselves, each with the event that is its turn. */
final class ReadyTurns {

    private final List<Turn> ready = new ArrayList<>();
    private final Packet outgoing = new Packet();
    private final EventNames names;
    private final BiConsumer<Turn, Packet> giver;

    /** @param giver gives a source its turn, with room for a packet */
    ReadyTurns(EventNames names, BiConsumer<Turn, Packet> giver) {
        this.names = names;
        this.giver = giver;
    }

    /** The event in which a source has its turn. */
    final class Turn extends SimEvent {

        private final PacketSource source;

        /** Of each packet it may be another one. */
        private ChoicePoint point = ChoicePoint.REQUEST;

        private Turn(PacketSource source) {
            super(ChoicePoint.REQUEST, source, names);
            this.source = source;
        }

        PacketSource source() {
            return source;
        }

        /** Such a turn changes nothing, so it is taken at once and is no event. */
        private boolean hasNothingToSay() {
            return !source.hasMore() && !source.pull(outgoing);
        }

        @Override
        public ChoicePoint point() {
            return point;
        }

        @Override
        void happen() {
            giver.accept(this, outgoing);
        }
    }

    void add(PacketSource source) {
        ready.add(new Turn(source));
    }

    void remove(Turn turn) {
        ready.remove(turn);
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** All of them, as they are now. */
    List<Turn> copy() {
        return List.copyOf(ready);
    }

    /** Only those stay that have something to say. */
    void passOverSilent() {
        for (int i = 0; i < ready.size(); ) {
            if (ready.get(i).hasNothingToSay()) {
                ready.remove(i);
            } else {
                i++;
            }
        }
    }

    /** Adds those that have something to say: first what responders send, then what requesters send. */
    void addTo(List<SimEvent> events) {
        passOverSilent();
        for (int i = 0; i < ready.size(); i++) {
            Turn turn = ready.get(i);
            turn.point = turn.source.point();
        }
        add(events, false);
        add(events, true);
    }

    private void add(List<SimEvent> events, boolean requests) {
        for (int i = 0; i < ready.size(); i++) {
            Turn turn = ready.get(i);
            if ((turn.point == ChoicePoint.REQUEST) == requests) {
                events.add(turn);
            }
        }
    }

    @Override
    public String toString() {
        return ready.toString();
    }
}
