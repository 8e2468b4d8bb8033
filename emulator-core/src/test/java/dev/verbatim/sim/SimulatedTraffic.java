// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A program drawn from a seed: two nodes, each with two queue pairs to the other, which post, wait, load, store, and now and then
 * break something. The outcome is what they saw and what is in memory.
 *
 * @param seed what it is drawn from
 * @param steps how many each node takes
 */
record SimulatedTraffic(long seed, int steps) implements Exploration.Program {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int WORDS = 4;
    private static final int LONG_BYTES = 600;

    /** What a node has. */
    private record Party(Side side, Side peer, List<QueuePair> queuePairs, Choices dice, List<String> seen) {

        int below(int bound) {
            return dice.choose(ChoicePoint.PROGRAM_STEP, bound);
        }

        CompletionChannel channel() {
            return Objects.requireNonNull(side.sendCq.channel());
        }

        int word() {
            return below(WORDS) * Long.BYTES;
        }
    }

    @Override
    public String run(Schedule schedule) {
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS.withMostEvents(5_000))) {
            Device first = simulation.open("left");
            Device second = simulation.open("right");
            Side left = new Side(first, QpCapabilities.USUAL, first.createCompletionChannel());
            Side right = new Side(second, QpCapabilities.USUAL, second.createCompletionChannel());
            List<QueuePair> lefts = List.of(left.qp, left.newQueuePair());
            List<QueuePair> rights = List.of(right.qp, right.newQueuePair());
            RcConnection connection =
                    RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(1, 1, 1, 1);
            for (int i = 0; i < lefts.size(); i++) {
                connection.join(lefts.get(i), rights.get(i));
                lefts.get(i).postRecv(ReceiveWorkRequest.of(100, left.sge(0, 16)));
                rights.get(i).postRecv(ReceiveWorkRequest.of(100, right.sge(8, 16)));
            }
            Party a = new Party(left, right, lefts, Choices.seeded(seed), new ArrayList<>());
            Party b = new Party(right, left, rights, Choices.seeded(~seed), new ArrayList<>());
            simulation.node("a", node -> play(a, node));
            simulation.node("b", node -> play(b, node));
            boolean done = simulation.run();
            return a.seen + " " + b.seen + " " + memory(left) + memory(right) + " " + done;
        }
    }

    private static String memory(Side side) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < WORDS; word++) {
            text.append(' ').append(side.bytes().getLong(word * Long.BYTES));
        }
        return text.toString();
    }

    private void play(Party party, Node node) {
        for (int i = 0; i < steps; i++) {
            try {
                step(party, node, i);
            } catch (VerbsException e) {
                party.seen.add(e.errno().toString());
            }
        }
    }

    private static void step(Party party, Node node, int i) {
        Side side = party.side;
        Side peer = party.peer;
        QueuePair qp = party.queuePairs.get(party.below(2));
        Sge local = side.sge(party.word(), Long.BYTES);
        long remote = peer.address(party.word());
        switch (party.below(20)) {
            case 0, 1 -> node.store(side.region.memory(), party.word(), i + 10L);
            case 2, 3 -> party.seen.add("load " + node.load(side.region.memory(), party.word()));
            case 4, 5 -> qp.postSend(SendWorkRequest.write(i, remote, peer.rkey(), local));
            case 6 -> qp.postSend(SendWorkRequest.write(i, peer.address(0), peer.rkey(), side.sge(0, LONG_BYTES)));
            case 7 -> qp.postSend(SendWorkRequest.read(i, remote, peer.rkey(), local));
            case 8 -> {
                int word = party.below(WORDS - 1) * Long.BYTES;
                qp.postSend(SendWorkRequest.read(i, peer.address(word), peer.rkey(), side.sge(word, 2 * Long.BYTES)));
            }
            case 9 -> qp.postSend(SendWorkRequest.fetchAndAdd(i, remote, peer.rkey(), 100, local));
            case 10 -> qp.postSend(SendWorkRequest.send(i, local).plus(SendFlags.FENCE));
            case 11 -> qp.postSend(SendWorkRequest.writeWithImmediate(i, remote, peer.rkey(), 7, local));
            case 12, 13 -> poll(party);
            case 14 -> {
                int word = party.word();
                node.await(() -> side.bytes().getLong(word) >= 10);
                party.seen.add("found " + side.bytes().getLong(word));
            }
            case 15, 16 -> {
                AsyncEvent event = side.device.pollAsyncEvent();
                party.seen.add(event == null ? "no event" : event.type().toString());
            }
            case 17 -> side.sendCq.requestNotify(false);
            case 18 -> {
                CompletionEvent event = party.channel().pollEvent();
                party.seen.add(event == null ? "not notified" : "notified");
            }
            default -> breakSomething(party, qp, i);
        }
    }

    private static void poll(Party party) {
        WorkCompletion completion = party.side.sendCq.awaitCompletion(LONG);
        party.seen.add(completion.id() + " " + completion.status());
    }

    private static void breakSomething(Party party, QueuePair qp, int i) {
        switch (party.below(4)) {
            case 0 -> qp.postSend(SendWorkRequest.write(i, party.peer.address(0), 0xbad00, party.side.sge(0, 8)));
            case 1 -> qp.modify(new QpAttributes().state(QpState.ERR));
            case 2 -> party.side.region.close();
            default -> qp.postRecv(ReceiveWorkRequest.of(i, party.side.sge(0, 8)));
        }
    }
}
