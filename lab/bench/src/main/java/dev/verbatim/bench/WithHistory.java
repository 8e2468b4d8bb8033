// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.history.Comparison;
import dev.verbatim.bench.history.HistoryFile;
import dev.verbatim.bench.history.Result;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.transport.netty.SocketTransport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Saves each line that was measured, and compares it with saved ones. Files are looked at before anything is measured, so that a wrong
 * one costs no time. What is paid once is neither saved nor compared.
 */
public final class WithHistory implements BenchReport {

    private final BenchReport report;
    private final int depth;
    private final @Nullable Path saveTo;
    private final @Nullable Path compareWith;
    private final Instant begin;
    private final Map<String, Result> before;
    private @Nullable HistoryFile saved;

    /**
     * Passes everything on to {@code report}.
     *
     * @param depth of deep queues; lines of another depth are other lines
     * @param saveTo the file to which results are added; null for none
     * @param compareWith the file with earlier results, which may be the same; null for none
     * @param begin when the run begins
     */
    public WithHistory(
            BenchReport report, int depth, @Nullable Path saveTo, @Nullable Path compareWith, Instant begin) {
        this.report = report;
        this.depth = depth;
        this.saveTo = saveTo;
        this.compareWith = compareWith;
        this.begin = begin;
        this.before = compareWith == null ? Map.of() : HistoryFile.read(compareWith);
    }

    @Override
    public void machine(Machine machine) {
        if (saveTo != null) {
            Map<String, Object> run = new LinkedHashMap<>();
            run.put("run", begin.toString());
            run.put("java", machine.java());
            run.put("system", machine.system());
            run.put("processors", machine.processors());
            run.put("loadBefore", Double.isNaN(machine.load()) ? null : machine.load());
            saved = HistoryFile.append(saveTo, run);
        }
        report.machine(machine);
    }

    @Override
    public void row(Row row) {
        report.row(row);
        report.rounds(row);
        Result now = Result.of(row.line(), depth, row.ours(), row.yardsticks());
        if (saved != null) {
            saved.add(now);
        }
        if (compareWith != null) {
            compare(now, compareWith);
        }
    }

    private void compare(Result now, Path with) {
        Result earlier = before.get(now.line());
        Comparison comparison = earlier == null ? null : Comparison.of(earlier, now);
        if (comparison != null) {
            report.compared(now.line(), comparison);
        } else if (earlier == null) {
            report.skipped(
                    now.line() + " is not compared: " + with + " has no such line; save one with the same options");
        } else {
            report.skipped(
                    now.line() + " is not compared: the results in " + with + " have no baseline in common with it");
        }
    }

    @Override
    public void rounds(Row row) {
        report.rounds(row);
    }

    @Override
    public void compared(String line, Comparison comparison) {
        report.compared(line, comparison);
    }

    @Override
    public void costs(OneTimeCost what, SocketTransport transport, List<Cost> costs) {
        report.costs(what, transport, costs);
    }

    @Override
    public void skipped(String sentence) {
        report.skipped(sentence);
    }

    @Override
    public void finished(long nanos) {
        report.finished(nanos);
    }
}
