// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.cost.Connects;
import dev.verbatim.bench.cost.Idle;
import dev.verbatim.bench.cost.ManyQpsCost;
import dev.verbatim.bench.cost.Startup;
import dev.verbatim.bench.jvm.MeasuredPair;
import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.jvm.Plain;
import dev.verbatim.bench.loop.Beside;
import dev.verbatim.bench.loop.BesideLoop;
import dev.verbatim.bench.loop.CopyLoop;
import dev.verbatim.bench.loop.EchoLoop;
import dev.verbatim.bench.loop.Measurement;
import dev.verbatim.bench.loop.RdmaLoop;
import dev.verbatim.bench.loop.SocketLoop;
import dev.verbatim.bench.loop.TimedLoop;
import dev.verbatim.bench.peer.Peers;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Measure;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.PathMtu;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Measures what a plan says, line by line. One thread does it all, so it can own spinning fabrics. */
public final class Bench implements AutoCloseable {

    private static final int MOST_THRONGS = 3;

    private final BenchPlan plan;
    private final BenchReport report;
    private final BenchProgress progress;
    private final Measurement measurement;
    private final @Nullable Peers peers;
    private @Nullable PassiveJvm jvm;
    private @Nullable OrderedJvm besideJvm;
    private @Nullable MeasuredPair stage;
    private @Nullable Setting staged;

    /** Measures what {@code plan} says, when asked to. */
    public Bench(BenchPlan plan, BenchReport report, BenchProgress progress) {
        this.plan = plan;
        this.report = report;
        this.progress = progress;
        this.measurement = new Measurement(plan.runLength());
        this.peers = plan.withPeers() ? Peers.onThePath(this::skip) : null;
    }

    /**
     * Measures everything, or what it comes to until it is asked to end.
     *
     * @param isInterrupted whether it is to end; looked at before each line
     */
    public void run(BooleanSupplier isInterrupted) {
        long startNanos = System.nanoTime();
        report.machine(Machine.here());
        List<Line> lines = possible(plan.lines());
        int all = lines.size() + plan.costs().size();
        int done = 0;
        for (int i = 0; i < lines.size() && !isInterrupted.getAsBoolean(); i++) {
            Line line = lines.get(i);
            progress.begin((i + 1) + " of " + lines.size() + ": " + line.what() + " " + line.setting() + " "
                    + line.sizeBytes() + " B");
            Row row = measure(line, i == 0 || !line.isBeside(lines.get(i - 1)));
            progress.end();
            report.row(row);
            done++;
        }
        closeStage();
        for (OneTimeCost what : plan.costs()) {
            if (isInterrupted.getAsBoolean()) {
                break;
            }
            progress.begin(what.toString());
            List<Cost> costs = measure(what);
            progress.end();
            report.costs(what, plan.transport(), costs);
            done++;
        }
        if (done < all) {
            report.skipped("interrupted: " + (all - done) + " of " + all + " lines were not measured");
        }
        report.finished(System.nanoTime() - startNanos);
    }

    private void skip(String sentence) {
        progress.end();
        report.skipped(sentence);
    }

    private List<Cost> measure(OneTimeCost what) {
        return switch (what) {
            case STARTUP -> Startup.measure(plan.transport(), plan.runLength().rounds());
            case MANY_QPS ->
                new ManyQpsCost(jvm(), plan.transport())
                        .measure(
                                plan.runLength().throng(),
                                Math.min(MOST_THRONGS, plan.runLength().rounds()));
            case CONNECTS ->
                new Connects(jvm(), plan.transport())
                        .measure(plan.runLength().throng(), plan.runLength().rounds());
            case IDLE ->
                new Idle(jvm(), plan.transport())
                        .measure(plan.runLength().manyQps(), plan.runLength().links());
        };
    }

    private List<Line> possible(List<Line> lines) {
        List<Line> possible = new ArrayList<>(lines);
        for (Setting setting : plan.settings()) {
            String refusal = setting.refusal(Runtime.getRuntime().availableProcessors());
            if (refusal != null && possible.removeIf(line -> line.setting() == setting)) {
                skip(refusal);
            }
        }
        return possible;
    }

    private Row measure(Line line, boolean cold) {
        MeasuredPair present = stageOf(line);
        List<TimedLoop> loops = new ArrayList<>();
        try {
            RdmaLoop ours = new RdmaLoop(line.what(), present, line.sizeBytes(), plan.depth());
            ours.verify(Series.newHistogram());
            loops.add(ours);
            if (plan.beside() != null && !line.setting().isRoce()) {
                loops.add(new BesideLoop(besideJvm(plan.beside()), line, plan.depth()));
            }
            addYardsticks(line, loops);
            List<Series> others = peers == null ? List.of() : peers.before(line);
            List<Series> series = measurement.of(loops, cold);
            if (peers != null) {
                peers.again(line, others);
            }
            ours.verifyAll();
            tellDrops(loops);
            List<Series> yardsticks = new ArrayList<>(series.subList(1, series.size()));
            yardsticks.addAll(others);
            return new Row(line, series.get(0), yardsticks);
        } finally {
            loops.forEach(TimedLoop::close);
        }
    }

    private void addYardsticks(Line line, List<TimedLoop> loops) {
        if (line.setting().isRoce()) {
            addDatagrams(line, loops);
            return;
        }
        if (!line.setting().isTcp()) {
            loops.add(line.what().measure() == Measure.BANDWIDTH ? new CopyLoop(line.sizeBytes()) : CopyLoop.usual());
            return;
        }
        boolean spinning = line.setting() != Setting.TCP_BLOCKING;
        switch (line.what()) {
            case WRITE_BW -> loops.add(new SocketLoop(Plain.WRITES, jvm(), line.sizeBytes()));
            case READ_BW -> loops.add(new SocketLoop(Plain.READS, jvm(), line.sizeBytes()));
            case MSG_RATE, CHAIN_RATE, READ_RATE, READ_CHAIN_RATE, SEND_RATE, ATOMIC_RATE ->
                loops.add(new SocketLoop(Plain.FRAMES, jvm(), Plain.FRAMES_BUFFER_BYTES));
            case READ_LAT, WRITE_LAT, ATOMIC_LAT -> {
                if (!spinning) {
                    loops.add(new EchoLoop(jvm()));
                }
                Plain pingPong = spinning ? Plain.SPINNING_PING_PONG : Plain.PING_PONG;
                loops.add(new SocketLoop(pingPong, jvm(), Plain.PING_BYTES));
            }
        }
    }

    /** READs are answered by packets like those of a WRITE. */
    private void addDatagrams(Line line, List<TimedLoop> loops) {
        if (line.what().measure() == Measure.LATENCY) {
            Plain pingPong = line.setting().isSpinning() ? Plain.SPINNING_DATAGRAM_PING_PONG : Plain.DATAGRAM_PING_PONG;
            loops.add(new SocketLoop(pingPong, jvm(), Plain.PING_BYTES));
            return;
        }
        int payload = Math.min(line.sizeBytes(), PathMtu.MTU_4096.bytes());
        int packets = (line.sizeBytes() + payload - 1) / payload;
        loops.add(new SocketLoop(Plain.DATAGRAMS, jvm(), payload + Plain.PACKET_OVERHEAD_BYTES, packets));
    }

    private void tellDrops(List<TimedLoop> loops) {
        for (TimedLoop loop : loops) {
            if (loop instanceof SocketLoop sockets && sockets.mostDroppedPercent() > 0) {
                skip(String.format(
                        Locale.ROOT,
                        "%s: up to %.1f %% of a round were dropped; only what was received counts",
                        loop.name(),
                        sockets.mostDroppedPercent()));
            }
        }
    }

    /** The devices of a setting, which stay while lines of the same setting follow. */
    private MeasuredPair stageOf(Line line) {
        Setting setting = line.setting();
        if (stage != null && setting == staged) {
            return stage;
        }
        closeStage();
        SocketTransport transport = line.transport() == null ? SocketTransport.NIO : line.transport();
        MeasuredPair opened =
                MeasuredPair.of(setting, transport, this::jvm, plan.roce(), plan.regionBytes(), plan.depth());
        stage = opened;
        staged = setting;
        return opened;
    }

    private PassiveJvm jvm() {
        PassiveJvm present = jvm;
        if (present == null) {
            present = PassiveJvm.start();
            jvm = present;
        }
        return present;
    }

    private OrderedJvm besideJvm(Beside beside) {
        OrderedJvm present = besideJvm;
        if (present == null) {
            present = beside.start();
            besideJvm = present;
        }
        return present;
    }

    private void closeStage() {
        MeasuredPair present = stage;
        stage = null;
        if (present != null) {
            present.close();
        }
    }

    @Override
    public void close() {
        try {
            closeStage();
        } finally {
            if (jvm != null) {
                jvm.close();
            }
            if (besideJvm != null) {
                besideJvm.close();
            }
        }
    }
}
