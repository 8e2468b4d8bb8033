// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * The result of the oracle for a run.
 *
 * @param events how many events were looked at
 * @param violations what was forbidden, in the order in which it was found; the first hundred
 * @param violationCount how many there were in all
 * @param checks how often each check was made; 0 if nothing happened that it is about
 * @param weakBehaviours how often each permitted behaviour was seen that is weaker than the default
 * @param examples for each of these the first time
 * @param notJudged what could not be judged, and why
 */
public record Verdict(
        long events,
        List<Violation> violations,
        long violationCount,
        Map<Check, Long> checks,
        Map<WeakBehaviour, Long> weakBehaviours,
        Map<WeakBehaviour, String> examples,
        Map<Gap, Long> notJudged) {

    /** Copies everything. */
    public Verdict {
        violations = List.copyOf(violations);
        checks = sorted(checks, Check.class);
        weakBehaviours = sorted(weakBehaviours, WeakBehaviour.class);
        examples = sorted(examples, WeakBehaviour.class);
        notJudged = sorted(notJudged, Gap.class);
    }

    private static <K extends Enum<K>, V> Map<K, V> sorted(Map<K, V> values, Class<K> type) {
        Map<K, V> copy = new EnumMap<>(type);
        copy.putAll(values);
        return Collections.unmodifiableMap(copy);
    }

    /** Whether nothing forbidden was seen. */
    boolean isPermitted() {
        return violationCount == 0;
    }

    /** How often a check was made. */
    public long count(Check check) {
        return checks.getOrDefault(check, 0L);
    }

    /** How often a legal weak behaviour was seen. */
    public long count(WeakBehaviour behaviour) {
        return weakBehaviours.getOrDefault(behaviour, 0L);
    }

    /** How much could not be judged for that reason. */
    public long count(Gap gap) {
        return notJudged.getOrDefault(gap, 0L);
    }

    /**
     * Fails a test if anything was forbidden.
     *
     * @return itself
     * @throws AssertionError whose message is the report
     */
    public Verdict check() {
        if (!isPermitted()) {
            throw new AssertionError(toString());
        }
        return this;
    }

    /** The report: what was forbidden, which weak behaviours were seen, what was checked, what was not judged. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        String outcome = isPermitted() ? "permitted" : "FORBIDDEN";
        lines.add(Text.of("%s: %d events, %d violations", outcome, events, violationCount));
        violations.forEach(violation -> lines.add("  " + violation));
        if (violationCount > violations.size()) {
            lines.add(Text.of("  and %d more", violationCount - violations.size()));
        }
        weakBehaviours.forEach((behaviour, count) -> lines.add(Text.of(
                "  legal, by %s/%s: %s %d times, first %s",
                behaviour.rule(), behaviour.number(), behaviour, count, examples.getOrDefault(behaviour, "?"))));
        Map<String, Long> byRule = checksByRule();
        lines.add("  checked: " + listed(byRule, count -> count > 0, (rule, count) -> rule + " " + count));
        lines.add("  never checked: " + listed(byRule, count -> count == 0, (rule, count) -> rule));
        notJudged.forEach((gap, count) -> lines.add(Text.of("  not judged: %d, since %s", count, gap.words())));
        return String.join("\n", lines) + "\n";
    }

    /** How often something of each rule was checked: a rule may have several checks. */
    private Map<String, Long> checksByRule() {
        Map<String, Long> byRule = new LinkedHashMap<>();
        for (Check check : Check.values()) {
            byRule.merge(check.rule(), count(check), Long::sum);
        }
        return byRule;
    }

    private static String listed(
            Map<String, Long> byRule, LongPredicate which, BiFunction<String, Long, String> words) {
        return byRule.entrySet().stream()
                .filter(each -> which.test(each.getValue()))
                .map(each -> words.apply(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }
}
