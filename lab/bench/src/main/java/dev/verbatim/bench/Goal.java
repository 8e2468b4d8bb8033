// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.jvm.Plain;
import dev.verbatim.bench.loop.CopyLoop;
import dev.verbatim.bench.loop.EchoLoop;
import dev.verbatim.bench.peer.Peer;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Measure;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What a line should reach.
 *
 * @param yardstick the name of the series that it is compared with; empty if the figure itself counts
 * @param bound of the ratio, or of the figure
 * @param atMost whether less is better
 */
record Goal(String yardstick, double bound, boolean atMost) {

    /** A machine is fast enough for the goals in one JVM if it copies 64 KiB in that time. */
    private static final double MOST_COPY_NANOS = 800;

    /** And for those over TCP if a plain frame of 24 B takes no longer. */
    private static final double MOST_FRAME_NANOS = 10;

    static Goal atLeast(double ratio, String yardstick) {
        return new Goal(yardstick, ratio, false);
    }

    static Goal atMost(double ratio, String yardstick) {
        return new Goal(yardstick, ratio, true);
    }

    boolean isMet(Row row) {
        double reached = reached(row);
        return atMost ? reached <= bound : reached >= bound;
    }

    /** Whether the row has what it takes to tell: figures count only where the machine is fast enough for them. */
    boolean applies(Row row) {
        return yardstick.isEmpty()
                ? isWithin(row, CopyLoop.USUAL_TITLE, MOST_COPY_NANOS)
                        && isWithin(row, Plain.FRAMES.title(), MOST_FRAME_NANOS)
                : row.yardstick(yardstick) != null;
    }

    private static boolean isWithin(Row row, String name, double mostNanos) {
        Series series = row.yardstick(name);
        return series == null || series.medianNanos() <= mostNanos;
    }

    /** The figure that counts. */
    double reached(Row row) {
        Series other = row.yardstick(yardstick);
        Measure measure = row.line().what().measure();
        return other == null
                ? measure.of(row.ours().medianNanos(), row.line().sizeBytes())
                : row.ours().ratioTo(other, measure);
    }

    /** Such as {@code >=0.95x plain stream}. */
    String describe(Measure measure) {
        String number = String.format(Locale.ROOT, "%.2f", bound).replaceAll("\\.?0+$", "");
        return (atMost ? "<=" : ">=") + number + (yardstick.isEmpty() ? " " + measure.unit() : "x " + yardstick);
    }

    /** Those of a line; few lines have one. */
    static List<Goal> of(Line line) {
        return switch (line.what()) {
            case WRITE_BW -> writeBandwidth(line);
            case READ_LAT -> readLatency(line);
            case WRITE_LAT -> line.setting() == Setting.IN_PROCESS ? List.of(atMost(0.15, "")) : List.of();
            case MSG_RATE, READ_RATE, CHAIN_RATE, READ_CHAIN_RATE, SEND_RATE, ATOMIC_RATE -> rate(line);
            case ATOMIC_LAT ->
                line.setting().isTcp() && !line.setting().isAlternating() && line.transport() == SocketTransport.EPOLL
                        ? List.of(atMost(1, Peer.UCX_FADD.title()))
                        : List.of();
            case READ_BW -> List.of();
        };
    }

    private static List<Goal> rate(Line line) {
        boolean isSpinning = line.setting() == Setting.TCP_SPINNING;
        if (line.setting() != Setting.IN_PROCESS && !isSpinning) {
            return List.of();
        }
        return switch (line.what()) {
            case MSG_RATE -> List.of(atLeast(isSpinning && line.transport() == SocketTransport.EPOLL ? 10 : 8, ""));
            case CHAIN_RATE, READ_CHAIN_RATE -> isSpinning ? List.of() : List.of(atLeast(10, ""));
            case READ_RATE -> List.of(atLeast(isSpinning ? 5 : 8, ""));
            default -> List.of(atLeast(5, ""));
        };
    }

    private static List<Goal> writeBandwidth(Line line) {
        boolean isMiB = line.sizeBytes() == 1 << 20;
        if (line.setting().isRoce()) {
            return isMiB && isLikePlain(line) ? List.of(atLeast(0.6, Plain.DATAGRAMS.title())) : List.of();
        }
        if (!line.setting().isTcp()) {
            return isMiB ? List.of(atLeast(0.9, "ByteBuffer.put")) : List.of();
        }
        if (line.setting().isAlternating() || (!isMiB && line.sizeBytes() != 1 << 16)) {
            return List.of();
        }
        double ofPlain = !isMiB ? 0.95 : line.setting() == Setting.TCP_SPINNING ? 1 : 0.9;
        return List.of(atLeast(ofPlain, Plain.WRITES.title()), atLeast(0.75, Peer.UCX_TAG_BW.title()));
    }

    /** With ICRC, over sockets of the kind that the yardstick has. */
    private static boolean isLikePlain(Line line) {
        return line.setting().hasIcrc() && line.transport() == SocketTransport.NIO;
    }

    private static List<Goal> readLatency(Line line) {
        return switch (line.setting()) {
            case IN_PROCESS, ROCE_BLOCKING, ROCE_NO_ICRC_SPINNING -> List.of();
            case ROCE_SPINNING ->
                isLikePlain(line) ? List.of(atMost(1.4, Plain.SPINNING_DATAGRAM_PING_PONG.title())) : List.of();
            case TCP_BLOCKING -> List.of(atMost(1.2, EchoLoop.TITLE));
            case TCP_ALTERNATING -> List.of();
            case TCP_SPINNING ->
                switch (Objects.requireNonNull(line.transport())) {
                    case EPOLL -> List.of(atMost(1.3, Plain.SPINNING_PING_PONG.title()));
                    case NIO -> List.of(atMost(2.0, Plain.SPINNING_PING_PONG.title()));
                    case IO_URING -> List.of();
                };
        };
    }
}
