// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.Lane;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Tries;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every access that an event makes is reported where it is made, and every report is needed: of some small program the check of
 * footprints finds something wrong as soon as that one report is left out. Whoever adds a report adds the program that misses it,
 * to {@code FootprintPrograms}, {@code NetworkDirectLitmus} or {@link FootprintScenarios}.
 */
@LongTest
class EveryReportTest {

    private static final int MOST_SEEDS = 20;
    private static final int FEWEST = 60;

    /** Every so many reports are left out. */
    private static final int EVERY = Tries.of("reports.every", 1, 1, 1);

    /** What reports of accesses are called, wherever they stand. */
    private static final Set<String> NAMES = Set.of(
            "touched",
            "touch",
            "lookedAt",
            "stateLookedAt",
            "stateDecides",
            "anythingTouched",
            "heldLookedAt",
            "heldShown",
            "memoryLookedAt",
            "completionTouched",
            "touchedInTurn",
            "shared",
            "changes",
            "looksAt",
            "looksAtMemory",
            "looksAtProgramMemory",
            "everything",
            "timerMade",
            "lengthens",
            "arrived",
            "calledByProgram",
            "programWaitsForAnything",
            "programLookedAround");

    /** Who gets reports, and who passes them on. */
    private static final List<String> PACKAGES =
            List.of("dev/verbatim/sim/", "dev/verbatim/device/", "dev/verbatim/fabric/");

    /** What keeps footprints, and does not make them. */
    private static final List<String> NOT_OF_EVENTS =
            List.of("dev/verbatim/sim/Footprint.", "dev/verbatim/sim/DepthFirstExploration.");

    /** Reports that no small program misses, by their method, and why. */
    private static final Map<String, String> NOT_MISSED = Map.ofEntries(
            entry(
                    "device/memory/EmulatedMemoryWindow.giveBack ",
                    "a bind fails in a turn, which looks at keys, and a program that reads the key touches them"),
            entry(
                    "device/memory/PlacementBuffer.hold ",
                    "bytes are shown for want of room only when 64 pieces are held at once"),
            entry(
                    "device/ManagementQueuePair.fill ",
                    "datagrams have numbers that nobody looks at, and a limit that small programs do not reach"),
            entry(
                    "device/cq/EmulatedCompletionChannel.waiting ",
                    "events that wait are counted when a callback is set, which no program of a file does"),
            entry("device/event/AsyncEventQueue.waiting ", "the same of asynchronous events"),
            entry("device/event/AsyncEventQueue.hasEvent ", "no program of a file asks without taking"),
            entry(
                    "device/cq/EmulatedCompletionQueue.touchRoom ",
                    "the completion queues of small programs have room for all"),
            entry("device/cq/EmulatedCompletionQueue.overrun ", "the same"),
            entry(
                    "device/cq/EmulatedCompletionQueue.touchChannel ",
                    "only two completion queues of one channel depend on it; with one, who uses the channel touches all of it"),
            entry(
                    "sim/EnabledEvents.tellEndOrOrder ",
                    "no small program is code that fails, or takes a hundred steps in a row"),
            entry(
                    "sim/FootprintTap.holdsBack ",
                    "the state is the same in either order, only what is possible in between is not; SourceSetsTest misses it"));

    private final ReportLoader copy =
            new ReportLoader(EveryReportTest::isReport, Lane.class, NdAdapter.class, Scenario.class);
    private final Map<String, LongFunction<@Nullable String>> checks = new LinkedHashMap<>();
    /** Of each program, the reports that it made so far. */
    private final Map<String, BitSet> makes = new HashMap<>();
    /** Reports that no program has missed so far. */
    private final BitSet open = new BitSet();

    private static boolean isReport(ReportLoader.Call call) {
        String name = call.name();
        return PACKAGES.stream().anyMatch(call.owner()::startsWith)
                && NOT_OF_EVENTS.stream().noneMatch(call.place()::startsWith)
                && (NAMES.contains(name)
                        || (name.equals("add") && call.descriptor().contains("$Touch;")))
                && !call.returned().equals(Type.BOOLEAN_TYPE);
    }

    @Test
    void reportThatIsLeftOutIsMissed() throws ReflectiveOperationException {
        checks.putAll(checksOf("dev.verbatim.sim.FootprintPrograms"));
        checks.putAll(checksOf("dev.verbatim.networkdirect.NetworkDirectLitmus"));
        checks.putAll(checksOf(FootprintScenarios.class.getName()));
        List<String> reports = copy.reports();
        IntStream.range(0, reports.size()).filter(report -> report % EVERY == 0).forEach(open::set);
        NOT_MISSED.keySet().forEach(place -> {
            assertThat(reports).as("reports of %s", place).anyMatch(report -> report.startsWith(place));
            IntStream.range(0, reports.size())
                    .filter(report -> reports.get(report).startsWith(place))
                    .forEach(open::clear);
        });
        for (long seed = 0; seed == 0 || (seed < MOST_SEEDS && open.stream().anyMatch(copy::isUsed)); seed++) {
            for (String name : checks.keySet()) {
                leaveOut(name, seed);
            }
        }
        assertThat(reports.stream().filter(report -> copy.isUsed(reports.indexOf(report))))
                .hasSizeGreaterThan(FEWEST);
        assertThat(open.stream().filter(copy::isUsed).mapToObj(reports::get).toList())
                .as("reports that no program misses when they are left out")
                .isEmpty();
    }

    /** Leaves out, one by one, the reports that the program makes and none has missed so far. */
    private void leaveOut(String name, long seed) {
        BitSet known = makes.get(name);
        if (known != null && !known.intersects(open)) {
            return;
        }
        LongFunction<@Nullable String> check = Objects.requireNonNull(checks.get(name), name);
        BitSet made = madeBy(name, check, seed);
        makes.computeIfAbsent(name, key -> new BitSet()).or(made);
        made.and(open);
        made.stream().filter(report -> isMissed(report, check, seed)).forEach(open::clear);
    }

    private BitSet madeBy(String name, LongFunction<@Nullable String> check, long seed) {
        String[] difference = new String[1];
        BitSet made = Reports.during(() -> difference[0] = check.apply(seed));
        assertThat(difference[0]).as("%s, seed %d", name, seed).isNull();
        return made;
    }

    /** A run that goes wrong altogether misses something, too. */
    private static boolean isMissed(int report, LongFunction<@Nullable String> check, long seed) {
        boolean[] missed = new boolean[1];
        Reports.without(report, () -> {
            try {
                missed[0] = check.apply(seed) != null;
            } catch (IllegalStateException e) {
                missed[0] = true;
            }
        });
        return missed[0];
    }

    @SuppressWarnings("unchecked") // as the methods are declared
    private Map<String, LongFunction<@Nullable String>> checksOf(String className) throws ReflectiveOperationException {
        return (Map<String, LongFunction<@Nullable String>>)
                copy.loadClass(className).getMethod("checks").invoke(null);
    }
}
