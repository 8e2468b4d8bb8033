// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
 * {@link Rule}, passed, reached a decision point of that rule, and asserted an outcome. Each test class has a file of
 * its own, {@code CLASS.tsv}, so that several JVMs may share the work and some tests may run without the others. The
 * directory is what the system property {@code verbatim.rules.dir} names; without it nothing is written.
 */
public final class RuleListener implements TestExecutionListener {

    /** Tests of the packet formats call the function that decides and compare its result: nothing is left to observe. */
    private static final String PURE_FUNCTIONS = "dev.verbatim.wire.";

    /** Litmus programs, traces, test ideas and vectors decide nothing: they count when their outcome was asserted. */
    private static final Pattern PROGRAM = Pattern.compile("(LT|TR|TV|T)-.*");

    /** The lines of each class of which a test was run. */
    private final Map<String, Set<String>> linesOfClass = new TreeMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            RuleCoverage.begin();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(MethodSource.class::cast)
                    .ifPresent(source -> linesOf(source).addAll(passed ? checkedBy(source) : List.of()));
        }
    }

    /** Nested classes are kept with their outermost. */
    private Set<String> linesOf(MethodSource source) {
        String outermost = source.getClassName().replaceFirst("\\$.*", "");
        return linesOfClass.computeIfAbsent(outermost, unused -> new TreeSet<>());
    }

    private static List<String> checkedBy(MethodSource source) {
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
        String test = source.getClassName() + "#" + source.getMethodName();
        return named.stream().map(rule -> rule + '\t' + test + '\n').toList();
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String directory = System.getProperty("verbatim.rules.dir");
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(Path.of(directory));
            for (Map.Entry<String, Set<String>> each : linesOfClass.entrySet()) {
                Files.writeString(Path.of(directory, each.getKey() + ".tsv"), String.join("", each.getValue()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the record of checked rules to " + directory, e);
        }
        linesOfClass.clear();
    }
}
