// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link SimulatedTraffic}, about windows: they are bound, used, invalidated from either side and deallocated, and what they
 * are bound to is deregistered. Keys are drawn from those that a window can have, so that no program asks another for one.
 *
 * @param seed what it is drawn from
 * @param steps how many each node takes
 */
record SimulatedWindows(long seed, int steps) implements Exploration.Program {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int WORDS = 4;
    private static final int VARIANTS = 2;
    private static final int LONG_BYTES = 300;
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private static final int TYPE_1 = 0;
    private static final int TYPE_2 = 1;

    /** What a node has. */
    private record Party(
            Side side,
            MemoryRegion region,
            List<MemoryWindow> windows,
            List<Integer> keys,
            List<QueuePair> queuePairs,
            Choices dice,
            List<String> seen) {

        static Party of(Side side, Choices dice) {
            MemoryRegion region = side.pd.register(side.region.memory(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            List<MemoryWindow> windows = List.of(
                    side.pd.allocateWindow(MemoryWindowType.TYPE_1), side.pd.allocateWindow(MemoryWindowType.TYPE_2));
            List<Integer> keys = windows.stream().map(MemoryWindow::rkey).toList();
            return new Party(
                    side, region, windows, keys, List.of(side.qp, side.newQueuePair()), dice, new ArrayList<>());
        }

        int below(int bound) {
            return dice.choose(ChoicePoint.PROGRAM_STEP, bound);
        }

        int word() {
            return below(WORDS) * Long.BYTES;
        }

        BindInfo info() {
            int from = word();
            int bytes = below(2) == 0 ? Long.BYTES : LONG_BYTES;
            return new BindInfo(region, region.address() + from, bytes, RIGHTS);
        }
    }

    @Override
    public String run(Schedule schedule) {
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS.withMostEvents(5_000))) {
            Party left = Party.of(new Side(simulation.open("left"), QpCapabilities.USUAL), Choices.seeded(seed));
            Party right = Party.of(new Side(simulation.open("right"), QpCapabilities.USUAL), Choices.seeded(~seed));
            RcConnection connection =
                    RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(1, 1, 1, 1);
            for (int i = 0; i < left.queuePairs.size(); i++) {
                connection.join(left.queuePairs.get(i), right.queuePairs.get(i));
                for (Party each : List.of(left, right)) {
                    each.queuePairs.get(i).postRecv(ReceiveWorkRequest.of(100, each.side.sge(0, 16)));
                }
            }
            simulation.node("a", node -> play(left, right, node));
            simulation.node("b", node -> play(right, left, node));
            boolean done = simulation.run();
            return left.seen + " " + right.seen + " " + memory(left) + memory(right) + " " + done;
        }
    }

    private static String memory(Party party) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < WORDS; word++) {
            text.append(' ').append(party.side.bytes().getLong(word * Long.BYTES));
        }
        return text.toString();
    }

    private void play(Party party, Party peer, Node node) {
        for (int i = 0; i < steps; i++) {
            try {
                step(party, peer, node, i);
            } catch (VerbsException e) {
                party.seen.add(e.errno().toString());
            }
        }
    }

    /** A key that the window has had, has or will have. */
    private static int key(Party drawing, Party owner, int window) {
        return Rkey.withVariant(owner.keys.get(window), owner.keys.get(window) + 1 + drawing.below(VARIANTS));
    }

    private static void step(Party party, Party peer, Node node, int i) {
        QueuePair qp = party.queuePairs.get(party.below(4) / 3);
        int flags = party.below(3) == 0 ? SendFlags.FENCE : 0;
        switch (party.below(16)) {
            case 0, 1 -> qp.bindWindow(party.windows.get(TYPE_1), WindowBind.signaled(i, party.info()));
            case 2, 3, 4 ->
                qp.postSend(SendWorkRequest.bindWindow(
                                i, party.windows.get(TYPE_2), key(party, party, TYPE_2), party.info())
                        .plus(flags));
            case 5, 6 ->
                qp.postSend(SendWorkRequest.localInvalidate(i, key(party, party, TYPE_2))
                        .plus(flags));
            case 7 ->
                qp.postSend(SendWorkRequest.sendWithInvalidate(i, key(party, peer, TYPE_2))
                        .plus(flags));
            case 8, 9, 10 -> use(party, peer, qp, i);
            case 11, 12 -> poll(party);
            case 13 -> node.store(party.region.memory(), party.word(), i + 10L);
            case 14 -> party.seen.add("load " + node.load(party.region.memory(), party.word()));
            default -> breakSomething(party, qp, party.windows.get(TYPE_2), i);
        }
    }

    private static void use(Party party, Party peer, QueuePair qp, int i) {
        int key = key(party, peer, party.below(2));
        long remote = peer.region.address() + party.word();
        Sge local = party.side.sge(party.word(), party.below(3) == 0 ? LONG_BYTES : Long.BYTES);
        qp.postSend(
                party.below(2) == 0
                        ? SendWorkRequest.write(i, remote, key, local)
                        : SendWorkRequest.read(i, remote, key, local));
    }

    private static void poll(Party party) {
        WorkCompletion completion = party.side.sendCq.awaitCompletion(LONG);
        party.seen.add(completion.id() + " " + completion.status());
    }

    private static void breakSomething(Party party, QueuePair qp, MemoryWindow window, int i) {
        switch (party.below(6)) {
            case 0 -> window.close();
            case 1, 2 -> party.region.close();
            case 3 -> party.seen.add(window.life().size() + " " + window.currentRkey());
            case 4 -> qp.modify(new QpAttributes().state(QpState.ERR));
            default -> qp.postRecv(ReceiveWorkRequest.of(i, party.side.sge(0, 8)));
        }
    }
}
