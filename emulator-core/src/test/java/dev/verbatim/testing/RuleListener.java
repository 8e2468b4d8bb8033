// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes which tests checked which rules: one line {@code RULE<tab>CLASS#METHOD} for each test that named the rule with
 * {@link Rule}, passed, reached a decision point of that rule, and asserted an outcome. The file is
 * {@code rules-checked.tsv} in the directory that the system property {@code verbatim.rules.dir} names; without the
 * property nothing is written.
 */
public final class RuleListener implements TestExecutionListener {

    /** File in which the record of a module is kept. */
    public static final String FILE_NAME = "rules-checked.tsv";

    /** Tests of the packet formats call the function that decides and compare its result: nothing is left to observe. */
    private static final String PURE_FUNCTIONS = "dev.verbatim.wire.";

    /** Litmus programs, traces, test ideas and vectors decide nothing: they count when their outcome was asserted. */
    private static final Pattern PROGRAM = Pattern.compile("(LT|TR|TV|T)-.*");

    private final Map<String, Set<String>> testsOfRule = new TreeMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            RuleCoverage.begin();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (!test.isTest() || !passed) {
            return;
        }
        test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .ifPresent(this::record);
    }

    private void record(MethodSource source) {
        Set<String> named = new TreeSet<>(RuleCoverage.named());
        for (Rule rule : new Rule[] {
            source.getJavaMethod().getAnnotation(Rule.class),
            source.getJavaClass().getAnnotation(Rule.class)
        }) {
            if (rule != null) {
                named.addAll(Arrays.asList(rule.value()));
            }
        }
        if (!source.getClassName().startsWith(PURE_FUNCTIONS)) {
            Set<String> reached = RuleCoverage.reached();
            named.removeIf(rule -> !RuleCoverage.hasAsserted()
                    || !(reached.contains(rule) || PROGRAM.matcher(rule).matches()));
        }
        for (String rule : named) {
            testsOfRule
                    .computeIfAbsent(rule, unused -> new TreeSet<>())
                    .add(source.getClassName() + "#" + source.getMethodName());
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String directory = System.getProperty("verbatim.rules.dir");
        if (directory == null) {
            return;
        }
        StringBuilder lines = new StringBuilder();
        testsOfRule.forEach((rule, tests) -> tests.forEach(
                test -> lines.append(rule).append('\t').append(test).append('\n')));
        try {
            Files.createDirectories(Path.of(directory));
            Files.writeString(Path.of(directory, FILE_NAME), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the record of checked rules to " + directory, e);
        }
    }
}
