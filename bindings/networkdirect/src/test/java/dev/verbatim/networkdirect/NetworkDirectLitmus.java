// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.FootprintCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Programs that share objects of NetworkDirect, which remember what no verb tells of. */
public final class NetworkDirectLitmus {

    private static final Duration LONG = Duration.ofDays(1);

    private NetworkDirectLitmus() {}

    /** By name: what is wrong with the footprints of the program in the run of a seed; null if nothing is. */
    public static Map<String, LongFunction<@Nullable String>> checks() {
        Map<String, Function<Simulation, String>> programs = new LinkedHashMap<>();
        programs.put("results that wait", NetworkDirectLitmus::takeResults);
        programs.put("a Notify and results", NetworkDirectLitmus::awaitResults);
        programs.put("entries of a port", NetworkDirectLitmus::portEntries);
        programs.put("references", NetworkDirectLitmus::references);
        programs.put("a gather of inline data", NetworkDirectLitmus::gatherInline);
        Map<String, LongFunction<@Nullable String>> checks = new LinkedHashMap<>();
        programs.forEach(
                (name, program) -> checks.put(name, seed -> check(program).difference(seed, 0, 1)));
        return checks;
    }

    private static FootprintCheck check(Function<Simulation, String> program) {
        OpenChoices steps = OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.REQUEST, ChoicePoint.ARRIVAL);
        return new FootprintCheck(steps, schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                return program.apply(simulation);
            }
        });
    }

    /** Two results wait behind a Notify, and two programs take one each. */
    static String takeResults(Simulation simulation) {
        Pair pair = new Pair(simulation);
        List<Object> contexts = new ArrayList<>();
        for (String context : List.of("first", "second")) {
            pair.write(context, 0);
        }
        NdOverlapped both = new NdOverlapped();
        contexts.add(pair.left.cq.notify(NdNotifyType.ANY, both));
        contexts.add(pair.left.cq.getOverlappedResult(both, LONG));
        simulation.node("left", node -> contexts.add("left " + take(pair.left)));
        simulation.node("its twin", node -> contexts.add("twin " + take(pair.left)));
        return simulation.run() + " " + contexts;
    }

    private static List<Object> take(NdSide side) {
        NdResult[] one = NdResult.array(1);
        List<Object> taken = new ArrayList<>();
        if (side.cq.getResults(one) == 1) {
            taken.add(one[0].requestContext());
        }
        return taken;
    }

    /** One program waits for a result and takes it, another one does so without waiting, and a third cancels. */
    static String awaitResults(Simulation simulation) {
        Pair pair = new Pair(simulation);
        List<Object> seen = new ArrayList<>();
        NdOverlapped overlapped = new NdOverlapped();
        simulation.node("left", node -> {
            pair.write("write", 0);
            seen.add(pair.left.cq.notify(NdNotifyType.ANY, overlapped));
            seen.add(pair.left.cq.getOverlappedResult(overlapped, LONG));
            seen.add("left " + take(pair.left));
        });
        simulation.node("its twin", node -> seen.add("twin " + take(pair.left)));
        simulation.node("its other twin", node -> seen.add(pair.left.cq.cancelOverlappedRequests()));
        return simulation.run() + " " + seen;
    }

    /** Entries of a completion port, which a program posts and takes beside another one. */
    static String portEntries(Simulation simulation) {
        Pair pair = new Pair(simulation);
        NdCompletionPort port = new NdCompletionPort();
        port.associate(pair.left.file, 1);
        List<Long> keys = new ArrayList<>();
        port.post(1, new NdOverlapped());
        port.post(2, new NdOverlapped());
        simulation.node("left", node -> keys.add(keyOf(port.get(LONG))));
        simulation.node("its twin", node -> keys.add(-keyOf(port.get(LONG))));
        return simulation.run() + " " + keys;
    }

    private static long keyOf(NdCompletionPort.Entry entry) {
        return entry == null ? 0 : entry.key();
    }

    /** Who releases the last reference of an object ends it. */
    static String references(Simulation simulation) {
        Pair pair = new Pair(simulation);
        int before = pair.left.cq.addRef();
        AtomicInteger left = new AtomicInteger();
        AtomicInteger twin = new AtomicInteger();
        simulation.node("left", node -> left.set(pair.left.cq.addRef()));
        simulation.node("its twin", node -> twin.set(pair.left.cq.addRef()));
        return simulation.run() + " " + before + " " + left + " " + twin;
    }

    /** More elements than verbs take are read when an inline request is posted. */
    static String gatherInline(Simulation simulation) {
        Pair pair = new Pair(simulation);
        NdSge[] words = new NdSge[NdSide.Sizes.USUAL.sge() + 1];
        for (int i = 0; i < words.length; i++) {
            words[i] = pair.left.sge(Long.BYTES * i, Long.BYTES)[0];
        }
        simulation.node(
                "left",
                node -> pair.left.qp.write(
                        "write", words, pair.right.address(0), pair.right.mr.getRemoteToken(), NdOpFlags.INLINE));
        simulation.node("right", node -> node.store(pair.left.memory, 0, 1));
        return simulation.run() + " " + pair.right.bytes().getLong(0);
    }

    private static final class Pair {

        final NdSide left;
        final NdSide right;

        Pair(Simulation simulation) {
            left = new NdSide(simulation.open("left"));
            right = new NdSide(simulation.open("right"));
            NdSide.connect(left, right);
        }

        void write(Object context, int flags) {
            boolean unused = left.qp
                    .write(context, left.sge(0, Long.BYTES), right.address(0), right.mr.getRemoteToken(), flags)
                    .isSuccess();
        }
    }
}
