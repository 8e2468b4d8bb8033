// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code merge}. */
@Command(
        name = "merge",
        description = {
            "Joins what the parts of 'explore', 'litmus', 'run' or 'soak' printed with --shard I/N --json, in any order, into what one"
                    + " process would have printed, but for times.",
            "A part that is there twice counts once. Fails if a part is missing, was cut or stopped early, or found something."
        })
final class MergeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files with the output of parts.")
    private List<Path> files = List.of();

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        try {
            return merge();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    private int merge() {
        Map<Integer, ShardResult> parts = new TreeMap<>();
        for (Path file : files) {
            ShardResult.read(file).forEach(part -> add(parts, part));
        }
        List<ShardResult> whole = List.copyOf(parts.values());
        ShardResult any = whole.get(0);
        boolean good = MergedParts.of(any).tell(whole, output);
        List<String> lacking = lacking(parts, any.shard().of());
        lacking.forEach(output::error);
        return good && lacking.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** Of two results of one part the complete one counts; two complete ones say the same. */
    private static void add(Map<Integer, ShardResult> parts, ShardResult part) {
        for (ShardResult other : parts.values()) {
            if (!other.job().equals(part.job())) {
                throw new IllegalArgumentException(other.file() + " and " + part.file() + " are of different jobs: "
                        + other.job() + " and " + part.job() + "; merge the parts of one job");
            }
        }
        ShardResult known = parts.get(part.shard().number());
        if (known == null || !known.isComplete()) {
            parts.put(part.shard().number(), part);
        } else if (part.isComplete() && !known.found().equals(part.found())) {
            parts.put(part.shard().number(), MergedParts.of(part).chosen(known, part));
        }
    }

    private static List<String> lacking(Map<Integer, ShardResult> parts, int count) {
        List<String> lacking = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            ShardResult part = parts.get(number);
            if (part == null) {
                missing.add("--shard " + number + "/" + count);
            } else if (!part.isComplete()) {
                lacking.add(part.file() + ": part " + part.shard() + " was cut; run it again");
            } else {
                long left = MergedParts.of(part).left(part);
                if (left > 0) {
                    lacking.add(part.file() + ": part " + part.shard() + " stopped early, with " + left
                            + " units of work left");
                }
            }
        }
        if (!missing.isEmpty()) {
            lacking.add("missing: " + String.join(", ", missing) + "; run them, and merge all again");
        }
        return lacking;
    }
}
