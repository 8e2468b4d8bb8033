// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.StatusLine;
import dev.verbatim.cli.page.DrawnPrograms;
import dev.verbatim.conformance.explore.ExploreFigures;
import dev.verbatim.conformance.explore.Explorer;
import dev.verbatim.conformance.explore.Minimizer;
import dev.verbatim.conformance.explore.Minimizer.Minimal;
import dev.verbatim.conformance.explore.PairType;
import dev.verbatim.conformance.explore.ProgramResult;
import dev.verbatim.conformance.explore.ProgramRun;
import dev.verbatim.conformance.explore.TraceHash;
import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import dev.verbatim.page.TracePage;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.trace.Tap;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code explore}. */
@Command(
        name = "explore",
        description = {
            "Generates random programs for several queue pairs and runs each over faulty links, with a random choice"
                    + " wherever the rules permit several behaviours. Checks every run against the rules.",
            "Prints a replay command and a minimized program for each failure.",
            "There is no --sanitize here: the programs race on purpose, and every run is judged with all outcomes that the rules"
                    + " permit."
        })
@QuickJvm(option = "--programs", most = 20_000)
final class ExploreCommand implements Callable<Integer> {

    /** Reads a type by its word. */
    static final class TypeWord implements ITypeConverter<PairType> {
        @Override
        public PairType convert(String word) {
            return PairType.of(word)
                    .orElseThrow(() -> new TypeConversionException("'" + word + "' is not one of " + PairType.words()));
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "Run this scenario file once instead of random programs, with --choices or --seed.")
    private @Nullable Path file;

    @Mixin
    private TraceFiles traceFiles;

    @Mixin
    private PageFiles pageFiles;

    @Option(
            names = "--programs",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of programs. Default: ${DEFAULT-VALUE}.")
    private int programs;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the random programs and choices. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--types",
            paramLabel = "TYPE",
            split = ",",
            defaultValue = "rc,uc,ud,srq,xrc",
            converter = TypeWord.class,
            description =
                    "Types of queue pairs: rc, uc, ud, srq (rc with a shared receive queue) and xrc. With rc alone,"
                            + " programs do not poll for events. Default: ${DEFAULT-VALUE}.")
    private Set<PairType> types;

    @Mixin
    private ShardOption shards;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of programs that run at the same time, at most " + Explorer.MOST_THREADS
                    + ". Default: the number of processors.")
    private int threads = Math.min(Runtime.getRuntime().availableProcessors(), Explorer.MOST_THREADS);

    @Option(names = "--program", paramLabel = "K", description = "Run and print only program K, counted from 0.")
    private @Nullable Integer program;

    @Option(
            names = "--choices",
            paramLabel = "LIST",
            description = "Make the choices in LIST, as printed for a failure.")
    private @Nullable String choices;

    @Option(
            names = "--tries",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Maximum number of runs to minimize a failure. Default: ${DEFAULT-VALUE}.")
    private int tries;

    @Option(
            names = "--failures",
            paramLabel = "N",
            defaultValue = "5",
            description = "Stop after N failures. Default: ${DEFAULT-VALUE}.")
    private int mostFailures;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        check();
        ExploreReport report = new ExploreReport(output, seed, option());
        DrawnPrograms drawn = new DrawnPrograms();
        boolean good;
        try (OpenTraces traces = traceFiles.open(false)) {
            Path named = file;
            if (named != null) {
                good = runFile(named, traces, report, drawn);
            } else if (program != null) {
                good = runOne(program, traces, report, drawn);
            } else {
                good = runAll(report, drawn);
            }
        }
        draw(drawn.page());
        return good ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void draw(TracePage page) {
        if (pageFiles.isWanted() && page.isEmpty()) {
            output.progress("no program failed, so --html writes nothing");
        } else {
            pageFiles.write(page);
        }
    }

    /** What has to be said to see the same programs again. */
    private String option() {
        return types.equals(PairType.ALL)
                ? ""
                : types.stream().sorted().map(PairType::word).collect(Collectors.joining(",", " --types ", ""));
    }

    private void check() {
        if (choices != null && file == null && program == null) {
            throw new ParameterException(
                    spec.commandLine(), "--choices applies to one program; select it with --program, or name a file");
        }
        if (threads < 1 || threads > Explorer.MOST_THREADS) {
            throw new ParameterException(
                    spec.commandLine(), "--threads=" + threads + " is not in 1.." + Explorer.MOST_THREADS);
        }
        checkAtLeast("--programs", programs, 1);
        checkAtLeast("--failures", mostFailures, 1);
        checkAtLeast("--tries", tries, 0);
        checkAtLeast("--program", program == null ? 0 : program, 0);
    }

    private void checkAtLeast(String option, int value, int least) {
        if (value < least) {
            throw new ParameterException(spec.commandLine(), option + "=" + value + " is less than " + least);
        }
    }

    private boolean runFile(Path path, Tap tap, ExploreReport report, DrawnPrograms drawn) {
        try {
            Scenario scenario = ScenarioReader.read(path).scenario();
            Choices made = choices == null ? SeedMix.choices(seed) : listed(choices);
            TraceHash hash = new TraceHash();
            ProgramResult executed = ProgramRun.run(scenario, made, tap.and(hash));
            String again = ExploreReport.CALLED + " explore " + path
                    + (choices == null ? " --seed " + seed : " --choices " + choices);
            report.one(scenario, executed, hash.end(), again);
            add(drawn, scenario, executed, again);
            return executed.isGood();
        } catch (BadScenario e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    private boolean runOne(int number, Tap tap, ExploreReport report, DrawnPrograms drawn) {
        Explorer explorer = new Explorer(seed, types);
        TraceHash hash = new TraceHash();
        Tap both = tap.and(hash);
        Scenario scenario = explorer.program(number);
        ProgramResult executed =
                choices == null ? explorer.run(number, both) : ProgramRun.run(scenario, listed(choices), both);
        String again = report.again(number) + (choices == null ? "" : " --choices " + choices);
        report.one(scenario, executed, hash.end(), again);
        add(drawn, scenario, executed, again);
        if (!executed.isGood()) {
            report.failure(number, executed, new Minimizer(tries).shrink(scenario, executed));
        }
        return executed.isGood();
    }

    private void add(DrawnPrograms drawn, Scenario scenario, ProgramResult executed, String again) {
        if (pageFiles.isWanted()) {
            drawn.add(scenario, executed.choices(), executed.failures(), "", again);
        }
    }

    private Choices listed(String list) {
        try {
            return Choices.replayed(ChoiceList.parse(list));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--choices: " + e.getMessage());
        }
    }

    private boolean runAll(ExploreReport report, DrawnPrograms drawn) {
        Shard asked = shards.of(spec);
        Shard shard = asked == null ? new Shard(1, 1) : asked;
        if (asked != null) {
            ShardOption.begin(output, "explore", shard, ExploreMerge.job(seed, programs, option()));
        }
        ExploreFigures figures = new ExploreFigures();
        long beginNanos = System.nanoTime();
        StatusLine status = output.status();
        try (Interruption interruption = Interruption.watch()) {
            new Explorer(seed, types)
                    .runAll(programs, shard.number(), shard.of(), threads, (number, scenario, executed) -> {
                        figures.add(scenario, executed);
                        if (!executed.isGood()) {
                            status.tell(() -> "program " + number + " failed; minimizing");
                            Minimal minimal = new Minimizer(tries).shrink(scenario, executed);
                            status.erase();
                            report.failure(number, executed, minimal);
                            if (pageFiles.isWanted()) {
                                drawn.add(
                                        minimal.scenario(),
                                        minimal.choices(),
                                        minimal.failures(),
                                        "minimized",
                                        report.again(number) + " minimizes it again");
                            }
                        }
                        status.tell(() ->
                                "program " + number + " of " + programs + ", " + figures.failures() + " failures");
                        return figures.failures() < mostFailures && !interruption.isAsked();
                    });
            status.erase();
            long nanos = System.nanoTime() - beginNanos;
            if (asked != null) {
                report.part(figures, nanos);
            }
            report.all(figures, nanos);
        }
        return figures.failures() == 0;
    }
}
