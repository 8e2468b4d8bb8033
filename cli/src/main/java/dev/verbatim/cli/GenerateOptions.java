// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.generate.Access;
import dev.verbatim.conformance.scenario.generate.Between;
import dev.verbatim.conformance.scenario.generate.LitmusTest;
import dev.verbatim.conformance.scenario.generate.Shape;
import dev.verbatim.conformance.scenario.generate.TestVariants;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which litmus tests are to be written, and where. */
final class GenerateOptions {

    private static final String ALL = "all";

    @Option(
            names = "--generate",
            description = {
                "Write litmus tests instead, each with all outcomes that it has. Each FILE is then the name of a shape, such as MP, SB or"
                        + " IRIW, 'all', a cycle such as \"PodWW Rfe PodRR Fre\", or one test, such as MP+put-poll-put+get-get.",
                "See docs/litmus.md."
            })
    private boolean isAsked;

    @Option(
            names = "--accesses",
            paramLabel = "ACCESS",
            split = ",",
            defaultValue = "put,get",
            description =
                    "Which accesses the tests of a shape may have: put, get, rmw, store, load. Default: ${DEFAULT-VALUE}.")
    private List<String> accesses = List.of();

    @Option(
            names = "--between",
            paramLabel = "WHAT",
            split = ",",
            defaultValue = "nothing",
            description =
                    "What may be between two accesses of a program: nothing, or some of flush, poll and fence, with hyphens"
                            + " between. Default: ${DEFAULT-VALUE}.")
    private List<String> betweens = List.of();

    @Option(names = "--several-qps", description = "Each access has a queue pair of its own.")
    private boolean severalQps;

    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            description = "Write each test into a file there, instead of printing it.")
    private @Nullable Path directory;

    /** Whether tests are to be written. */
    boolean isAsked(CommandSpec spec) {
        if (!isAsked && directory != null) {
            throw new ParameterException(spec.commandLine(), "--out is for --generate; add it, or leave --out out");
        }
        return isAsked;
    }

    /** Where files are to be written; null for none. */
    @Nullable
    Path directory() {
        return directory;
    }

    /** The tests that a command line names. */
    List<LitmusTest> tests(CommandSpec spec, List<String> names) {
        try {
            List<Access> chosen = accesses.stream().map(Access::parse).toList();
            List<Between> between = betweens.stream().map(Between::parse).toList();
            List<LitmusTest> tests = new ArrayList<>();
            for (String name : names) {
                if (name.equals(ALL)) {
                    for (String shape : Shape.labels()) {
                        tests.addAll(TestVariants.of(shape, chosen, between, severalQps));
                    }
                } else if (LitmusTest.isName(name)) {
                    tests.add(LitmusTest.parse(name));
                } else {
                    tests.addAll(TestVariants.of(name, chosen, between, severalQps));
                }
            }
            return tests;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
