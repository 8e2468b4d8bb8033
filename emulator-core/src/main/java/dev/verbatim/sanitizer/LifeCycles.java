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
            requireUnused(device, object.toString(), request -> !request.isCompleted && window.equals(request.window));
        }
    }

    void deregistered(DeviceWatch device, Region region) {
        requireUnused(device, region.toString(), request -> request.names(region) || isBoundTo(request, region.lkey));
    }

    private static boolean isBoundTo(Request request, int lkey) {
        MemoryRegion bound = request.bind == null || request.isCompleted ? null : request.bind.region();
        return bound != null && bound.lkey() == lkey;
    }

    private void requireUnused(DeviceWatch device, String what, Predicate<Request> names) {
        if (device.isClosing) {
            return;
        }
        List<Request> users = new ArrayList<>();
        for (QpWatch queuePair : device.queuePairs()) {
            if (!queuePair.isFlushing()) {
                add(queuePair.sends, names, users);
                add(queuePair.receives, names, users);
                Collection<Request> waiting = device.waiting(queuePair.sharedQueue);
                if (users.stream().noneMatch(waiting::contains)) {
                    add(waiting, names, users);
                }
            }
        }
        if (users.isEmpty()) {
            return;
        }
        Site site = programs.site(programs.current());
        String named = users.stream().limit(MOST_NAMED).map(Request::posted).collect(Collectors.joining(", "));
        findings.report(Finding.at(
                Mistake.S8,
                what,
                List.of(users.get(0).site, site),
                what + " of " + device + " was closed or re-registered" + (site.isEmpty() ? "" : " at " + site)
                        + " while "
                        + users.size() + " outstanding requests name it: " + named
                        + (users.size() > MOST_NAMED ? ", ..." : "")));
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
        device.open.forEach((object, site) -> findings.report(Finding.at(
                Mistake.S15,
                object.toString(),
                List.of(site),
                object + " of " + device + (site.isEmpty() ? "" : ", made at " + site + ",") + " was not closed")));
        device.open.clear();
    }
}
