// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which events have to be taken at the nodes of a run, after it ended or was abandoned. At first one that does not sleep is taken;
 * others when two events of a run turn out to be in a race, which means that their order may matter and that nothing between them decides it.
 * These are source sets (P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, <i>Source Sets: A Foundation for Optimal Dynamic Partial Order
 * Reduction</i>, J. ACM 64(4), 2017), for events whose footprints depend on the state.
 *
 * <h2>What is taken</h2>
 *
 * <p>Event i is before event j of a run if i comes first and both have the same key, or their footprints conflict, or i made j possible; or if
 * something is between them in this sense. It is a race if nothing is between. It is none if i made j possible, or if their order is fixed,
 * such as that of the packets of a flow, or of what makes a condition true and the step that waits for it; and time passes only when nothing
 * else is possible. At the node of i one event is taken of those with which the run can begin that has j first: they come later in the run
 * and not after i, come first among these, and are possible at the node. If j is not possible there, what comes behind it in the run does not help it. If j sleeps there it could be next; so one is taken
 * only of those that lead to an event that j conflicts with. Where points are off that is not so: behind j an event may have to come at once
 * that conflicts with one before j.
 *
 * <p>Of several that would do, j itself is taken last, as it is in a race with what it may make impossible, and then others are needed too.
 *
 * <p>That an event was taken says less if it makes others impossible. Each of these is taken too; or if it came asleep, what leads to an event
 * that wakes it. Such an event is not the one of several that a race needs, but if it is j, and i is all that it makes impossible. If the event
 * keeps an event impossible that is not possible yet, then others are taken until one makes none impossible. That is so where a program waits for
 * two things together, and the event, which need not come before the step before, changed something where its condition looked.
 *
 * <p>Where the point of an event is off, the event must not be passed over. So who helps to make it possible makes those wait that are
 * possible without it: each earlier event that it conflicts with counts as one that keeps others impossible, unless nothing that is still
 * to come is behind it in the canonical order.
 *
 * <p>The other events of the run that has j first are remembered as a guide, and taken first where they are possible. Any event that does not
 * sleep would do; but an event that sleeps is woken only by what conflicts with it, and the guide leads there. Without it more runs are
 * abandoned.
 *
 * <h2>Why no outcome is lost</h2>
 *
 * <p><i>For each run w from s that can begin with no event that sleeps at s, a run is walked through that contains w</i>: with all its
 * events, up to places changed by neighbours whose footprints do not conflict, and possibly with others in between, which do not conflict with
 * what comes later in w. For the whole tree that is every outcome, since nothing sleeps at the root, and a run that has come to its end
 * contains nothing but itself. By induction over the order in which the walk leaves nodes:
 *
 * <ul>
 *   <li>If w can begin with an event p that is taken at s, so that w stands for p·v, then v is contained in a run that was walked through behind
 *       s·p; choose the p that was taken first, so that nothing sleeps there with which v can begin.
 *   <li>If an event p that is taken at s conflicts with no event of w, then p·w is a run that contains w.
 *   <li>Otherwise let q be the first event of w that conflicts with p: w begins with v·q, and p·v is a run. If p·v·q is one too, a run was
 *       walked through that contains it. There p and q are in a race: they conflict also there, since q behaves differently only if it looks at
 *       something that p changed, and what is in between conflicts with none of them that comes later in w. The first event of v·q is one of
 *       those of which one is taken. Let x be that one. It was not taken before p, or it would sleep behind s·p, and come behind what wakes it.
 *       If x belongs to v, w can begin with it; if it is no event of w, it conflicts with none of v; if it is q, it may conflict with one of v,
 *       as without p it may behave differently. So go on with x, which was taken later than p.
 *   <li>If p makes q impossible, which was possible at s, and q was taken at s, go on with q, whose first conflict in w comes earlier.
 *       If q came asleep then w, which cannot begin with it, has an event in v that it conflicts with, and w can begin with one of those that
 *       lead there.
 * </ul>
 *
 * <p>That comes to an end. Let some p be taken that makes nothing impossible, and begin with it: all x are taken later, as long as no q is made
 * impossible. An x that makes something impossible was chosen only as q of the last race, and then makes only p impossible; that is not the
 * first conflict of x, or p would come before q in w, and w could begin with it. If there is no such p, go on
 * with what is made impossible until a race is found: its first conflict comes earlier each time. All events are taken that this race names.
 *
 * <p>That needs the square of {@link DepthFirstExploration} alone: not that footprints are the same in every state. Of what makes an event possible
 * it needs that two events each of which does so conflict, or the condition says that it is about two things.
 *
 * <p>What an event keeps from becoming possible is not seen by looking at what is possible. Conditions of two
 * things tell it. Everything else that can happen is made possible by an event that conflicts with those that prevent it: both change the one
 * thing that it depends on, or it is told as if they did, as of a post and an RNR NAK.
 *
 * <p>Where points are off, p·v is a run if no event that must not be passed over, and comes before some event of v in the canonical order,
 * becomes possible by p and v together, and not by v alone. It would look at what p changed, and be taken later in each run that contains p·v, or sleep at its end; so p counts as one that keeps others
 * impossible, and another p is chosen, or all are taken.
 *
 * <h2>What is forced</h2>
 *
 * <p>An event may do itself, first, what others that are deferred would do, as a READ shows the bytes that were placed before it; a device tells
 * of which that is so ({@link dev.verbatim.fabric.Lane#forces}). A run in which it does ends like the one in which these happen right before it. So let w
 * be a run in which nothing is done that way: what would be forced is an event of w and comes before the one that would force it. A run that was
 * walked through contains w also where it forces what in w happens by itself. Two things follow. An event and a later one that would force it are in
 * no race: w has the first before the second. And if q would force what p makes possible, then p·v·q is no such run; p·v, then what is forced, then
 * q is one. So p and q are in a race though that is between them; what would be forced decides no order of others.
 */
final class SourceSets {

    /** The events of the run, as nodes. */
    private final List<ExplorationNode> run;

    /** What was possible after the last one. */
    private final List<String> possibleAtEnd;

    private final Map<String, Footprint> awaitedAtEnd;

    /** Events that may need two things together. */
    private final TreeSet<String> waiting;

    /** The event that must not be passed over at the end, where all sleep; null if there is none. */
    private final @Nullable SleepSetEntry fixedAtEnd;

    private final boolean fixesSomeOrder;

    SourceSets(
            List<ExplorationNode> run,
            String[] possibleAtEnd,
            @Nullable SleepSetEntry fixedAtEnd,
            Map<String, Footprint> awaitedAtEnd,
            boolean fixesSomeOrder) {
        this.fixesSomeOrder = fixesSomeOrder;
        this.run = run;
        this.possibleAtEnd = Arrays.asList(possibleAtEnd);
        this.fixedAtEnd = fixedAtEnd;
        this.awaitedAtEnd = awaitedAtEnd;
        this.waiting = new TreeSet<>(awaitedAtEnd.keySet());
        run.forEach(node -> waiting.addAll(node.awaited.keySet()));
    }

    /**
     * Has everything taken that this run shows to be needed.
     *
     * @param firstNew the first event that was not part of an earlier run, or has another footprint now
     * @return false if the thread is interrupted; then it may not be all
     */
    boolean complete(int firstNew) {
        EventRaces.find(run, firstNew, possibleAtEnd, waiting);
        for (int j = 0; j < run.size() && !Thread.currentThread().isInterrupted(); j++) {
            BitSet races = run.get(j).follows.races();
            for (int i = races.nextSetBit(0); i >= 0; i = races.nextSetBit(i + 1)) {
                if (run.get(i).isSelective()) {
                    reverse(i, j);
                }
            }
        }
        for (int i = 0; i < run.size(); i++) {
            findWhatIsMadeImpossible(i);
        }
        for (int j = firstNew; j < run.size() && !Thread.currentThread().isInterrupted(); j++) {
            if (run.get(j).isFixed() && !run.get(j).key().equals(EnabledEvents.TIME)) {
                findWhoMakesWait(run.get(j).key(), run.get(j).touchedNow, j);
            }
        }
        if (fixedAtEnd != null) {
            findWhoMakesWait(fixedAtEnd.key(), fixedAtEnd.footprint(), run.size());
        }
        for (String event : waiting) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            findWhatKeepsImpossible(event);
        }
        return !Thread.currentThread().isInterrupted();
    }

    /** Has one taken at i with which a run can begin in which j comes before i. */
    private void reverse(int i, int j) {
        ExplorationNode node = run.get(i);
        String later = run.get(j).key();
        int index = node.indexOf(later);
        Footprint asleep = fixesSomeOrder || index < 0 || isBetween(later, i, j) ? null : node.asleep(index);
        if (asleep != null) {
            findWhatWakes(i, asleep);
            return;
        }
        boolean needsEarlier = !node.isPossible(later) && !waiting.contains(later);
        BitSet apart = new BitSet();
        for (int k = i + 1; k < (needsEarlier ? j : run.size()); k++) {
            if (!run.get(k).follows.before().get(i)) {
                apart.set(k);
            }
        }
        apart.set(j);
        takeOneOfTheFirst(i, apart, j);
    }

    private boolean isBetween(String key, int i, int j) {
        return run.subList(i + 1, j).stream().anyMatch(event -> event.key().equals(key));
    }

    /** What sleeps at i can be next, and need not be taken, unless something comes first that it conflicts with. */
    private void findWhatWakes(int i, Footprint asleep) {
        for (int k = i + 1; k < run.size(); k++) {
            ExplorationNode event = run.get(k);
            if (!event.follows.before().get(i) && event.touchedNow.conflictsWith(asleep)) {
                BitSet chain = new BitSet();
                chain.or(event.follows.before());
                chain.clear(0, i + 1);
                chain.set(k);
                takeOneOfTheFirst(i, chain, -1);
            }
        }
    }

    /** Has one of those taken at i that come first among these events of the run, which do not come after i, but for j. */
    private void takeOneOfTheFirst(int i, BitSet events, int j) {
        ExplorationNode node = run.get(i);
        BitSet first = new BitSet();
        int itself = -1;
        for (int k = events.nextSetBit(0); k >= 0; k = events.nextSetBit(k + 1)) {
            ExplorationNode event = run.get(k);
            int index = event.follows.before().intersects(events) ? -1 : node.indexOf(event.key());
            if (index >= 0) {
                first.set(index);
                itself = k == j ? index : itself;
            }
        }
        node.wantOneOf(
                first,
                itself,
                () -> events.stream().mapToObj(k -> run.get(k).key()).toList());
    }

    private List<String> possibleAfter(int i) {
        return i + 1 < run.size() ? Arrays.asList(run.get(i + 1).possible) : possibleAtEnd;
    }

    /**
     * What an event may have helped to make possible, and must not be passed over, makes others wait that are possible without it; but not
     * if it comes behind all of them.
     */
    private void findWhoMakesWait(String key, Footprint fixed, int end) {
        for (int i = 0; i < end; i++) {
            if (!run.get(i).last.equals(key) && run.get(i).touchedNow.conflictsWith(fixed)) {
                run.get(i).keepsImpossible();
            }
        }
    }

    /** Has that taken which the event makes impossible, or what wakes it. */
    private void findWhatIsMadeImpossible(int i) {
        ExplorationNode node = run.get(i);
        BitSet impossible = node.follows.impossible();
        for (int index = impossible.nextSetBit(0); index >= 0; index = impossible.nextSetBit(index + 1)) {
            Footprint asleep = node.makesImpossible(index);
            if (asleep != null) {
                findWhatWakes(i, asleep);
            }
        }
    }

    /** Finds what changes something that decides whether an event is possible, which then is not. */
    private void findWhatKeepsImpossible(String event) {
        Footprint looks = new Footprint();
        int last = -1;
        for (int end = 0; end <= run.size(); end++) {
            Map<String, Footprint> awaited = end < run.size() ? run.get(end).awaited : awaitedAtEnd;
            Footprint more = awaited.get(event);
            if (more != null) {
                looks.addAll(more);
            }
            if (end == run.size() || run.get(end).key().equals(event)) {
                findWhatChanges(looks, event, last, end);
                last = end;
                looks = new Footprint();
            }
        }
    }

    /** Finds who changed what was looked at, other than what had to come before the event that was last, until there was another. */
    private void findWhatChanges(Footprint looks, String event, int last, int end) {
        for (int i = 0; i < end; i++) {
            boolean isEarly = i <= last
                    ? i == last || run.get(last).follows.before().get(i)
                    : possibleAfter(i).contains(event);
            if (!isEarly && run.get(i).touchedNow.changesWhatTouches(looks)) {
                run.get(i).keepsImpossible();
            }
        }
    }
}
