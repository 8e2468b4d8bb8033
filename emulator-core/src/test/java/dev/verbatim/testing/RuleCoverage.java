// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Refusal;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What happened during the current test: which rules a device came to decide by, and whether an outcome was asserted.
 * A test counts for a rule only if it names it, the rule was reached, and an outcome was asserted.
 */
public final class RuleCoverage {

    private static final Set<String> REACHED = new TreeSet<>();
    private static final Set<String> NAMED = new TreeSet<>();
    private static boolean asserted;

    private RuleCoverage() {}

    /** A new test begins. */
    static synchronized void begin() {
        REACHED.clear();
        NAMED.clear();
        asserted = false;
    }

    /** The rules reached so far. */
    static synchronized Set<String> reached() {
        return new TreeSet<>(REACHED);
    }

    static synchronized boolean hasAsserted() {
        return asserted;
    }

    /** The test names these rules, as {@link Rule} does: for tests of which each has a file that says what it is about. */
    public static synchronized void name(Collection<String> rules) {
        NAMED.addAll(rules);
    }

    /** The rules that the test named while it ran. */
    static synchronized Set<String> named() {
        return new TreeSet<>(NAMED);
    }

    /** A decision point with this rule was reached. */
    public static synchronized void reach(String rule) {
        REACHED.add(rule);
    }

    /** An outcome (a status, an errno, an explanation, a state) was asserted. */
    public static synchronized void assertOutcome() {
        asserted = true;
    }

    /** An outcome was asserted that names the rule it followed from. */
    public static void assertOutcome(Refusal refusal) {
        for (Refusal each = refusal; each != null; each = each.cause()) {
            reach(each.rule());
        }
        Constants.assertOnly(refusal);
        assertOutcome();
    }

    /** Every rule that an event names is reached. */
    public static void observe(TraceEvent event) {
        if (event instanceof TraceEvent.Decided decided) {
            reach(decided.rule());
        } else if (event instanceof TraceEvent.Completed completed) {
            observe(completed.refusal());
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            observe(dropped.reason());
        } else if (event instanceof TraceEvent.EventRaised raised) {
            observe(raised.reason());
        } else if (event instanceof TraceEvent.StateChanged changed) {
            observe(changed.reason());
        }
    }

    private static void observe(@Nullable Refusal refusal) {
        if (refusal != null) {
            reach(refusal.rule());
        }
    }
}
