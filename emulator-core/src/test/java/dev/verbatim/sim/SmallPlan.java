// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A small program drawn from a seed, and the freedom in which it is explored.
 *
 * @param nodes two or three; with three, b has a connection with each of the others
 * @param pairs queue pairs between two nodes: one or two
 * @param shared whether the receives of b are shared
 * @param datagrams whether the queue pairs are of type UD
 * @param programs what each node does
 */
record SmallPlan(
        long seed,
        int nodes,
        int pairs,
        boolean shared,
        boolean datagrams,
        List<List<Step>> programs,
        Freedom freedom,
        Set<Feature> features) {

    /** What has to occur often enough. */
    enum Feature {
        INLINE,
        SRQ,
        CM,
        BIND,
        INVALIDATE,
        EVENT,
        ATOMIC,
        FAULT,
        DATAGRAM,
        PLAIN
    }

    /** What a node does in one step. */
    enum Deed {
        STORE,
        LOAD,
        UNTIL,
        WRITE,
        WRITE_IMM,
        SEND,
        READ,
        ADD,
        FLUSH,
        RECEIVE,
        TAKE,
        LOOK,
        EVENT,
        AWAIT_EVENT,
        STATE,
        ARM,
        NOTICE,
        BIND_1,
        BIND_2,
        USE_1,
        USE_2,
        INVALIDATE,
        SEND_INVALIDATE,
        KEY,
        DEREGISTER,
        WRONG_KEY,
        FAIL,
        DIAL,
        HEAR,
        HANG_UP
    }

    /**
     * One step.
     *
     * @param pair which of the node's queue pairs
     * @param word which word of its memory
     * @param remote which word of its peer's
     * @param inline whether what it posts is captured at once
     * @param fenced whether what it posts waits for READs and atomics
     */
    record Step(Deed deed, int pair, int word, int remote, boolean inline, boolean fenced) {
        @Override
        public String toString() {
            return deed + (inline ? " inline" : "") + (fenced ? " fenced" : "") + " " + pair + " " + word + ">"
                    + remote;
        }
    }

    static final int WORDS = 2;

    private static final List<ChoicePoint> POINTS = List.of(
            ChoicePoint.PROGRAM_STEP,
            ChoicePoint.REQUEST,
            ChoicePoint.ARRIVAL,
            ChoicePoint.PLACEMENT,
            ChoicePoint.COMPLETION,
            ChoicePoint.READ_FETCH,
            ChoicePoint.ACKNOWLEDGEMENT,
            ChoicePoint.ASYNC_EVENT,
            ChoicePoint.EARLY_LOCAL_CHECK,
            ChoicePoint.EARLY_LOCAL_INVALIDATE,
            ChoicePoint.REFUSED_RECEIVE_KEPT,
            ChoicePoint.EVENT_MERGE,
            ChoicePoint.SPURIOUS_EVENT);

    private static final List<ChoicePoint> FAULTS = List.of(
            ChoicePoint.LINK_DROP,
            ChoicePoint.LINK_DUPLICATE,
            ChoicePoint.LINK_REORDER,
            ChoicePoint.LINK_CUT,
            ChoicePoint.DEVICE_SILENCE,
            ChoicePoint.DEVICE_CRASH);

    /** The plan of that seed. */
    static SmallPlan of(long seed) {
        return new Draw(Choices.seeded(seed), seed).plan();
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + nodes + " nodes, " + pairs + " pairs" + (shared ? ", shared receives" : "")
                + (datagrams ? ", datagrams" : "") + ", " + programs + " with " + freedom;
    }

    /** Draws a plan. */
    private record Draw(Choices dice, long seed) {

        private static final List<Deed> USUAL = List.of(
                Deed.STORE,
                Deed.LOAD,
                Deed.LOAD,
                Deed.UNTIL,
                Deed.WRITE,
                Deed.WRITE,
                Deed.SEND,
                Deed.READ,
                Deed.TAKE,
                Deed.LOOK,
                Deed.RECEIVE,
                Deed.STATE,
                Deed.WRONG_KEY,
                Deed.FLUSH,
                Deed.FAIL);

        int below(int bound) {
            return dice.choose(ChoicePoint.PROGRAM_STEP, bound);
        }

        <T> T oneOf(List<T> all) {
            return all.get(below(all.size()));
        }

        SmallPlan plan() {
            Feature feature = oneOf(List.of(Feature.values()));
            boolean three = feature != Feature.CM && below(3) > 0;
            int pairs = three ? 1 : 1 + below(2);
            List<List<Step>> programs = new ArrayList<>();
            for (int i = 0; i < (three ? 3 : 2); i++) {
                programs.add(new ArrayList<>());
            }
            boolean datagrams = feature == Feature.DATAGRAM;
            theme(feature, programs);
            int more = below(4);
            for (int i = 0; i < more; i++) {
                List<Step> program = oneOf(programs);
                program.add(below(program.size() + 1), step(oneOf(USUAL), false));
            }
            EnumSet<Feature> features = EnumSet.of(feature);
            if (programs.stream().flatMap(List::stream).anyMatch(Step::inline)) {
                features.add(Feature.INLINE);
            }
            boolean shared = feature == Feature.SRQ || below(8) == 0;
            return new SmallPlan(seed, programs.size(), pairs, shared, datagrams, programs, freedom(feature), features);
        }

        private Step step(Deed deed, boolean inline) {
            boolean mayBeInline = deed == Deed.WRITE || deed == Deed.WRITE_IMM || deed == Deed.SEND;
            boolean isInline = mayBeInline && (inline || below(8) == 0);
            return new Step(deed, below(2), below(WORDS), below(WORDS), isInline, below(6) == 0);
        }

        private void theme(Feature feature, List<List<Step>> programs) {
            List<Step> a = programs.get(0);
            List<Step> b = programs.get(1);
            List<Step> last = programs.get(programs.size() - 1);
            switch (feature) {
                case INLINE -> {
                    a.add(step(Deed.WRITE, false));
                    b.add(step(oneOf(List.of(Deed.SEND, Deed.WRITE)), true));
                    b.add(step(Deed.LOAD, false));
                }
                case SRQ -> {
                    a.add(step(Deed.SEND, false));
                    b.add(step(Deed.RECEIVE, false));
                    last.add(step(oneOf(List.of(Deed.SEND, Deed.RECEIVE, Deed.LOOK)), false));
                }
                case CM -> {
                    a.add(step(Deed.DIAL, false));
                    a.add(step(Deed.HEAR, false));
                    b.add(step(Deed.HEAR, false));
                    oneOf(programs).add(step(oneOf(List.of(Deed.HANG_UP, Deed.HEAR, Deed.STATE)), false));
                }
                case BIND -> {
                    boolean first = below(2) == 0;
                    b.add(step(first ? Deed.BIND_1 : Deed.BIND_2, false));
                    a.add(step(first ? Deed.USE_1 : Deed.USE_2, false));
                    oneOf(programs).add(step(oneOf(List.of(Deed.KEY, Deed.DEREGISTER, Deed.LOOK)), false));
                }
                case INVALIDATE -> {
                    b.add(step(Deed.BIND_2, false));
                    if (below(2) == 0) {
                        b.add(step(Deed.INVALIDATE, false));
                    } else {
                        a.add(step(Deed.SEND_INVALIDATE, false));
                        b.add(0, step(Deed.RECEIVE, false));
                    }
                    oneOf(programs).add(step(oneOf(List.of(Deed.USE_2, Deed.DEREGISTER)), false));
                }
                case EVENT -> {
                    a.add(step(oneOf(List.of(Deed.WRONG_KEY, Deed.FAIL, Deed.SEND)), false));
                    b.add(step(oneOf(List.of(Deed.EVENT, Deed.AWAIT_EVENT, Deed.ARM)), false));
                    b.add(step(oneOf(List.of(Deed.EVENT, Deed.NOTICE, Deed.STATE)), false));
                }
                case ATOMIC -> {
                    a.add(step(Deed.ADD, false));
                    last.add(step(oneOf(List.of(Deed.ADD, Deed.WRITE, Deed.LOAD)), false));
                }
                case FAULT -> a.add(step(oneOf(List.of(Deed.WRITE, Deed.SEND, Deed.READ, Deed.ADD)), false));
                case DATAGRAM -> {
                    a.add(step(Deed.SEND, false));
                    b.add(step(Deed.RECEIVE, false));
                    last.add(step(Deed.SEND, false));
                }
                case PLAIN -> {
                    a.add(step(Deed.WRITE, false));
                    a.add(step(Deed.WRITE, false));
                    b.add(step(Deed.UNTIL, false));
                }
            }
        }

        private Freedom freedom(Feature feature) {
            Freedom freedom = Freedom.NONE;
            int points = feature == Feature.CM ? 1 + below(2) : 2 + below(3);
            for (int i = 0; i < points; i++) {
                // Of the first, which orders what programs do, the most is to be seen.
                freedom = freedom.with(POINTS.get(below(2) == 0 ? below(5) : below(POINTS.size())));
            }
            return feature == Feature.FAULT
                    ? new Freedom(freedom.with(oneOf(FAULTS)).points(), 1)
                    : freedom;
        }
    }
}
