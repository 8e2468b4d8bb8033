// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.StatusLine;
import dev.verbatim.cli.soak.Soak;
import dev.verbatim.cli.soak.SoakResult;
import dev.verbatim.cli.soak.plan.DevicePair;
import dev.verbatim.cli.soak.plan.SoakPlan;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code soak}. */
@Command(
        name = "soak",
        description = {
            "Calls random verbs, valid and invalid ones, on two devices from several threads for a given time. Then"
                    + " checks that every request is accounted for, that everything can be closed, and that no object,"
                    + " thread, buffer or connection is left.",
            "The seed determines the calls of each thread, but not how the threads interleave; a run cannot be repeated"
                    + " exactly.",
            "A part of --shard I/N soaks by itself, with seed S + I - 1.",
            "There is no --sanitize here: the calls reuse buffers, keys and identifiers of outstanding requests on purpose."
        })
final class SoakCommand implements Callable<Integer> {

    private static final double USUAL_SECONDS = 20;
    private static final double MOST_SECONDS = 7 * 24 * 3600;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double MILLIS_PER_SECOND = 1000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", description = "Duration in minutes.")
    private @Nullable Double minutes;

    @Option(names = "--seconds", paramLabel = "N", description = "Duration in seconds. Default: 20.")
    private @Nullable Double seconds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the random calls. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "8",
            description = "Number of threads that call verbs. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            defaultValue = "tcp",
            description = "Fabric: tcp, over loopback; or in-process. Default: ${DEFAULT-VALUE}.")
    private String fabric;

    @Mixin
    private Output output;

    @Mixin
    private ShardOption shards;

    @Override
    public Integer call() {
        Shard shard = shards.of(spec);
        SoakPlan plan = new SoakPlan(duration(), shard == null ? seed : seed + shard.number() - 1, threads(), fabric());
        if (shard != null) {
            ShardOption.begin(output, "soak", shard, SoakMerge.job(plan, shard));
        }
        StatusLine status = output.status();
        try (Interruption interruption = Interruption.watch()) {
            SoakResult result = Soak.run(plan, status::tellNow, interruption::isAsked);
            status.erase();
            SoakReport report = new SoakReport(output);
            report.tell(result);
            if (shard != null && !result.isEnded()) {
                boolean unused = report.finished();
            }
            return result.isGood() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private Duration duration() {
        if (minutes != null && seconds != null) {
            throw wrong("--minutes and --seconds are mutually exclusive; specify one");
        }
        double asked = minutes != null ? minutes * SECONDS_PER_MINUTE : seconds != null ? seconds : USUAL_SECONDS;
        if (!(asked > 0 && asked <= MOST_SECONDS)) {
            throw wrong("a duration of " + plain(asked)
                    + " seconds is out of range; it must be greater than 0 and at most" + " one week");
        }
        return Duration.ofMillis(Math.max(1, Math.round(asked * MILLIS_PER_SECOND)));
    }

    /** A number without an exponent. */
    private static String plain(double number) {
        return Double.isFinite(number) ? BigDecimal.valueOf(number).toPlainString() : Double.toString(number);
    }

    private int threads() {
        if (threads < 1 || threads > SoakPlan.MOST_THREADS) {
            throw wrong("--threads=" + threads + " is not in 1.." + SoakPlan.MOST_THREADS);
        }
        return threads;
    }

    private DevicePair.Kind fabric() {
        return Arrays.stream(DevicePair.Kind.values())
                .filter(kind -> kind.toString().equals(fabric))
                .findFirst()
                .orElseThrow(() -> wrong("--fabric=" + fabric + " is not one of tcp, in-process"));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
