// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import dev.verbatim.verbs.Rule;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Prints rules and the tests that check them, for a reader. */
public final class RuleText {

    private static final String INDENT = " ".repeat(9);

    private final PrintWriter out;
    private final CheckRecord record;

    /** Prints on {@code out}. */
    public RuleText(PrintWriter out, CheckRecord record) {
        this.out = out;
        this.record = record;
    }

    /** Each rule in a line, with its tests below it. */
    public void list(List<Rule> rules) {
        for (Rule rule : rules) {
            printLine(rule);
            SortedSet<String> tests = record.testsOf(rule);
            if (!tests.isEmpty()) {
                out.println(INDENT + tests.stream().map(RuleText::shortName).collect(Collectors.joining(", ")));
            }
        }
    }

    /** Everything that is known of each rule. */
    public void full(List<Rule> rules) {
        for (Rule rule : rules) {
            out.println(rule.id() + "  (section " + rule.section() + ", scope "
                    + rule.scope().word() + ")");
            out.println("  " + rule.statement());
            if (!rule.basis().isEmpty()) {
                out.println("  " + rule.basis());
            }
            SortedSet<String> tests = record.testsOf(rule);
            out.println(tests.isEmpty() ? "  " + record.silence() : "  checked by");
            tests.forEach(test -> out.println("    " + test));
        }
    }

    /**
     * The rules that no test checks, in groups of kindred ids.
     *
     * @param all those that are asked about, checked or not
     */
    public void missing(List<Rule> all) {
        Map<String, List<Rule>> groups =
                all.stream().collect(Collectors.groupingBy(RuleText::group, LinkedHashMap::new, Collectors.toList()));
        groups.forEach((group, rules) -> {
            List<Rule> unchecked = unchecked(rules);
            if (!unchecked.isEmpty()) {
                out.println(group + ": " + unchecked.size() + " of " + rules.size());
                unchecked.forEach(this::printLine);
                out.println();
            }
        });
        out.println(unchecked(all).size() + " of " + all.size() + " rules are checked by no test");
    }

    private List<Rule> unchecked(List<Rule> rules) {
        return rules.stream().filter(rule -> record.testsOf(rule).isEmpty()).toList();
    }

    private void printLine(Rule rule) {
        out.println(String.format(
                Locale.ROOT, "%-8s %-13s %s", rule.id(), rule.scope().word(), rule.statement()));
    }

    /** The id without its number, as in {@code MW-*}. */
    private static String group(Rule rule) {
        return rule.id().replaceAll("[0-9]+$", "*");
    }

    private static String shortName(String test) {
        return test.substring(test.lastIndexOf('.') + 1);
    }
}
