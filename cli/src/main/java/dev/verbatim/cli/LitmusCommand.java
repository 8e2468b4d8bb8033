// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.StatusLine;
import dev.verbatim.cli.page.OutcomePage;
import dev.verbatim.conformance.explore.Explorer;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.Robustness;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.fabric.Clock;
import dev.verbatim.sim.Checkpoint;
import dev.verbatim.sim.Exploration;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code litmus}. */
@Command(
        name = "litmus",
        description = {
            "Runs scenario files in every order that the rules permit, and prints every outcome with one execution for"
                    + " each.",
            "Fails if an outcome is not allowed, or if an allowed outcome does not occur."
        })
@QuickJvm(option = "--seconds", most = LitmusCommand.USUAL_SECONDS)
final class LitmusCommand implements Callable<Integer> {

    static final int USUAL_SECONDS = 60;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioArguments files;

    @Mixin
    private ProfileOption profiles;

    @Mixin
    private PageFiles pageFiles;

    @Mixin
    private ShardOption shards;

    @Mixin
    private GenerateOptions generation;

    @Mixin
    private Output output;

    @Option(names = "--story", description = "Print an execution for each outcome; the default only for a single file.")
    private boolean story;

    @Option(
            names = "--executions",
            paramLabel = "N",
            description = "Stop after N executions of a file; the outcomes are then incomplete.")
    private @Nullable Long executions;

    private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** So many runs with seeds, and so many for the estimate, are near the beginning of an exploration that may be stopped. */
    private static final int SAMPLES = 100;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "" + USUAL_SECONDS,
            description =
                    "Stop after N seconds for a file; the outcomes are then incomplete. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(
            names = "--estimate-seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Seed of the random runs from which the executions are estimated that a bound leaves out."
                    + " Default: ${DEFAULT-VALUE}.")
    private long estimateSeed;

    @Option(
            names = "--sanitize",
            description = {
                "Also report mistakes that the rules permit, such as accesses that nothing orders: what is found in any"
                        + " execution, each once, with an outcome and the choices of one that has it.",
                "Fails if an error is found; see docs/sanitizer.md."
            })
    private boolean sanitize;

    @Option(names = "--unreduced", description = "Do not skip equivalent orders: gives the same outcomes in more time.")
    private boolean unreduced;

    @Option(
            names = "--robust",
            description = {
                "Also say whether all outcomes are those of sequential consistency, where each operation takes effect at"
                        + " its post; of others, say which choice points make them.",
                "See docs/scenarios.md."
            })
    private boolean robust;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIRECTORY",
            description = {
                "Keep there, every few seconds, where the exploration of each file is, and go on from what is there, as after a"
                        + " process that was ended or a limit that was reached.",
                "Checkpoints of another build, of files that changed, and of other options are refused."
            })
    private @Nullable Path checkpoints;

    @Option(
            names = "--under",
            paramLabel = "PLATFORM",
            split = ",",
            description = {
                "Say for each of these platforms whether it permits the stale outcome of the file, or that of --needs,"
                        + " and nothing else; 'all' for every named platform.",
                "See docs/visibility.md."
            })
    private List<String> platforms = List.of();

    @Option(
            names = "--needs",
            paramLabel = "OUTCOME",
            description = "Say what a platform must not promise to permit the outcome, such as seen=0.")
    private @Nullable String needs;

    @Option(
            names = "--suggest",
            paramLabel = "OUTCOME",
            description = {
                "Search for the cheapest fences, waits, flushes, atomics and flags that remove the outcome, such as r=1,"
                        + " and print the changed lines; if it is impossible, what can be dropped. With --under on each of"
                        + " the platforms.",
                "Fails if nothing is found. See docs/scenarios.md."
            })
    private @Nullable String suggest;

    @Option(
            names = "--herd",
            description =
                    "Print summaries like those of herd and litmus7 instead: states, witnesses, condition, observation.")
    private boolean asHerd;

    @Option(
            names = "--exists",
            paramLabel = "OUTCOME",
            description = "The condition of --herd, such as r=1. Default: what each file forbids, or allows.")
    private @Nullable String exists;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description =
                    "Also write a report of all files into FILE: a table, and the outcomes of each with their replays.")
    private @Nullable Path markdown;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = {
                "Explore by N threads: files at the same time, executions of one file where there are fewer files, and changes of"
                        + " --suggest. The output is the same. Default: the number of processors."
            })
    private int threads = Math.min(Runtime.getRuntime().availableProcessors(), Explorer.MOST_THREADS);

    private @Nullable CheckpointFiles kept;

    @Override
    public Integer call() {
        checkOptions();
        if (generation.isAsked(spec)) {
            return new GenerateReport(output, generation.directory())
                            .tell(generation.tests(spec, files.names()), threads, seconds)
                    ? ExitCode.OK
                    : ExitCode.SOFTWARE;
        }
        List<ScenarioFile> all = files.read(spec, output);
        if (all.isEmpty()) {
            return ExitCode.USAGE;
        }
        boolean isAsked = suggest != null || needs != null || !platforms.isEmpty();
        boolean isGood = isAsked ? ask(all) : explore(all);
        return files.exitCode(isGood);
    }

    /** Tells what else is asked than for all outcomes. */
    private boolean ask(List<ScenarioFile> all) {
        if (suggest != null) {
            CureReport cures = new CureReport(output, seconds, threads);
            return cures.tell(all, outcome(suggest), PlatformReport.platforms(spec, platforms));
        }
        return new PlatformReport(spec, output, seconds, threads).tell(all, platforms, needs);
    }

    private boolean explore(List<ScenarioFile> all) {
        List<ScenarioFile> scenarios = part(all);
        kept = kept();
        HerdReport herd = asHerd ? new HerdReport(exists == null ? null : outcome(exists)) : null;
        LitmusReport report = new LitmusReport(output, story || scenarios.size() == 1, herd);
        MarkdownReport written = new MarkdownReport();
        StatusLine status = output.status();
        OutcomePage drawn = new OutcomePage(scenarios);
        try (Interruption interruption = Interruption.watch();
                LitmusJobs explored =
                        new LitmusJobs(scenarios, threads, this::explorationOf, this::bound, this::robustness)) {
            for (int i = 0; i < scenarios.size(); i++) {
                ScenarioFile file = scenarios.get(i);
                LitmusJobs.Found found = explored.next(status, interruption);
                status.erase();
                if (found == null) {
                    report.interrupted(scenarios.size() - i);
                    break;
                }
                report.explored(file, found);
                written.add(file, found);
                if (pageFiles.isWanted()) {
                    drawn.add(file, found.exploration(), found.findings());
                }
            }
            if (pageFiles.isWanted()) {
                pageFiles.write(drawn.page());
            }
            if (markdown != null) {
                written.write(markdown);
            }
            return report.finished();
        }
    }

    private void checkOptions() {
        profiles.check(spec);
        checkPositive("--executions", executions);
        checkPositive("--seconds", seconds);
        boolean forPrograms = spec.commandLine().getParseResult().hasMatchedOption(Output.OPTION);
        if ((exists != null && !asHerd) || (forPrograms && asHerd)) {
            throw new ParameterException(
                    spec.commandLine(), forPrograms ? "--herd is not for --json" : "--exists is for --herd; add it");
        }
        if (threads < 1 || threads > Explorer.MOST_THREADS) {
            throw new ParameterException(
                    spec.commandLine(), "--threads=" + threads + " is not in 1.." + Explorer.MOST_THREADS);
        }
    }

    private OutcomePattern outcome(String text) {
        try {
            return OutcomePattern.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private ScenarioExploration explorationOf(ScenarioFile file) {
        ScenarioExploration exploration =
                new ScenarioExploration(file.scenario(), profiles.profile()).sanitize(sanitize);
        Checkpoint checkpoint = kept == null ? null : kept.read(file);
        return checkpoint == null ? exploration : exploration.goingOn(checkpoint);
    }

    private @Nullable CheckpointFiles kept() {
        return checkpoints == null
                ? null
                : new CheckpointFiles(
                        spec.commandLine(),
                        checkpoints,
                        "profile " + profiles.profile() + ", sanitize " + sanitize + ", unreduced " + unreduced);
    }

    private @Nullable Robustness robustness(ScenarioExploration exploration, ExplorationResult findings) {
        return robust
                ? Robustness.of(exploration, findings, System::nanoTime, TimeUnit.SECONDS.toNanos(seconds))
                : null;
    }

    /** Every N-th file, where there are parts. */
    private List<ScenarioFile> part(List<ScenarioFile> all) {
        Shard shard = shards.of(spec);
        if (shard == null) {
            return all;
        }
        ShardOption.begin(output, "litmus", shard, LitmusMerge.job(all));
        return shard.of(all);
    }

    private void checkPositive(String name, @Nullable Long value) {
        if (value != null && value < 1) {
            throw new ParameterException(spec.commandLine(), name + "=" + value + " is not at least 1");
        }
    }

    private Exploration bound(ScenarioFile file, Exploration exploration) {
        Exploration bounded = exploration.sampling(SAMPLES).estimating(SAMPLES, estimateSeed);
        if (unreduced) {
            bounded = bounded.unreduced();
        }
        if (executions != null) {
            bounded = bounded.atMostExecutions(executions);
        }
        Clock clock = System::nanoTime;
        CheckpointFiles into = kept;
        if (into != null) {
            long[] last = {clock.nanoTime()};
            bounded = bounded.saving(() -> clock.nanoTime() - last[0] >= SAVE_NANOS, checkpoint -> {
                into.write(file, checkpoint);
                last[0] = clock.nanoTime();
            });
        }
        return bounded.atMostNanos(clock, TimeUnit.SECONDS.toNanos(seconds));
    }
}
