// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Lane;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;

/**
 * What the sanitizer knows of memory domains it needs: each step that adds to what is known, and each question, changes what is found in
 * some program of {@code SanitizedPrograms} as soon as it is left out, or answered with the opposite.
 */
@LongTest
class EverySanitizerStepTest {

    private static final int FEWEST = 100;

    /** Every so many steps are left out. */
    private static final int EVERY = Tries.of("sanitizer.steps.every", 1, 1, 1);

    private static final String OF_SANITIZER = "dev/verbatim/sanitizer/";

    /** What keeps what is known of memory domains. */
    private static final List<String> CLASSES =
            List.of("MemoryWatch", "WatchedMemory", "SettledBytes", "FlushLog", "Durability", "Unseen");

    /** What asks and tells it besides. */
    private static final List<String> METHODS = List.of(
            "QpWatch.flushed",
            "QpWatch.seenBefore",
            "Races.executed",
            "Races.isOfGpu",
            "Races.isOrdered",
            "Races.isRelaxed",
            "Races.learn",
            "Races.powerFails");

    private static final List<String> PACKAGES = List.of(OF_SANITIZER, "dev/verbatim/visibility/");

    /** Steps that no program misses, and why. */
    private static final Map<String, String> NOT_MISSED = Map.of(
            "sanitizer/MemoryWatch.launched: tick",
            "what a step of a file launches is told by a signal, which begins a moment, too; Node.launch tells none");

    private final ReportLoader copy = new ReportLoader(EverySanitizerStepTest::isStep, Lane.class);

    /** A step or question of those classes and methods, or one that is asked of or told to those classes. */
    private static boolean isStep(ReportLoader.Call call) {
        boolean isOfDomains = CLASSES.stream()
                        .map(OF_SANITIZER::concat)
                        .anyMatch(type -> call.owner().equals(type)
                                || call.place().startsWith(type + ".")
                                || call.place().startsWith(type + "$"))
                || METHODS.stream().map(OF_SANITIZER::concat).anyMatch(call.place()::equals);
        boolean isOurs = PACKAGES.stream().anyMatch(call.owner()::startsWith);
        boolean tells =
                call.returned().equals(Type.VOID_TYPE) || call.returned().equals(Type.BOOLEAN_TYPE);
        return isOfDomains && isOurs && tells;
    }

    @Test
    void stepThatIsLeftOutChangesWhatIsFound() throws ReflectiveOperationException {
        Map<String, Supplier<String>> programs = programs();
        List<String> steps = copy.reports();
        Map<String, String> found = new LinkedHashMap<>();
        Map<String, BitSet> made = new LinkedHashMap<>();
        programs.forEach((name, program) -> {
            String[] result = new String[1];
            made.put(name, Reports.during(() -> result[0] = program.get()));
            found.put(name, result[0]);
        });
        List<String> survivors = new ArrayList<>();
        for (int step = 0; step < steps.size(); step++) {
            boolean isExplained = NOT_MISSED.containsKey(withoutLine(steps.get(step)));
            if (step % EVERY == 0 && !isExplained && !isMissed(step, programs, found, made)) {
                survivors.add(steps.get(step));
            }
        }
        assertThat(steps).hasSizeGreaterThan(FEWEST);
        assertThat(survivors).as("steps that no program misses").isEmpty();
        assertThat(steps).extracting(EverySanitizerStepTest::withoutLine).containsAll(NOT_MISSED.keySet());
    }

    private static String withoutLine(String step) {
        return step.replaceFirst(" line [0-9]+", "");
    }

    private static boolean isMissed(
            int step, Map<String, Supplier<String>> programs, Map<String, String> found, Map<String, BitSet> made) {
        for (Map.Entry<String, Supplier<String>> program : programs.entrySet()) {
            String name = program.getKey();
            if (made.getOrDefault(name, new BitSet()).get(step)) {
                String[] result = new String[1];
                Reports.without(step, () -> result[0] = withoutFailing(program.getValue()));
                if (!result[0].equals(found.get(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A run that goes wrong altogether misses something, too. */
    private static String withoutFailing(Supplier<String> program) {
        try {
            return program.get();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    @SuppressWarnings("unchecked") // as the method is declared
    private Map<String, Supplier<String>> programs() throws ReflectiveOperationException {
        return (Map<String, Supplier<String>>) copy.loadClass("dev.verbatim.conformance.visibility.SanitizedPrograms")
                .getMethod("programs")
                .invoke(null);
    }
}
