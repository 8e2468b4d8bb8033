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
 * A small program drawn from a seed, and the choices that are open when it is explored.
 *
 * @param pairs queue pairs between two nodes: one or two; with three nodes, b has a connection with each of the others
 * @param shared whether the receives of b are shared
 * @param datagrams whether the queue pairs are of type UD
 * @param posted whether there are receives at the beginning
 * @param twins whether each node has two programs, which take the steps in turn: the first, the third; the second, the fourth
 * @param programs what each node does
 */
record SmallPlan(
        long seed,
        int pairs,
        boolean shared,
        boolean datagrams,
        boolean posted,
        boolean twins,
        List<List<Step>> programs,
        OpenChoices openChoices,
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
        TWINS,
        STATE,
        FLUSH,
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
        STATE,
        PORT,
        ARM,
        NOTICE,
        BIND_1,
        BIND_2,
        USE_1,
        USE_2,
        INVALIDATE,
        SEND_INVALIDATE,
        KEY,
        DEALLOCATE,
        DEREGISTER,
        WRONG_KEY,
        FAIL,
        RESET,
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
     * @param wide whether what it posts is about both words
     */
    record Step(Deed deed, int pair, int word, int remote, boolean inline, boolean fenced, boolean wide) {
        @Override
        public String toString() {
            return deed + (inline ? " inline" : "") + (wide ? " wide" : "") + (fenced ? " fenced" : "") + " " + pair
                    + " " + word + ">" + remote;
        }
    }

    static final int WORDS = 2;

    private static final List<ChoicePoint> POINTS = List.of(
            ChoicePoint.PLACEMENT,
            ChoicePoint.COMPLETION,
            ChoicePoint.READ_FETCH,
            ChoicePoint.ACKNOWLEDGEMENT,
            ChoicePoint.ASYNC_EVENT,
            ChoicePoint.GATHER_SPLIT,
            ChoicePoint.FETCH_SPLIT,
            ChoicePoint.PLACEMENT_SPLIT,
            ChoicePoint.EXECUTED_FLUSHED,
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

    /** The plan of that seed. */
    static SmallPlan of(long seed) {
        return new Draw(Choices.seeded(seed), seed).plan();
    }

    boolean isLarge() {
        return programs.size() == 3 || pairs == 2;
    }

    boolean isAboutNotices() {
        return programs.stream()
                .flatMap(List::stream)
                .anyMatch(step -> step.deed() == Deed.ARM || step.deed() == Deed.NOTICE);
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + programs.size() + " nodes, " + pairs + " pairs"
                + (shared ? ", shared receives" : "") + (datagrams ? ", datagrams" : "")
                + (posted ? ", receives posted" : "") + (twins ? ", twins" : "") + ", " + programs + " with "
                + openChoices;
    }

    /** Draws a plan: of one feature, which makes that something depends on something else, and a few other steps. */
    private record Draw(Choices dice, long seed) {

        int below(int bound) {
            return dice.choose(ChoicePoint.PROGRAM_STEP, bound);
        }

        @SafeVarargs
        final <T> T oneOf(T... all) {
            return all[below(all.length)];
        }

        SmallPlan plan() {
            // Those of which there must be many are drawn twice as often as others.
            int drawn = below(Feature.values().length + Feature.FAULT.ordinal() + 1);
            Feature feature = Feature.values()[drawn % Feature.values().length];
            boolean three = below(2) > 0;
            int pairs = three ? 1 : below(3) > 0 ? 2 : 1;
            List<List<Step>> programs = new ArrayList<>();
            for (int i = 0; i < (three ? 3 : 2); i++) {
                programs.add(new ArrayList<>());
            }
            theme(feature, programs);
            for (int more = below(4) / 2; more > 0; more--) {
                List<Step> program = programs.get(below(programs.size()));
                program.add(below(program.size() + 1), step(USUAL.get(below(USUAL.size()))));
            }
            EnumSet<Feature> features = EnumSet.of(feature);
            if (programs.stream().flatMap(List::stream).anyMatch(Step::inline)) {
                features.add(Feature.INLINE);
            }
            return new SmallPlan(
                    seed,
                    pairs,
                    feature == Feature.SRQ || below(8) == 0,
                    feature == Feature.DATAGRAM,
                    feature != Feature.SRQ && below(2) == 0,
                    feature == Feature.TWINS,
                    programs,
                    openChoices(feature),
                    features);
        }

        /** Most are about the first word and the first queue pair, so that they meet. */
        private Step step(Deed deed) {
            return step(deed, below(10) == 0);
        }

        private Step step(Deed deed, boolean inline) {
            boolean mayBeInline = deed == Deed.WRITE || deed == Deed.WRITE_IMM || deed == Deed.SEND;
            boolean isInline = mayBeInline && inline;
            boolean isFenced = below(6) == 0;
            if (!isInline && below(4) == 0) {
                return new Step(deed, below(3) / 2, 0, 0, false, isFenced, true);
            }
            return new Step(deed, below(3) / 2, below(4) / 3, below(4) / 3, isInline, isFenced, false);
        }

        private void theme(Feature feature, List<List<Step>> programs) {
            List<Step> a = programs.get(0);
            List<Step> b = programs.get(1);
            List<Step> last = programs.get(programs.size() == 3 ? 2 : below(2));
            switch (feature) {
                case INLINE -> {
                    a.add(new Step(Deed.WRITE, 0, 1, 0, false, false, false));
                    b.add(new Step(oneOf(Deed.SEND, Deed.WRITE), below(2), 0, 1, true, false, false));
                    b.add(new Step(Deed.LOAD, 0, 0, 0, false, false, false));
                }
                case SRQ -> {
                    a.add(step(Deed.SEND));
                    b.add(step(Deed.RECEIVE));
                    last.add(step(oneOf(Deed.SEND, Deed.RECEIVE)));
                }
                case CM -> {
                    a.add(step(Deed.DIAL));
                    a.add(step(Deed.HEAR));
                    b.add(step(Deed.HEAR));
                    last.add(step(oneOf(Deed.HANG_UP, Deed.HEAR, Deed.DIAL, Deed.STATE)));
                    oneOf(a, b, last).add(step(oneOf(Deed.HANG_UP, Deed.HEAR)));
                }
                case BIND -> {
                    boolean first = below(2) == 0;
                    b.add(step(first ? Deed.BIND_1 : Deed.BIND_2));
                    a.add(step(first ? Deed.USE_1 : Deed.USE_2));
                    last.add(step(oneOf(Deed.KEY, Deed.DEREGISTER, Deed.STATE, Deed.LOOK)));
                }
                case INVALIDATE -> {
                    b.add(step(Deed.BIND_2));
                    if (below(2) == 0) {
                        b.add(step(Deed.INVALIDATE));
                    } else {
                        a.add(step(Deed.SEND_INVALIDATE));
                        b.add(0, step(Deed.RECEIVE));
                    }
                    if (below(2) == 0) {
                        a.add(step(Deed.USE_2));
                    }
                }
                case EVENT -> {
                    a.add(step(oneOf(Deed.WRONG_KEY, Deed.FAIL, Deed.SEND)));
                    b.add(step(oneOf(Deed.EVENT, Deed.ARM)));
                    b.add(step(oneOf(Deed.EVENT, Deed.NOTICE)));
                }
                case ATOMIC -> {
                    a.add(step(Deed.ADD));
                    last.add(step(oneOf(Deed.ADD, Deed.WRITE)));
                }
                case FAULT -> {
                    a.add(step(oneOf(Deed.WRITE, Deed.SEND, Deed.READ, Deed.ADD)));
                    last.add(step(oneOf(Deed.WRITE, Deed.STATE, Deed.LOAD)));
                }
                case DATAGRAM -> {
                    a.add(step(Deed.SEND));
                    b.add(step(Deed.RECEIVE));
                    last.add(step(oneOf(Deed.SEND, Deed.WRONG_KEY)));
                    b.add(step(oneOf(Deed.LOOK, Deed.PORT)));
                }
                case TWINS -> {
                    List<Deed> both = oneOf(
                            List.of(Deed.BIND_1, Deed.KEY),
                            List.of(Deed.BIND_1, Deed.BIND_1),
                            List.of(Deed.BIND_2, Deed.DEREGISTER),
                            List.of(Deed.BIND_2, Deed.DEALLOCATE),
                            List.of(Deed.SEND, Deed.SEND),
                            List.of(Deed.RECEIVE, Deed.RECEIVE),
                            List.of(Deed.STATE, Deed.FAIL),
                            List.of(Deed.LOOK, Deed.RESET),
                            List.of(Deed.STORE, Deed.LOAD));
                    boolean isTurned = below(2) == 0;
                    b.add(step(both.get(isTurned ? 1 : 0)));
                    b.add(step(both.get(isTurned ? 0 : 1)));
                    b.add(step(oneOf(Deed.LOOK, Deed.LOAD, Deed.STATE, Deed.EVENT)));
                }
                case STATE -> {
                    a.add(step(oneOf(Deed.WRONG_KEY, Deed.WRITE)));
                    b.add(step(oneOf(Deed.STATE, Deed.DEREGISTER)));
                    b.add(step(oneOf(Deed.STATE, Deed.SEND, Deed.RECEIVE)));
                }
                case FLUSH -> {
                    a.add(step(Deed.WRITE));
                    last.add(step(Deed.FLUSH));
                    b.add(step(Deed.LOAD));
                }
                case PLAIN -> {
                    a.add(step(Deed.WRITE));
                    last.add(step(oneOf(Deed.WRITE, Deed.READ)));
                    b.add(step(oneOf(Deed.UNTIL, Deed.LOAD, Deed.STORE)));
                }
            }
        }

        /** Programs go on between other events only where these may be passed over, which the first points let happen. */
        private OpenChoices openChoices(Feature feature) {
            boolean isOfMemory = feature == Feature.INLINE || feature == Feature.FLUSH || feature == Feature.PLAIN;
            if (isOfMemory && below(3) > 0) {
                // Then programs go on where bytes have been accepted, whether they are shown or not.
                return OpenChoices.of(ChoicePoint.PLACEMENT);
            }
            OpenChoices openChoices = OpenChoices.NONE;
            if (below(5) > 0) {
                openChoices = openChoices.with(ChoicePoint.ARRIVAL);
            }
            if (below(5) > 0) {
                openChoices = openChoices.with(ChoicePoint.PROGRAM_STEP);
            }
            if (below(2) > 0) {
                openChoices = openChoices.with(ChoicePoint.REQUEST);
            }
            openChoices = switch (feature) {
                case INLINE, FLUSH, PLAIN -> openChoices.with(ChoicePoint.PLACEMENT);
                case FAULT -> openChoices.with(FAULTS.get(below(FAULTS.size())));
                default -> openChoices;
            };
            if (below(3) == 0) {
                openChoices = openChoices.with(POINTS.get(below(POINTS.size())));
            }
            return feature == Feature.FAULT ? new OpenChoices(openChoices.points(), 1) : openChoices;
        }
    }
}
