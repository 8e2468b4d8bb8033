// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.peer;

import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Line;
import java.util.List;

/** What others have to show beside a line of ours. Both of their ends spin. */
public enum Peer {
    UCX_TAG_BW(PeerProgram.UCX, "tag_bw", 0),
    UCX_PUT_BW(PeerProgram.UCX, "ucp_put_bw", 0),
    UCX_TAG_LAT(PeerProgram.UCX, "tag_lat", 2),
    UCX_FADD(PeerProgram.UCX, "ucp_fadd", 1),
    LIBFABRIC_PING_PONG(PeerProgram.LIBFABRIC, "pingpong", 2);

    private static final long MOST_BYTES = 1L << 30;
    private static final int MOST_MESSAGES = 100_000;
    private static final int ROUND_TRIPS = 10_000;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PeerProgram program;
    private final String test;
    /** How many of the latencies that it tells make a round trip; 0 if its rate counts. */
    private final int halves;

    Peer(PeerProgram program, String test, int halves) {
        this.program = program;
        this.test = test;
        this.halves = halves;
    }

    PeerProgram program() {
        return program;
    }

    String test() {
        return test;
    }

    /** What a column calls it. */
    public String title() {
        return (program == PeerProgram.UCX ? "ucx " : "libfabric ") + test;
    }

    /** Enough for some tenths of a second. */
    int operations(int sizeBytes) {
        return halves > 0 ? ROUND_TRIPS : (int) Math.max(1, Math.min(MOST_MESSAGES, MOST_BYTES / 2 / sizeBytes));
    }

    /** Those that belong beside a line. */
    static List<Peer> of(Line line) {
        return switch (line.setting()) {
            case IN_PROCESS, TCP_ALTERNATING, ROCE_BLOCKING, ROCE_SPINNING, ROCE_NO_ICRC_SPINNING -> List.of();
            case TCP_BLOCKING -> line.what() == BenchCase.WRITE_BW ? List.of(UCX_TAG_BW) : List.of();
            case TCP_SPINNING ->
                switch (line.what()) {
                    case WRITE_BW -> List.of(UCX_TAG_BW);
                    case READ_LAT, WRITE_LAT -> List.of(UCX_TAG_LAT, LIBFABRIC_PING_PONG);
                    case ATOMIC_LAT -> List.of(UCX_FADD);
                    case MSG_RATE -> List.of(UCX_TAG_BW, UCX_PUT_BW);
                    default -> List.of();
                };
        };
    }

    /**
     * Reads how long an operation took, in nanoseconds, from what the program printed.
     *
     * @throws IllegalArgumentException if that is not what it usually prints
     */
    double nanos(String printed) {
        String last = printed.strip().lines().reduce("", (before, line) -> line).strip();
        return switch (program) {
            case UCX -> {
                // iterations, median, average and overall latency, two bandwidths, average and overall message rate
                String[] fields = fields(last, ",", 8);
                yield halves > 0
                        ? Double.parseDouble(fields[1]) * NANOS_PER_MICRO * halves
                        : NANOS_PER_SECOND / Double.parseDouble(fields[7]);
            }
            // bytes, sent, acknowledged, total, time, MB/s, us for half a round trip, M/s
            case LIBFABRIC -> Double.parseDouble(fields(last, "\\s+", 8)[6]) * NANOS_PER_MICRO * halves;
        };
    }

    private static String[] fields(String line, String separator, int count) {
        String[] fields = line.split(separator, -1);
        if (fields.length != count) {
            throw new IllegalArgumentException("'" + line + "' has fields=" + fields.length + ", not " + count);
        }
        return fields;
    }
}
