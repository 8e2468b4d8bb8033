// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DroppedPackets;
import dev.verbatim.verbs.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;

/** The packets that devices dropped, while failures are told: the first of each kind soon, and at the end how many there were. */
final class ToldDrops {

    private record Kind(String device, int qp, boolean isOwn, Refusal first) {}

    /** How many of each were told. */
    private static final Map<Kind, Long> TOLD = new LinkedHashMap<>();

    private ToldDrops() {}

    /** Tells of those that are new. */
    static synchronized void look() {
        for (Adapter adapter : Adapters.all()) {
            Device device = adapter.opened();
            if (device != null) {
                for (DroppedPackets each : device.droppedPackets()) {
                    Kind kind = new Kind(device.name(), each.qpNumber(), each.isOwn(), each.reason());
                    if (TOLD.putIfAbsent(kind, 1L) == null) {
                        Causes.dropped(device.name(), each);
                    }
                }
            }
        }
    }

    /** Tells of all. */
    static synchronized void end() {
        look();
        for (Adapter adapter : Adapters.all()) {
            Device device = adapter.opened();
            if (device != null) {
                device.droppedPackets().stream()
                        .filter(each -> each.count() > 1)
                        .forEach(each -> Causes.droppedInAll(device.name(), each));
            }
        }
    }
}
