// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where an exploration was between two runs: another process can go on with it and finds what the first would have found, with each run
 * counted once. Where some order is fixed, runs that show nothing new may be made again, as what the walk remembered of others is left out.
 *
 * <p>A checkpoint is written as bytes, which only the same build understands.
 */
public final class Checkpoint {

    private static final int BEGIN = 0x56434850;
    private static final int END = 0x454e4421;
    private static final int MOST_TEXT = 100_000_000;

    private final Explored found;
    private final boolean isSampled;
    private final List<ExplorationNode> path;
    private final @Nullable List<ExplorationNode> pathInAllOrders;

    /**
     * The paths are those of walks, and change with them.
     *
     * @param isSampled whether runs with seeds are over
     * @param path empty after the last run
     * @param pathInAllOrders that of the walk {@link AllOrders through all orders}; null if there is none, or it was ended
     */
    Checkpoint(
            Explored found,
            boolean isSampled,
            List<ExplorationNode> path,
            @Nullable List<ExplorationNode> pathInAllOrders) {
        this.found = found;
        this.isSampled = isSampled;
        this.path = path;
        this.pathInAllOrders = pathInAllOrders;
    }

    /** What was found until then. */
    public Explored found() {
        return found;
    }

    /** How many runs there were. */
    long runs() {
        return found.executions() + found.abandoned() + found.cutShort();
    }

    boolean isSampled() {
        return isSampled;
    }

    /** Empty after the last run. */
    List<ExplorationNode> path() {
        return path;
    }

    /** Empty before the first run; null if there is no such walk any more. */
    @Nullable
    List<ExplorationNode> pathInAllOrders() {
        return pathInAllOrders;
    }

    /** Writes it, for {@link #read}. Valid only until the walk goes on. */
    public void write(OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        out.writeInt(BEGIN);
        text(out, found.meaning());
        outcomes(out, found.outcomes());
        outcomes(out, found.sampled());
        out.writeLong(found.samples());
        out.writeLong(found.executions());
        out.writeLong(found.abandoned());
        out.writeLong(found.cutShort());
        out.writeLong(found.events());
        for (ChoicePoint point : ChoicePoint.values()) {
            out.writeLong(found.tally().asked(point));
            out.writeLong(found.tally().deviated(point));
        }
        Explored.Estimate estimate = found.estimate();
        out.writeBoolean(estimate != null);
        if (estimate != null) {
            out.writeDouble(estimate.executions());
            out.writeDouble(estimate.standardError());
            out.writeInt(estimate.runs());
        }
        out.writeBoolean(isSampled);
        WrittenPath.write(out, path);
        out.writeBoolean(pathInAllOrders != null);
        if (pathInAllOrders != null) {
            WrittenPath.write(out, pathInAllOrders);
        }
        out.writeInt(END);
        out.flush();
    }

    private static void outcomes(DataOutputStream out, Map<String, Explored.Outcome> outcomes) throws IOException {
        out.writeInt(outcomes.size());
        for (Map.Entry<String, Explored.Outcome> outcome : outcomes.entrySet()) {
            text(out, outcome.getKey());
            out.writeLong(outcome.getValue().count());
            text(out, outcome.getValue().example().toString());
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if it is something else, or was cut
     */
    public static Checkpoint read(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        try {
            mark(in, BEGIN);
            String meaning = text(in);
            SortedMap<String, Explored.Outcome> outcomes = outcomes(in);
            SortedMap<String, Explored.Outcome> sampled = outcomes(in);
            long samples = in.readLong();
            long executions = in.readLong();
            long abandoned = in.readLong();
            long cutShort = in.readLong();
            long events = in.readLong();
            ChoiceTally tally = new ChoiceTally();
            for (ChoicePoint point : ChoicePoint.values()) {
                tally.add(point, in.readLong(), in.readLong());
            }
            Explored.Estimate estimate =
                    in.readBoolean() ? new Explored.Estimate(in.readDouble(), in.readDouble(), in.readInt()) : null;
            boolean isSampled = in.readBoolean();
            List<ExplorationNode> path = WrittenPath.read(in);
            List<ExplorationNode> pathInAllOrders = in.readBoolean() ? WrittenPath.read(in) : null;
            mark(in, END);
            Explored found = new Explored(
                    outcomes,
                    sampled,
                    samples,
                    executions,
                    abandoned,
                    cutShort,
                    events,
                    tally,
                    meaning,
                    null,
                    null,
                    estimate);
            return new Checkpoint(found, isSampled, path, pathInAllOrders);
        } catch (EOFException e) {
            throw new EOFException("the checkpoint is cut");
        } catch (IllegalArgumentException e) {
            throw new StreamCorruptedException("not a checkpoint: " + e.getMessage());
        }
    }

    private static void mark(DataInputStream in, int expected) throws IOException {
        if (in.readInt() != expected) {
            throw new StreamCorruptedException("not a checkpoint of this build");
        }
    }

    private static SortedMap<String, Explored.Outcome> outcomes(DataInputStream in) throws IOException {
        SortedMap<String, Explored.Outcome> outcomes = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String outcome = text(in);
            outcomes.put(outcome, new Explored.Outcome(in.readLong(), ChoiceList.parse(text(in))));
        }
        return outcomes;
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MOST_TEXT) {
            throw new StreamCorruptedException("a text of " + length + " bytes");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "checkpoint after " + runs() + " runs";
    }
}
