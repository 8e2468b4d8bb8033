// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is closed too early (S8), or not at all (S15). */
final class LifeCycles {

    private static final int MOST_NAMED = 4;

    private final Findings findings;
    private final Programs programs;

    LifeCycles(Findings findings, Programs programs) {
        this.findings = findings;
        this.programs = programs;
    }

    void made(DeviceWatch device, Object object) {
        device.open.put(object, programs.site(programs.current()));
    }

    void closed(DeviceWatch device, Object object) {
        device.open.remove(object);
        if (object instanceof MemoryWindow window) {
            requireUnused(device, object.toString(), request -> window.equals(request.window));
        }
    }

    void deregistered(DeviceWatch device, Region region) {
        requireUnused(device, region.toString(), request -> request.names(region) || isBoundTo(request, region.lkey));
    }

    private static boolean isBoundTo(Request request, int lkey) {
        MemoryRegion bound = request.bind == null ? null : request.bind.region();
        return bound != null && bound.lkey() == lkey;
    }

    /** A program gives memory back, perhaps of a region, with which peers and requests reach it still. */
    void freed(DeviceWatch device, Range range, String call, Predicate<Range> isMeant) {
        CallSite site = programs.site(programs.current());
        for (Region region : device.pinned(isMeant)) {
            findings.report(Finding.at(
                    Mistake.S22,
                    region.toString(),
                    List.of(region.site, site),
                    call + (site.isEmpty() ? "" : " at " + site) + " gave " + range + " back, with memory of "
                            + region.registered() + " of " + device + ", which was not deregistered"));
        }
    }

    private void requireUnused(DeviceWatch device, String what, Predicate<Request> names) {
        if (device.isClosing) {
            return;
        }
        VectorClock known = programs.current().clock;
        Predicate<Request> isSought = request -> names.test(request) && !request.isKnownToBeDone(known);
        List<Request> users = new ArrayList<>();
        for (QpWatch queuePair : device.queuePairs()) {
            if (!queuePair.isKnownToFlush()) {
                add(queuePair.sends, isSought, users);
                add(queuePair.receives, isSought, users);
                Collection<Request> waiting = device.waiting(queuePair.sharedQueue);
                if (users.stream().noneMatch(waiting::contains)) {
                    add(waiting, isSought, users);
                }
            }
        }
        if (users.isEmpty()) {
            return;
        }
        CallSite site = programs.site(programs.current());
        findings.report(Finding.at(
                Mistake.S8,
                what,
                List.of(users.get(0).site, site),
                what + " of " + device + " was closed or re-registered" + (site.isEmpty() ? "" : " at " + site)
                        + " while "
                        + users.size() + " requests name it whose completions were not polled: " + named(users)));
    }

    private static String named(List<Request> requests) {
        return requests.stream().limit(MOST_NAMED).map(Request::posted).collect(Collectors.joining(", "))
                + (requests.size() > MOST_NAMED ? ", ..." : "");
    }

    /**
     * A program closes a queue pair that is not being flushed. What it sent may never be executed, unless the program knows that it was;
     * receives are given back. It is told when something else is done with the device, for a program may close all that it has at its end.
     */
    void abandoned(QpWatch queuePair, ProgramClock program, CallSite site) {
        List<Request> lost = queuePair.sends.stream()
                .filter(request -> !request.isKnownToBeOver(program.clock))
                .toList();
        if (!lost.isEmpty()) {
            queuePair.device.abandoned.add(Finding.at(
                    Mistake.S21,
                    queuePair.toString(),
                    List.of(lost.get(0).site, site),
                    queuePair + " was closed" + (site.isEmpty() ? "" : " at " + site) + " with " + lost.size()
                            + " send requests of which nothing tells that they are over: " + named(lost)));
        }
    }

    /** A program goes on with the device. */
    void goesOn(DeviceWatch device) {
        if (!device.abandoned.isEmpty()) {
            device.abandoned.forEach(findings::report);
            device.abandoned.clear();
        }
    }

    private static void add(Collection<Request> queue, Predicate<Request> names, List<Request> users) {
        for (Request request : queue) {
            if (names.test(request)) {
                users.add(request);
            }
        }
    }

    /** The device is closed, or nothing more happens. */
    void end(DeviceWatch device) {
        device.open.values().removeIf(site -> programs.isProcess() && site.isEmpty());
        device.open.forEach((object, site) -> findings.report(Finding.at(
                Mistake.S15,
                object.toString(),
                List.of(site),
                object + " of " + device + (site.isEmpty() ? "" : ", made at " + site + ",") + " was not closed")));
        device.open.clear();
    }
}
