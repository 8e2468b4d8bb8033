// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.page.DrawnScenarios;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.page.TracePage;
import java.util.Arrays;
import java.util.List;
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
            "Runs scenario files and checks their expected outcomes. A scenario file describes nodes, the steps that"
                    + " they execute, and the expected outcome.",
            "See docs/scenarios.md for the format."
        })
final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioArguments files;

    @Mixin
    private TraceFiles traceFiles;

    @Mixin
    private PageFiles pageFiles;

    @Mixin
    private Output output;

    @Option(names = "--story", description = "Print what each device did; the default only for a single file.")
    private boolean story;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            defaultValue = "sim",
            description = {
                "Fabric: sim, a simulation in virtual time; in-process; tcp, over loopback connections; or roce, as RoCEv2"
                        + " between loopback addresses (Linux).",
                "Default: ${DEFAULT-VALUE}. Scenarios with faults require sim or, unless a device crashes, roce."
            })
    private String fabric;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "With sim: make random choices from seed N instead of the default choices.")
    private @Nullable Long seed;

    @Option(
            names = "--choices",
            paramLabel = "LIST",
            description = {
                "With sim: make the choices in LIST, as printed by 'litmus' for each outcome, such as"
                        + " 2:read-fetch=1/2.",
                "The choices section of the scenario file enables the choice points."
            })
    private @Nullable String choices;

    @Option(
            names = "--sanitize",
            description =
                    "With sim, also with --seed or --choices: also report mistakes that the rules permit, such as accesses that nothing orders; see"
                            + " docs/sanitizer.md.")
    private boolean sanitize;

    @Mixin
    private ProfileOption profiles;

    @Mixin
    private ShardOption shards;

    @Override
    public Integer call() {
        FabricKind kind = fabricKind();
        profiles.check(spec);
        ChoiceList replayed = choiceList();
        if ((seed != null || replayed != null) && kind != FabricKind.SIM) {
            throw new ParameterException(
                    spec.commandLine(),
                    (seed != null ? "--seed=" + seed : "--choices=" + choices) + " has no effect with --fabric="
                            + fabric + "; use sim");
        }
        if (sanitize && kind != FabricKind.SIM) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sanitize needs --fabric sim: elsewhere loads and stores of programs are not seen;"
                            + " use --fabric sim, with --seed for other choices");
        }
        List<ScenarioFile> all = files.read(spec, output);
        if (all.isEmpty()) {
            return ExitCode.USAGE;
        }
        Shard shard = shards.of(spec);
        if (shard != null) {
            ShardOption.begin(output, "run", shard, RunMerge.job(all, fabric, seed));
        }
        List<ScenarioFile> scenarios = shard == null ? all : shard.of(all);
        RunReport report = new RunReport(output, story || all.size() == 1);
        boolean isGood;
        try (Interruption interruption = Interruption.watch();
                OpenTraces traces = traceFiles.open(false)) {
            TracePage page = new TracePage(title(scenarios));
            DrawnScenarios drawn = new DrawnScenarios(page, all.get(0).scenario());
            NarratingTap tap = new NarratingTap(pageFiles.isWanted() ? traces.and(drawn) : traces);
            ScenarioRun.RunObserver observer = pageFiles.isWanted() ? tap.with(drawn) : tap;
            ScenarioRun run = ScenarioRun.on(kind)
                    .seed(seed)
                    .profile(profiles.profile())
                    .tap(tap)
                    .sanitize(sanitize);
            for (int i = 0; i < scenarios.size(); i++) {
                if (interruption.isAsked()) {
                    report.interrupted(scenarios.size() - i);
                    break;
                }
                ScenarioFile file = scenarios.get(i);
                String obstacle = run.obstacle(file.scenario());
                if (obstacle == null) {
                    drawn.begin(file.scenario(), file.scenario().title());
                    ScenarioRun.Result result = replayed == null
                            ? run.run(file.scenario(), observer)
                            : new ScenarioExploration(file.scenario(), profiles.profile())
                                    .sanitize(sanitize)
                                    .replay(replayed, tap, observer);
                    drawn.caption(
                            result.isGood() ? "As expected" : "Not as expected",
                            result.outcome()
                                    + result.failures().stream()
                                            .map(failure -> "; " + failure)
                                            .collect(Collectors.joining()));
                    report.ended(file, tap.told(), result);
                } else {
                    report.skipped(file, obstacle);
                }
            }
            pageFiles.write(page);
            isGood = report.finished();
        }
        return files.exitCode(isGood);
    }

    private static String title(List<ScenarioFile> scenarios) {
        return scenarios.size() == 1 ? scenarios.get(0).scenario().title() : scenarios.size() + " scenarios";
    }

    private @Nullable ChoiceList choiceList() {
        if (choices == null) {
            return null;
        }
        if (seed != null) {
            throw new ParameterException(
                    spec.commandLine(), "--seed and --choices are mutually exclusive; specify one");
        }
        try {
            return ChoiceList.parse(choices);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--choices=" + choices + ": " + e.getMessage(), e);
        }
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
}
