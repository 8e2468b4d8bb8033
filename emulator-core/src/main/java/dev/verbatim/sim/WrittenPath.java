// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The path of a {@link DepthFirstExploration} in a file. What a walk remembers of the tree besides, where some order is fixed, is left out:
 * a walk that goes on takes it for forgotten.
 */
final class WrittenPath {

    private static final int MOST = 10_000_000;

    private WrittenPath() {}

    static void write(DataOutput out, List<ExplorationNode> path) throws IOException {
        new Writer(out).path(path);
    }

    /** @throws IOException if that is no path */
    static List<ExplorationNode> read(DataInput in) throws IOException {
        return new Reader(in).path();
    }

    /** Names are written once, and then their number. */
    private static final class Writer {

        private final DataOutput out;
        private final Map<String, Integer> names = new LinkedHashMap<>();

        Writer(DataOutput out) {
            this.out = out;
        }

        void path(List<ExplorationNode> path) throws IOException {
            out.writeInt(path.size());
            for (ExplorationNode node : path) {
                node(node);
            }
        }

        private void node(ExplorationNode node) throws IOException {
            name(node.point.name());
            out.writeInt(node.alternatives);
            out.writeInt(node.permitted);
            names(Arrays.asList(node.possible));
            out.writeBoolean(node.isLastFixed);
            out.writeBoolean(node.isPinned);
            ExplorationNode.State state = node.state();
            out.writeInt(state.taken());
            out.writeBoolean(state.isLast());
            out.writeInt(state.asleep().size());
            for (SleepSetEntry entry : state.asleep()) {
                name(entry.key());
                out.writeBoolean(entry.isLast());
                footprint(entry.footprint());
            }
            footprint(state.touched());
            WantedEvents wanted = state.wanted();
            out.writeBoolean(wanted != null);
            if (wanted != null) {
                wanted(wanted);
            }
            names(state.guide());
            footprint(node.touchedNow);
            bits(node.follows.before());
            bits(node.follows.races());
            out.writeInt(node.follows.maker());
            bits(node.follows.impossible());
            name(node.last);
            out.writeInt(node.awaited.size());
            for (Map.Entry<String, Footprint> awaited : node.awaited.entrySet()) {
                name(awaited.getKey());
                footprint(awaited.getValue());
            }
        }

        private void wanted(WantedEvents wanted) throws IOException {
            bits(wanted.indices);
            out.writeInt(wanted.impossible.size());
            for (Map.Entry<Integer, BitSet> entry : wanted.impossible.entrySet()) {
                out.writeInt(entry.getKey());
                bits(entry.getValue());
            }
            out.writeInt(wanted.demands.size());
            for (WantedEvents.Demand demand : wanted.demands) {
                bits(demand.events());
                out.writeInt(demand.before());
                out.writeInt(demand.itself());
            }
            out.writeInt(wanted.guides.size());
            for (Map.Entry<Integer, List<String>> entry : wanted.guides.entrySet()) {
                out.writeInt(entry.getKey());
                names(entry.getValue());
            }
        }

        private void names(List<String> all) throws IOException {
            out.writeInt(all.size());
            for (String name : all) {
                name(name);
            }
        }

        private void footprint(Footprint footprint) throws IOException {
            out.writeBoolean(footprint.isEverything());
            accesses(footprint.touches());
            accesses(footprint.inTurn());
            accesses(footprint.forced());
        }

        private void accesses(List<Footprint.Access> accesses) throws IOException {
            out.writeInt(accesses.size());
            for (Footprint.Access access : accesses) {
                name(access.object());
                out.writeLong(access.from());
                out.writeLong(access.to());
                out.writeBoolean(access.changes());
            }
        }

        private void bits(BitSet bits) throws IOException {
            long[] words = bits.toLongArray();
            out.writeInt(words.length);
            for (long word : words) {
                out.writeLong(word);
            }
        }

        private void name(String name) throws IOException {
            Integer number = names.putIfAbsent(name, names.size());
            out.writeInt(number == null ? names.size() - 1 : number);
            if (number == null) {
                out.writeUTF(name);
            }
        }
    }

    private static final class Reader {

        private final DataInput in;
        private final List<String> names = new ArrayList<>();

        Reader(DataInput in) {
            this.in = in;
        }

        List<ExplorationNode> path() throws IOException {
            List<ExplorationNode> path = new ArrayList<>();
            for (int left = count(); left > 0; left--) {
                path.add(node());
            }
            return path;
        }

        private ExplorationNode node() throws IOException {
            ChoicePoint point = point();
            int alternatives = in.readInt();
            int permitted = in.readInt();
            String[] possible = names().toArray(String[]::new);
            boolean isLastFixed = in.readBoolean();
            boolean isPinned = in.readBoolean();
            int taken = in.readInt();
            if (taken < 0
                    || taken >= alternatives
                    || permitted < 1
                    || permitted > alternatives
                    || (possible.length > 0 && possible.length < alternatives)) {
                throw new StreamCorruptedException("taken=" + taken + " of " + alternatives);
            }
            boolean isLast = in.readBoolean();
            List<SleepSetEntry> asleep = new ArrayList<>();
            for (int left = count(); left > 0; left--) {
                String key = name();
                boolean endsRun = in.readBoolean();
                asleep.add(new SleepSetEntry(key, footprint(), endsRun, List.of()));
            }
            Footprint touched = footprint();
            WantedEvents wanted = in.readBoolean() ? wanted() : null;
            ExplorationNode node = ExplorationNode.restored(
                    point,
                    alternatives,
                    permitted,
                    possible,
                    isLastFixed,
                    isPinned,
                    new ExplorationNode.State(taken, asleep, isLast, touched, wanted, names()));
            node.touchedNow = footprint();
            node.follows = new EventRaces(bits(), bits(), in.readInt(), bits());
            node.last = name();
            Map<String, Footprint> awaited = new LinkedHashMap<>();
            for (int left = count(); left > 0; left--) {
                awaited.put(name(), footprint());
            }
            node.awaited = awaited;
            return node;
        }

        private WantedEvents wanted() throws IOException {
            WantedEvents wanted = new WantedEvents();
            wanted.indices.or(bits());
            for (int left = count(); left > 0; left--) {
                wanted.impossible.put(in.readInt(), bits());
            }
            for (int left = count(); left > 0; left--) {
                wanted.demands.add(new WantedEvents.Demand(bits(), in.readInt(), in.readInt()));
            }
            for (int left = count(); left > 0; left--) {
                wanted.guides.put(in.readInt(), names());
            }
            return wanted;
        }

        private List<String> names() throws IOException {
            List<String> all = new ArrayList<>();
            for (int left = count(); left > 0; left--) {
                all.add(name());
            }
            return all;
        }

        private ChoicePoint point() throws IOException {
            String name = name();
            try {
                return ChoicePoint.valueOf(name);
            } catch (IllegalArgumentException e) {
                throw new StreamCorruptedException(name + " is no choice point");
            }
        }

        private Footprint footprint() throws IOException {
            Footprint footprint = new Footprint();
            if (in.readBoolean()) {
                footprint.everything();
            }
            for (int left = count(); left > 0; left--) {
                footprint.add(access());
            }
            for (int left = count(); left > 0; left--) {
                footprint.onlyInTurn(access());
            }
            for (int left = count(); left > 0; left--) {
                footprint.forced(access());
            }
            return footprint;
        }

        private Footprint.Access access() throws IOException {
            return new Footprint.Access(name(), in.readLong(), in.readLong(), in.readBoolean());
        }

        private BitSet bits() throws IOException {
            long[] words = new long[count()];
            for (int i = 0; i < words.length; i++) {
                words[i] = in.readLong();
            }
            return BitSet.valueOf(words);
        }

        private String name() throws IOException {
            int number = in.readInt();
            if (number == names.size()) {
                names.add(in.readUTF());
            }
            if (number < 0 || number >= names.size()) {
                throw new StreamCorruptedException("name " + number + " of " + names.size());
            }
            return names.get(number);
        }

        private int count() throws IOException {
            int count = in.readInt();
            if (count < 0 || count > MOST) {
                throw new StreamCorruptedException("count " + count);
            }
            return count;
        }
    }
}
