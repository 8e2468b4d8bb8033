// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.bench.Bench;
import dev.verbatim.bench.BenchPlan;
import dev.verbatim.bench.BenchProgress;
import dev.verbatim.bench.BenchReport;
import dev.verbatim.bench.JsonLinesReport;
import dev.verbatim.bench.TableReport;
import dev.verbatim.bench.WithHistory;
import dev.verbatim.bench.loop.Beside;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.RoceAddresses;
import dev.verbatim.bench.plan.RunLength;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.bench.plan.Sizes;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Terminal;
import dev.verbatim.transport.netty.SocketTransport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench}. */
@Command(
        name = "bench",
        description = {
            "Measures bandwidth, latency and message rate, within one JVM and over TCP or RoCEv2 between two JVMs. Each case is"
                    + " compared with a baseline that does the same without RDMA.",
            "See docs/benchmarks.md for the columns. The command does not fail if a goal is missed."
        })
final class BenchCommand implements Runnable {

    private static final int LEAST_DEPTH = 4;
    private static final int MOST_DEPTH = 1 << 14;
    private static final double QUICK_SECONDS = 0.1;
    private static final int QUICK_ROUNDS = 3;
    private static final double USUAL_SECONDS = 0.8;
    private static final int USUAL_ROUNDS = 5;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--case",
            paramLabel = "CASE",
            split = ",",
            description = "Cases to measure: write-bw, read-bw, read-lat, write-lat, atomic-lat, msg-rate, chain-rate,"
                    + " read-rate, read-chain-rate, send-rate, atomic-rate, startup, idle, many-qps or connects."
                    + " Default: all.")
    private List<String> cases = new ArrayList<>();

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            split = ",",
            description = {
                "Fabric: in-process, tcp, roce, or roce-no-icrc, which shows what the checksum costs. Default: in-process"
                        + " and tcp."
            })
    private List<String> fabrics = new ArrayList<>();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            split = ",",
            description = {
                "How both sides wait over tcp: blocking, spinning or alternating. Default: blocking and spinning.",
                "Spinning needs one processor for each side. Alternating has both sides in one thread, whose processor time"
                        + " can be compared on a busy machine too."
            })
    private List<String> modes = new ArrayList<>();

    @Option(
            names = "--transport",
            paramLabel = "TRANSPORT",
            defaultValue = "nio",
            description = "Socket transport: nio, epoll or io_uring. Default: ${DEFAULT-VALUE}.")
    private String transport;

    @Option(
            names = "--roce",
            paramLabel = "ADDRESS",
            split = ",",
            description = "Local addresses of both devices over roce. Default: two of 127.0.0.0/8, on Linux.")
    private List<String> roce = new ArrayList<>();

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            description = {
                "Message sizes in bytes for the bandwidth cases: a list such as 8,64K,1M, or a range such as 8-16M"
                        + " for all powers of two.",
                "Default: 8,64,512,4K,64K,1M,16M."
            })
    private @Nullable String sizes;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Seconds to measure each column of a line, without warm-up. Default: 0.8.")
    private @Nullable Double seconds;

    @Option(names = "--rounds", paramLabel = "N", description = "Number of measurement rounds. Default: 5.")
    private @Nullable Integer rounds;

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Outstanding requests in the cases with a deep queue. Default: ${DEFAULT-VALUE}.")
    private int depth;

    @Option(
            names = "--peers",
            description = "Also measure UCX and libfabric over tcp. Needs the Debian packages ucx-utils and"
                    + " libfabric-bin.")
    private boolean peers;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Add each line, with all of its rounds, to the results in FILE.")
    private @Nullable Path save;

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description = {
                "Compare each line with the results that --save has added to FILE: ratio, and its range over all rounds.",
                "Each round counts as its ratio to the baseline's round, so that the speed of the machine cancels out."
            })
    private @Nullable Path compare;

    @Option(
            names = "--beside",
            paramLabel = "DIR",
            description =
                    "Measure, in turn with this build, the core and transport that were compiled in another source tree.")
    private @Nullable Path beside;

    @Option(
            names = "--beside-option",
            paramLabel = "OPTION",
            description = {
                "Measure in turn with a JVM that has this option, such as -Dverbatim.fast-path=false. May be repeated."
            })
    private List<String> besideOptions = new ArrayList<>();

    @Option(names = "--quick", description = "Quick run of about 15 s: fewer sizes, fewer and shorter rounds.")
    private boolean quick;

    @Mixin
    private Output output;

    @Option(names = "--progress", description = "Print progress on standard error even if it is not a terminal.")
    private boolean progress;

    @Override
    public void run() {
        BenchReport printed = output.either(JsonLinesReport::new, TableReport::new);
        try {
            BenchPlan plan = plan();
            BenchReport report = remembered(printed, plan);
            try (Interruption interruption = Interruption.watch();
                    Bench bench = new Bench(plan, report, progress())) {
                bench.run(interruption::isAsked);
            }
        } catch (BenchFailure e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    /** Rounds are told where there is something to compare. */
    private BenchReport remembered(BenchReport report, BenchPlan plan) {
        return save == null && compare == null && plan.beside() == null
                ? report
                : new WithHistory(report, depth, save, compare, Instant.now());
    }

    private BenchPlan plan() {
        if (depth < LEAST_DEPTH || depth > MOST_DEPTH) {
            throw wrong("--depth=" + depth + " is not in " + LEAST_DEPTH + ".." + MOST_DEPTH);
        }
        check("--case", cases, words());
        Set<Setting> settings = settings();
        Set<BenchCase> measured = chosen(BenchCase.class);
        boolean tcp = settings.stream().anyMatch(Setting::isTcp);
        Set<OneTimeCost> costs = tcp ? chosen(OneTimeCost.class) : Set.of();
        if (measured.isEmpty() && costs.isEmpty()) {
            throw wrong("--case=" + String.join(",", cases) + " is measured over tcp only; omit --fabric=in-process");
        }
        Beside other = beside == null && besideOptions.isEmpty() ? null : new Beside(beside, besideOptions);
        return new BenchPlan(measured, costs, settings, transport(), roce(), sizes(), depth, runLength(), peers, other);
    }

    private RoceAddresses roce() {
        if (roce.isEmpty()) {
            return RoceAddresses.ofProcess(ProcessHandle.current().pid());
        }
        if (roce.size() != 2) {
            throw wrong("--roce=" + String.join(",", roce) + " does not name two addresses");
        }
        return new RoceAddresses(roce.get(0), roce.get(1));
    }

    private static List<String> words() {
        return Stream.<Enum<?>>concat(Arrays.stream(BenchCase.values()), Arrays.stream(OneTimeCost.values()))
                .map(Object::toString)
                .toList();
    }

    private <E extends Enum<E>> Set<E> chosen(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> cases.isEmpty() || cases.contains(value.toString()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(type)));
    }

    private Set<Setting> settings() {
        check("--fabric", fabrics, List.of("in-process", "tcp", "roce", "roce-no-icrc"));
        check("--mode", modes, List.of("blocking", "spinning", "alternating"));
        Set<Setting> chosen = EnumSet.noneOf(Setting.class);
        for (Setting setting : Setting.values()) {
            boolean carried = fabrics.isEmpty() ? !setting.isRoce() : fabrics.contains(setting.fabric());
            boolean usual = modes.isEmpty() && !setting.isAlternating();
            if (carried && (usual || setting == Setting.IN_PROCESS || modes.contains(setting.mode()))) {
                refuse(setting);
                chosen.add(setting);
            }
        }
        return chosen;
    }

    /** Those that were asked for by name must be possible; of the others, the bench says what it skips. */
    private void refuse(Setting setting) {
        String refusal = setting.refusal(Runtime.getRuntime().availableProcessors());
        if (refusal != null && modes.contains(setting.mode())) {
            throw new CommandFailure(refusal);
        }
    }

    private void check(String option, List<String> words, List<String> known) {
        for (String word : words) {
            if (!known.contains(word)) {
                throw wrong(option + "=" + word + " is not one of " + String.join(", ", known));
            }
        }
    }

    private SocketTransport transport() {
        check("--transport", List.of(transport), List.of("nio", "epoll", "io_uring"));
        return SocketTransport.valueOf(transport.toUpperCase(Locale.ROOT));
    }

    private List<Integer> sizes() {
        try {
            return Sizes.parse(sizes != null ? sizes : quick ? "8,64K,1M" : "8,64,512,4K,64K,1M,16M");
        } catch (IllegalArgumentException e) {
            throw wrong("--sizes: " + e.getMessage());
        }
    }

    private RunLength runLength() {
        double chosenSeconds = seconds != null ? seconds : quick ? QUICK_SECONDS : USUAL_SECONDS;
        int chosenRounds = rounds != null ? rounds : quick ? QUICK_ROUNDS : USUAL_ROUNDS;
        if (!(chosenSeconds > 0 && chosenSeconds <= 3600) || chosenRounds < 1 || chosenRounds > 1000) {
            throw wrong("--seconds=" + chosenSeconds + " or --rounds=" + chosenRounds
                    + " is out of range; seconds must be greater than 0 and at most 3600, rounds 1 to 1000");
        }
        return RunLength.of(chosenSeconds, chosenRounds);
    }

    private BenchProgress progress() {
        PrintWriter err = spec.commandLine().getErr();
        if (Terminal.rewritesErrors()) {
            return BenchProgress.terminal(err);
        }
        return progress ? BenchProgress.lines(err) : BenchProgress.NONE;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
