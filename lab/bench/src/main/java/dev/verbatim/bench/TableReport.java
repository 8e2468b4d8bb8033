// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.history.Comparison;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Measure;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tables as perftest prints them: one for each case and setting. */
public final class TableReport implements BenchReport {

    private static final int NARROWEST = 11;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private @Nullable Line above;
    private List<String> headsAbove = List.of();

    /** Prints on {@code out}. */
    public TableReport(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void machine(Machine machine) {
        out.println(machine.java() + ", " + machine.system() + ", " + machine.processors() + " processors"
                + (Double.isNaN(machine.load()) ? "" : ", load before " + number(machine.load())));
        out.flush();
    }

    @Override
    public void row(Row row) {
        Line line = row.line();
        List<String> heads = heads(row);
        if (above == null || !above.isBeside(line) || !headsAbove.equals(heads)) {
            head(row);
        }
        above = line;
        headsAbove = heads;
        List<String> cells = cells(row);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < heads.size(); i++) {
            text.append(padded(cells.get(i), heads.get(i)));
        }
        row.goals()
                .forEach(goal -> text.append("  ")
                        .append(goal.describe(line.what().measure()))
                        .append(goal.isMet(row) ? " met" : " MISSED"));
        out.println(text);
        out.flush();
    }

    @Override
    public void rounds(Row row) {
        for (Series series :
                Stream.concat(Stream.of(row.ours()), row.yardsticks().stream()).toList()) {
            Measure measure = row.line().what().measure();
            StringBuilder text = new StringBuilder("    rounds of " + series.name() + " in " + measure.unit() + ":");
            for (double nanos : series.roundNanos()) {
                text.append(' ').append(number(measure.of(nanos, row.line().sizeBytes())));
            }
            if (!Double.isNaN(series.cpuNanos())) {
                text.append("; cpu in ns/op:");
                series.roundCpuNanos().forEach(nanos -> text.append(' ').append(number(nanos)));
            }
            out.println(text);
        }
        out.flush();
    }

    @Override
    public void compared(String line, Comparison comparison) {
        out.println(String.format(
                Locale.ROOT,
                "    compared: %.2f times as fast as before (%.2f to %.2f), each by %s: %s",
                comparison.ratio(),
                comparison.least(),
                comparison.most(),
                comparison.yardstick(),
                comparison.verdict()));
        out.flush();
    }

    private void head(Row row) {
        Line line = row.line();
        Setting setting = line.setting();
        String transport =
                line.transport() == null ? "" : " " + line.transport().name().toLowerCase(Locale.ROOT);
        out.println();
        out.println(line.what() + ": " + line.what().title() + "; " + setting.fabric() + transport + ", "
                + setting.mode() + ", runnable threads: " + setting.runnableThreads());
        StringBuilder text = new StringBuilder();
        for (String head : heads(row)) {
            text.append(padded(head, head));
        }
        out.println(text + "  goal");
    }

    private static List<String> heads(Row row) {
        Measure measure = row.line().what().measure();
        List<String> heads = new ArrayList<>(List.of("#bytes", "#iterations"));
        heads.add("median[" + measure.unit() + "]");
        heads.add("best[" + measure.unit() + "]");
        switch (measure) {
            case LATENCY -> heads.add("p99[us]");
            case BANDWIDTH -> heads.add("rate[M/s]");
            case RATE -> {}
        }
        heads.add("cpu[ns/op]");
        heads.add("alloc[B/op]");
        for (Series yardstick : row.yardsticks()) {
            heads.add(yardstick.name() + "[" + measure.unit() + "]");
            heads.add("ratio");
        }
        return heads;
    }

    private static List<String> cells(Row row) {
        Measure measure = row.line().what().measure();
        int sizeBytes = row.line().sizeBytes();
        Series ours = row.ours();
        List<String> cells = new ArrayList<>();
        cells.add(String.valueOf(sizeBytes));
        cells.add(String.valueOf(ours.operations()));
        cells.add(number(measure.of(ours.medianNanos(), sizeBytes)));
        cells.add(number(measure.of(ours.bestNanos(), sizeBytes)));
        switch (measure) {
            case LATENCY -> cells.add(number(measure.of(ours.p99Nanos(), sizeBytes)));
            case BANDWIDTH -> cells.add(number(Measure.RATE.of(ours.medianNanos(), sizeBytes)));
            case RATE -> {}
        }
        cells.add(String.format(Locale.ROOT, "%.1f", ours.cpuNanos()));
        cells.add(String.format(Locale.ROOT, "%.2f", ours.allocatedBytes()));
        for (Series yardstick : row.yardsticks()) {
            cells.add(number(measure.of(yardstick.medianNanos(), sizeBytes)));
            cells.add(String.format(Locale.ROOT, "%.2f", ours.ratioTo(yardstick, measure)));
        }
        return cells;
    }

    /** Three digits behind the point, or fewer for what is large. */
    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.3f" : "%.1f", value);
    }

    private static String padded(String text, String head) {
        int width = Math.max(head.length(), head.equals("ratio") ? 0 : NARROWEST);
        return "  " + " ".repeat(Math.max(0, width - text.length())) + text;
    }

    @Override
    public void costs(OneTimeCost what, SocketTransport transport, List<Cost> costs) {
        above = null;
        int width = costs.stream().mapToInt(cost -> cost.part().length()).reduce(0, Math::max);
        out.println();
        out.println(what + ": " + what.title() + "; tcp " + transport.name().toLowerCase(Locale.ROOT) + ", blocking");
        boolean several = costs.stream().anyMatch(cost -> cost.values().size() > 1);
        if (several) {
            out.println(" ".repeat(width + 2) + padded("median", "") + padded("best", ""));
        }
        for (Cost cost : costs) {
            String best = several ? padded(number(cost.best()), "") : "";
            out.println("  " + cost.part() + " ".repeat(width - cost.part().length())
                    + padded(number(cost.median()), "") + best + "  " + cost.unit() + goal(cost));
        }
        out.flush();
    }

    private static String goal(Cost cost) {
        return cost.hasGoal()
                ? String.format(Locale.ROOT, "  <=%.0f %s", cost.atMost(), cost.isGoalMet() ? "met" : "MISSED")
                : "";
    }

    @Override
    public void skipped(String sentence) {
        out.println();
        out.println("skipped: " + sentence);
        out.flush();
    }

    @Override
    public void finished(long nanos) {
        out.println();
        out.println(String.format(Locale.ROOT, "measured in %.0f s", nanos / NANOS_PER_SECOND));
        out.flush();
    }
}
