// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.SmallPlan.Deed;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.sim.SmallPlan.Step;
import dev.verbatim.testing.FootprintCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Small programs, each of which depends on an order that a footprint has to tell of. */
public final class FootprintPrograms {

    private static final OpenChoices STEPS =
            OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.REQUEST, ChoicePoint.ARRIVAL);
    private static final OpenChoices PARTS =
            STEPS.with(ChoicePoint.READ_FETCH).with(ChoicePoint.GATHER_SPLIT).with(ChoicePoint.FETCH_SPLIT);
    private static final OpenChoices PLACED = OpenChoices.of(ChoicePoint.PLACEMENT);

    private final Map<String, LongFunction<@Nullable String>> checks = new LinkedHashMap<>();

    private FootprintPrograms() {}

    /** By name: what is wrong with the footprints of the program in the run of a seed; null if nothing is. */
    public static Map<String, LongFunction<@Nullable String>> checks() {
        FootprintPrograms programs = new FootprintPrograms();
        programs.twins();
        programs.ofOnePair();
        programs.ofOtherQueues();
        programs.ofPlacedBytes();
        programs.ofVerbs();
        programs.ofConnections();
        return programs.checks;
    }

    private void twins() {
        twins("completions and a reset", false, Deed.WRITE, Deed.LOOK, Deed.RESET, Deed.LOOK);
        twins("two binds and keys", false, Deed.BIND_1, Deed.KEY, Deed.BIND_1, Deed.KEY);
        twins("two posts", true, Deed.SEND, Deed.SEND, Deed.EVENT);
        twins("a post and a reset", false, Deed.WRITE, Deed.RESET, Deed.EVENT);
    }

    private void ofOnePair() {
        plan("completions", STEPS, List.of(Deed.WRITE, Deed.LOOK, Deed.LOOK), List.of(Deed.LOAD));
        plan("a source", STEPS, List.of(Deed.WRITE, Deed.STORE), List.of(Deed.LOAD));
        plan("an error", STEPS, List.of(Deed.WRITE), List.of(Deed.FAIL, Deed.STATE));
        plan("a refusal", STEPS, List.of(), List.of(Deed.BIND_2, Deed.DEREGISTER));
        plan("a window", STEPS, List.of(Deed.USE_2, Deed.LOAD), List.of(Deed.BIND_2));
        plan("a channel", STEPS, List.of(Deed.WRITE, Deed.ARM, Deed.NOTICE, Deed.NOTICE), List.of());
        OpenChoices events = STEPS.with(ChoicePoint.ASYNC_EVENT);
        plan("late events", events, List.of(Deed.WRONG_KEY), List.of(Deed.EVENT, Deed.EVENT, Deed.EVENT));
        OpenChoices late = STEPS.with(ChoicePoint.COMPLETION);
        plan("late completions and a reset", late, List.of(Deed.WRITE, Deed.RESET), List.of(Deed.LOAD));
        OpenChoices flushed = late.with(ChoicePoint.EXECUTED_FLUSHED);
        plan("flushed completions", flushed, List.of(Deed.WRITE, Deed.WRITE, Deed.FAIL), List.of());
        Step wideWrite = wide(Deed.WRITE);
        Step wideRead = wide(Deed.READ);
        add("parts and an error", PARTS, 1, List.of(step(Deed.WRONG_KEY), wideWrite), List.of());
        add("parts of a source and its end", PARTS, 1, List.of(wideWrite, step(Deed.DEREGISTER)), List.of());
        add("parts of a fetch and its end", PARTS, 1, List.of(wideRead), steps(List.of(Deed.DEREGISTER)));
    }

    private void ofOtherQueues() {
        datagrams("wrong queue keys", 1, List.of(step(Deed.WRONG_KEY)), steps(List.of(Deed.PORT, Deed.PORT)));
        datagrams("two ways", 2, List.of(step(Deed.SEND), second(Deed.SEND)), steps(List.of(Deed.RECEIVE)));
        datagrams("two directions", 1, steps(List.of(Deed.SEND)), steps(List.of(Deed.WRONG_KEY)));
        for (OpenChoices openChoices : List.of(STEPS, OpenChoices.LEGAL)) {
            add(
                    "shared receives" + points(openChoices),
                    plan(1, true, false, false, openChoices, steps(List.of(Deed.SEND)), steps(List.of(Deed.RECEIVE))));
        }
        OpenChoices cuts = new OpenChoices(STEPS.with(ChoicePoint.LINK_CUT).points(), 1);
        add("cut links", cuts, 2, List.of(step(Deed.WRITE), second(Deed.WRITE)), steps(List.of(Deed.WRITE)));
    }

    private void ofPlacedBytes() {
        for (OpenChoices openChoices : List.of(PLACED, OpenChoices.LEGAL)) {
            String points = points(openChoices);
            List<Step> loads = steps(List.of(Deed.LOAD, Deed.LOAD));
            add("flushed bytes" + points, openChoices, 2, List.of(step(Deed.WRITE), second(Deed.FLUSH)), loads);
            add(
                    "two words and a flush" + points,
                    openChoices,
                    1,
                    List.of(wide(Deed.SEND), step(Deed.FLUSH)),
                    steps(List.of(Deed.RECEIVE, Deed.LOAD)));
            Step inline = new Step(Deed.WRITE, 0, 0, 1, true, false, false);
            add("inline data" + points, openChoices, 1, steps(List.of(Deed.WRITE)), List.of(inline, step(Deed.LOAD)));
            plan(
                    "an invalidation" + points,
                    openChoices,
                    List.of(Deed.SEND_INVALIDATE, Deed.USE_2),
                    List.of(Deed.RECEIVE, Deed.BIND_2));
            plan("placed bytes" + points, openChoices, List.of(Deed.WRITE, Deed.WRITE), List.of(Deed.LOAD, Deed.LOAD));
        }
    }

    private void ofVerbs() {
        pair("looks at a channel", OpenChoices.LEGAL, EventLitmus::lookAtAChannel);
        pair("ends of regions", PARTS, SplitLitmus::endsOfRegions);
        pair("waits for a word", STEPS, AccessLitmus::waitForAWord);
        pair("waits for a variable", STEPS, AccessLitmus::waitForAVariable);
        pair("waits for an event", STEPS, AccessLitmus::waitForAnEvent);
        pair("connects late", STEPS, AccessLitmus::connectLate);
        pair("a prepared bind", STEPS, AccessLitmus::preparedBind);
        pair("broken shared receives", STEPS, AccessLitmus::brokenSharedReceives);
        pair("a cut by a program", STEPS, AccessLitmus::cutByAProgram);
        pair("two polls", STEPS, AccessLitmus::pollTwice);
        add("effects in order", OpenChoices.LEGAL.without(ChoicePoint.ARRIVAL), seed -> new SimulatedWindows(seed, 8));
    }

    private void ofConnections() {
        many("two requests for connections", STEPS, ConnectionLitmus::twoRequests);
        many("a late listener", STEPS, ConnectionLitmus::listenLate);
        many("two ends of a queue pair", STEPS, ConnectionLitmus::failTwice);
        many("an identifier that is closed", STEPS, ConnectionLitmus::closeWhenAcknowledged);
        many("a callback for connections", STEPS, ConnectionLitmus::lookAtAVariable);
        many("a callback for moved events", STEPS, ConnectionLitmus::lookAtAVariableOfAMovedEvent);
        pair("a callback for completions", STEPS, ConnectionLitmus::lookAtAVariableOfACompletion);
        many("two answers", OpenChoices.LEGAL.without(ChoicePoint.REQUEST), ConnectionLitmus::repeatTwoAnswers);
    }

    private static String points(OpenChoices openChoices) {
        return openChoices.equals(OpenChoices.LEGAL) ? ", all points" : "";
    }

    private void twins(String name, boolean posted, Deed... deeds) {
        List<List<Step>> programs = List.of(List.of(), steps(List.of(deeds)));
        add(name, new SmallPlan(0, 1, false, false, posted, true, programs, STEPS, Set.of(Feature.TWINS)));
    }

    private void datagrams(String name, int pairs, List<Step> a, List<Step> b) {
        add(name, plan(pairs, false, true, true, STEPS, a, b));
    }

    private void plan(String name, OpenChoices openChoices, List<Deed> a, List<Deed> b) {
        add(name, openChoices, 1, steps(a), steps(b));
    }

    private void add(String name, OpenChoices openChoices, int pairs, List<Step> a, List<Step> b) {
        add(name, plan(pairs, false, false, false, openChoices, a, b));
    }

    private static SmallPlan plan(
            int pairs,
            boolean shared,
            boolean datagrams,
            boolean posted,
            OpenChoices openChoices,
            List<Step> a,
            List<Step> b) {
        return new SmallPlan(
                0, pairs, shared, datagrams, posted, false, List.of(a, b), openChoices, Set.of(Feature.PLAIN));
    }

    private static List<Step> steps(List<Deed> deeds) {
        return deeds.stream().map(FootprintPrograms::step).toList();
    }

    private static Step step(Deed deed) {
        return new Step(deed, 0, 0, 0, false, false, false);
    }

    private static Step second(Deed deed) {
        return new Step(deed, 1, 0, 0, false, false, false);
    }

    private static Step wide(Deed deed) {
        return new Step(deed, 0, 0, 0, false, false, true);
    }

    private void add(String name, SmallPlan plan) {
        add(name, plan.openChoices(), seed -> new SmallProgram(plan));
    }

    private void pair(String name, OpenChoices openChoices, Function<LitmusPair, String> program) {
        many(name, openChoices, simulation -> program.apply(new LitmusPair(simulation)));
    }

    private void many(String name, OpenChoices openChoices, Function<Simulation, String> program) {
        add(name, openChoices, seed -> schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                return program.apply(simulation);
            }
        });
    }

    private void add(String name, OpenChoices openChoices, LongFunction<Exploration.Program> program) {
        checks.put(name, seed -> new FootprintCheck(openChoices, program.apply(seed)).difference(seed, 0, 1));
    }
}
