// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.bench.history.Comparison;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Measure;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.transport.netty.SocketTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints one JSON object per line; the field {@code kind} is the type of the line. */
public final class JsonLinesReport implements BenchReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;

    /** Reports on {@code out}. */
    public JsonLinesReport(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void machine(Machine machine) {
        Map<String, Object> json = json("machine");
        json.put("java", machine.java());
        json.put("system", machine.system());
        json.put("processors", machine.processors());
        json.put("loadBefore", orNull(machine.load()));
        print(json);
    }

    @Override
    public void row(Row row) {
        Line line = row.line();
        Measure measure = line.what().measure();
        Map<String, Object> json = json("measured");
        json.put("case", line.what().toString());
        json.put("fabric", line.setting().fabric());
        json.put(
                "transport",
                line.transport() == null ? null : line.transport().name().toLowerCase(Locale.ROOT));
        json.put("mode", line.setting().mode());
        json.put("runnableThreads", line.setting().runnableThreads());
        json.put("sizeBytes", line.sizeBytes());
        json.put("unit", measure.unit());
        putFigures(json, row.ours(), line);
        json.put("allocatedBytesPerOperation", orNull(row.ours().allocatedBytes()));
        List<Object> yardsticks = new ArrayList<>();
        for (Series series : row.yardsticks()) {
            Map<String, Object> yardstick = new LinkedHashMap<>();
            yardstick.put("name", series.name());
            putFigures(yardstick, series, line);
            yardstick.put("ratio", row.ours().ratioTo(series, measure));
            yardsticks.add(yardstick);
        }
        json.put("yardsticks", yardsticks);
        List<Object> goals = new ArrayList<>();
        for (Goal goal : row.goals()) {
            Map<String, Object> judged = new LinkedHashMap<>();
            judged.put("yardstick", goal.yardstick().isEmpty() ? null : goal.yardstick());
            judged.put(goal.atMost() ? "atMost" : "atLeast", goal.bound());
            judged.put("reached", goal.reached(row));
            judged.put("met", goal.isMet(row));
            goals.add(judged);
        }
        json.put("goals", goals);
        print(json);
    }

    private static void putFigures(Map<String, Object> json, Series series, Line line) {
        Measure measure = line.what().measure();
        json.put("iterations", series.operations());
        json.put("median", measure.of(series.medianNanos(), line.sizeBytes()));
        json.put("best", measure.of(series.bestNanos(), line.sizeBytes()));
        json.put("p99", orNull(measure.of(series.p99Nanos(), line.sizeBytes())));
        json.put("cpuNanosPerOperation", orNull(series.cpuNanos()));
        json.put(
                "rounds",
                series.roundNanos().stream()
                        .map(nanos -> measure.of(nanos, line.sizeBytes()))
                        .toList());
    }

    @Override
    public void rounds(Row row) {
        // Each line has them anyway.
    }

    @Override
    public void compared(String line, Comparison comparison) {
        Map<String, Object> json = json("compared");
        json.put("line", line);
        json.put("yardstick", comparison.yardstick());
        json.put("ratio", comparison.ratio());
        json.put("least", comparison.least());
        json.put("most", comparison.most());
        json.put("verdict", comparison.verdict().toString());
        json.put("before", comparison.before());
        json.put("now", comparison.now());
        print(json);
    }

    /** JSON has no word for what is not a number. */
    private static @Nullable Double orNull(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(value);
    }

    @Override
    public void costs(OneTimeCost what, SocketTransport transport, List<Cost> costs) {
        for (Cost cost : costs) {
            Map<String, Object> json = json("cost");
            json.put("case", what.toString());
            json.put("transport", transport.name().toLowerCase(Locale.ROOT));
            json.put("part", cost.part());
            json.put("unit", cost.unit());
            json.put("times", cost.values().size());
            json.put("median", orNull(cost.median()));
            json.put("best", orNull(cost.best()));
            if (cost.hasGoal()) {
                json.put("atMost", cost.atMost());
                json.put("met", cost.isGoalMet());
            }
            print(json);
        }
    }

    @Override
    public void skipped(String sentence) {
        Map<String, Object> json = json("skipped");
        json.put("text", sentence);
        print(json);
    }

    @Override
    public void finished(long nanos) {
        Map<String, Object> json = json("result");
        json.put("seconds", nanos / NANOS_PER_SECOND);
        print(json);
    }

    private static Map<String, Object> json(String kind) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind);
        return json;
    }

    private void print(Map<String, Object> json) {
        try {
            out.println(JSON.std.asString(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.flush();
    }
}
