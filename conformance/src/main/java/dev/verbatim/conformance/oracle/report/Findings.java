// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Gathers what the models find. Counts everything, and keeps so many violations and one example of each behaviour. */
public final class Findings {

    private static final int MOST_VIOLATIONS = 100;

    private final long[] checked = new long[Check.values().length];
    private final long[] seen = new long[WeakBehaviour.values().length];
    private final long[] gaps = new long[Gap.values().length];
    private final Map<WeakBehaviour, String> examples = new EnumMap<>(WeakBehaviour.class);
    private final List<Violation> violations = new ArrayList<>();
    private long violationCount;

    /** Whether a link delivered a packet twice, which unreliable transports cannot tell from two packets. */
    public boolean linksRepeat;

    /** Whether bindings of type 2 outlive RESET of their queue pair, as some devices have it (MW-94). */
    public boolean windowsOutliveReset;

    /** Whether a link delivered a packet twice or let others overtake it. */
    public boolean linksDisturb;

    /** A check was made; with what outcome is another matter. */
    public void checked(Check check) {
        checked[check.ordinal()]++;
    }

    /** Something forbidden happened; positions that are negative are not known. */
    public void violated(Check check, String sentence, long... positions) {
        violationCount++;
        if (violations.size() < MOST_VIOLATIONS) {
            List<Long> known = new ArrayList<>();
            for (long position : positions) {
                if (position >= 0) {
                    known.add(position);
                }
            }
            violations.add(new Violation(check, sentence, known));
        }
    }

    /** Whether an example of a behaviour is wanted still; otherwise the sentence need not be made. */
    public boolean wantsExample(WeakBehaviour behaviour) {
        return !examples.containsKey(behaviour);
    }

    public void seen(WeakBehaviour behaviour) {
        seen[behaviour.ordinal()]++;
    }

    public void example(WeakBehaviour behaviour, String sentence) {
        examples.putIfAbsent(behaviour, sentence);
    }

    public void notJudged(Gap gap) {
        gaps[gap.ordinal()]++;
    }

    public Verdict verdict(long events) {
        Map<Check, Long> checks = new EnumMap<>(Check.class);
        for (Check check : Check.values()) {
            checks.put(check, checked[check.ordinal()]);
        }
        Map<WeakBehaviour, Long> weakBehaviours = new EnumMap<>(WeakBehaviour.class);
        for (WeakBehaviour behaviour : WeakBehaviour.values()) {
            if (seen[behaviour.ordinal()] > 0) {
                weakBehaviours.put(behaviour, seen[behaviour.ordinal()]);
            }
        }
        Map<Gap, Long> notJudged = new EnumMap<>(Gap.class);
        for (Gap gap : Gap.values()) {
            if (gaps[gap.ordinal()] > 0) {
                notJudged.put(gap, gaps[gap.ordinal()]);
            }
        }
        return new Verdict(
                events, violations, violationCount, checks, weakBehaviours, new EnumMap<>(examples), notJudged);
    }

    /** A copy to which the end of a run can be added. */
    public Findings copy() {
        Findings copy = new Findings();
        System.arraycopy(checked, 0, copy.checked, 0, checked.length);
        System.arraycopy(seen, 0, copy.seen, 0, seen.length);
        System.arraycopy(gaps, 0, copy.gaps, 0, gaps.length);
        copy.examples.putAll(examples);
        copy.violations.addAll(violations);
        copy.violationCount = violationCount;
        copy.linksRepeat = linksRepeat;
        copy.windowsOutliveReset = windowsOutliveReset;
        copy.linksDisturb = linksDisturb;
        return copy;
    }
}
