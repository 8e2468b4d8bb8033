// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.function.Consumer;

/** Where programs with mistakes run: the test's thread is the only program, in real time or in a simulation. */
enum World {
    IN_PROCESS,
    SIMULATED;

    /** Two devices, and two connected sides on them. */
    record Sides(Sanitizer sanitizer, RcPeer a, RcPeer b) {

        static Sides connect(Sanitizer sanitizer, Device left, Device right) {
            RcPair pair = RcPair.connect(left, right);
            return new Sides(sanitizer, pair.left(), pair.right());
        }

        /** Closes all that was opened here; receives are flushed first. */
        void close() {
            a.close();
            b.close();
        }
    }

    /** What is found in a program that leaves everything open. */
    List<Finding> findings(Consumer<Sides> program) {
        return findings(DeviceProfile.STRICT_IBTA, Sanitizer.withSites(), program);
    }

    List<Finding> findings(DeviceProfile profile, Sanitizer sanitizer, Consumer<Sides> program) {
        devices(profile, sanitizer, (left, right) -> program.accept(Sides.connect(sanitizer, left, right)));
        return sanitizer.findings();
    }

    interface OfDevices {
        void run(Device left, Device right);
    }

    /** Runs a program on two devices, which are closed with all they have at its end. */
    void devices(DeviceProfile profile, Sanitizer sanitizer, OfDevices program) {
        if (this == IN_PROCESS) {
            Verbatim verbatim = Verbatim.inProcess().profile(profile).sanitize(sanitizer);
            program.run(verbatim.open("a"), verbatim.open("b"));
            try {
                verbatim.close();
            } catch (SanitizerError e) {
                // The test looks at the findings.
            }
        } else {
            Schedule schedule = Schedule.by(Choices.canonical(), OpenChoices.NONE);
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                program.run(simulation.open("a", profile), simulation.open("b", profile));
            }
        }
    }

    /** Nothing is found in the program but that it leaves everything open. */
    void requireSilence(Consumer<Sides> program) {
        assertThat(butOpen(findings(program))).isEmpty();
    }

    /** The only finding, except what is left open: it must be this mistake, at these places. */
    static Finding only(Mistake mistake, List<String> places, List<Finding> findings) {
        assertThat(butOpen(findings)).singleElement().satisfies(finding -> {
            assertThat(finding.mistake()).isEqualTo(mistake);
            assertThat(finding.places())
                    .extracting(place -> place.replaceFirst(" \\(called at .*", ""))
                    .isEqualTo(places);
        });
        return butOpen(findings).get(0);
    }

    private static List<Finding> butOpen(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.mistake() != Mistake.S15)
                .toList();
    }

    /** Those of one mistake. */
    static List<Finding> of(Mistake mistake, List<Finding> findings) {
        return findings.stream().filter(finding -> finding.mistake() == mistake).toList();
    }

    /** The next completion, whose status is looked at. */
    static WcStatus await(CompletionQueue cq) {
        WorkCompletion completion = cq.awaitCompletion(Await.LIMIT);
        return completion.status();
    }

    /** The place of the line after the one that asks. */
    static String next() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1)
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + (frame.getLineNumber() + 1))
                        .orElseThrow());
    }
}
