// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.peer;

import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Series;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/** Measures what others have to show beside our lines, before and after them; says once what is missing. */
public final class Peers {

    private static final int ROUNDS = 2;

    private final Predicate<PeerProgram> installed;
    private final Consumer<String> skipped;
    private final Set<PeerProgram> saidMissing = EnumSet.noneOf(PeerProgram.class);
    private final Histogram none = Series.newHistogram();

    /** @param skipped hears a sentence about what is not measured, and why */
    Peers(Predicate<PeerProgram> installed, Consumer<String> skipped) {
        this.installed = installed;
        this.skipped = skipped;
    }

    /** Those that run here as they are found on the PATH. */
    public static Peers onThePath(Consumer<String> skipped) {
        String folders = System.getenv().getOrDefault("PATH", "");
        return new Peers(program -> PeerRun.isInstalled(program, folders), skipped);
    }

    /** Measures once; a series for each that runs, to be completed by {@link #again}. */
    public List<Series> before(Line line) {
        List<Series> series = new ArrayList<>();
        for (Peer peer : Peer.of(line)) {
            if (installed.test(peer.program())) {
                Series fresh = new Series(peer.title(), peer.operations(line.sizeBytes()), ROUNDS);
                if (measure(peer, line, fresh)) {
                    series.add(fresh);
                }
            } else if (saidMissing.add(peer.program())) {
                skipped.accept(peer.program().missing());
            }
        }
        return series;
    }

    /** Measures the same once more. */
    public void again(Line line, List<Series> series) {
        for (Peer peer : Peer.of(line)) {
            series.stream()
                    .filter(begun -> begun.name().equals(peer.title()))
                    .forEach(begun -> measure(peer, line, begun));
        }
    }

    private boolean measure(Peer peer, Line line, Series series) {
        try {
            double nanos = PeerRun.nanos(peer, line.sizeBytes());
            series.add((long) (nanos * series.operationsOfARound()), none, -1);
            return true;
        } catch (BenchFailure e) {
            skipped.accept(String.valueOf(e.getMessage()));
            return false;
        }
    }
}
