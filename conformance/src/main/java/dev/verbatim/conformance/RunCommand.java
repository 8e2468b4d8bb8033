// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code run}. */
@Command(
        name = "run",
        description = {
            "Runs scenario files: what nodes have, what they post and in which order, and what must come of it.",
            "docs/scenarios.md teaches the format."
        })
final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioArguments files;

    @Mixin
    private TraceFiles traceFiles;

    @Option(names = "--json", description = "Tell it to programs: one JSON object a line.")
    private boolean json;

    @Option(
            names = "--story",
            description = "Show what each device did; otherwise that is shown for a single file only.")
    private boolean story;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            defaultValue = "sim",
            description = {
                "What carries the packets: sim, in virtual time; in-process; or tcp, over loopback connections.",
                "Default: ${DEFAULT-VALUE}. Faults need sim."
            })
    private String fabric;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "With sim: draw the order of what happens from N, instead of the simplest one.")
    private @Nullable Long seed;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "Profile of all devices, instead of those that the files name.")
    private @Nullable String profile;

    @Override
    public Integer call() {
        FabricKind kind = fabricKind();
        checkProfile();
        if (seed != null && kind != FabricKind.SIM) {
            throw new ParameterException(
                    spec.commandLine(), "--seed=" + seed + " decides nothing with --fabric=" + fabric + "; use sim");
        }
        List<ScenarioFile> scenarios = files.read(spec);
        if (scenarios.isEmpty()) {
            return ExitCode.USAGE;
        }
        RunReport report = new RunReport(spec.commandLine(), json, story || scenarios.size() == 1);
        try (OpenTraces traces = traceFiles.open(false)) {
            StoryTap tap = new StoryTap(traces);
            ScenarioRun run = ScenarioRun.on(kind).seed(seed).profile(profile).tap(tap);
            for (ScenarioFile file : scenarios) {
                if (run.canRun(file.scenario())) {
                    ScenarioRun.Result result = run.run(file.scenario(), tap);
                    report.ended(file, tap.told(), result);
                } else {
                    report.skipped(file, "its faults need --fabric sim");
                }
            }
        }
        return report.finished() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private FabricKind fabricKind() {
        for (FabricKind kind : FabricKind.values()) {
            if (kind.label().equals(fabric)) {
                return kind;
            }
        }
        throw new ParameterException(
                spec.commandLine(),
                "--fabric=" + fabric + " is not one of "
                        + Arrays.stream(FabricKind.values())
                                .map(FabricKind::label)
                                .collect(Collectors.joining(", ")));
    }

    private void checkProfile() {
        if (profile != null && !ProfileSpec.PROFILES.containsKey(profile)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--profile=" + profile + " is not one of "
                            + String.join(", ", new TreeSet<>(ProfileSpec.PROFILES.keySet())));
        }
    }
}
