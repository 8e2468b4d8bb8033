// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.history.Comparison;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.transport.netty.SocketTransport;
import java.util.List;

/** Receives the measurements, in order. */
public interface BenchReport {

    /** It begins, on this machine. */
    void machine(Machine machine);

    /** A line was measured. */
    void row(Row row);

    /** Every round of a line is of interest, of Verbatim and of what was measured in turn with it. */
    void rounds(Row row);

    /** A line was compared with earlier results. */
    void compared(String line, Comparison comparison);

    /** What is paid once was measured. */
    void costs(OneTimeCost what, SocketTransport transport, List<Cost> costs);

    /** Something was not measured; a sentence says what, why and what to do about it. */
    void skipped(String sentence);

    /** It is over. */
    void finished(long nanos);
}
