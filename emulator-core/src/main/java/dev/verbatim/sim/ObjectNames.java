// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What objects are called in footprints. Each name is made once; a simulation that has footprints has few devices and queue pairs. */
final class ObjectNames {

    static final String REQUEST = " request";

    /** The objects of one queue pair, and what was counted of it. */
    static final class OfQueuePair {

        final String queue;
        final String request;
        final String response;
        final String posts;
        final String state;
        private final String device;
        private final int number;
        private final String placedAndHeld;
        private final String returnedAndHeld;

        /** Which part of its requester the present event changed, as far as that is known; see {@link FootprintTap}. */
        int changedPart = FootprintTap.NO_PART;

        private OfQueuePair(String device, int number) {
            this.device = device;
            this.number = number;
            this.queue = device + "/" + number;
            this.request = queue + REQUEST;
            this.response = queue + " response";
            this.posts = queue + " posts";
            this.state = queue + " state";
            this.placedAndHeld = queue + " placed and held";
            this.returnedAndHeld = queue + " returned and held";
        }

        /** Bytes that are held back, by piece: each is shown once. */
        String held(boolean returned) {
            return returned ? returnedAndHeld : placedAndHeld;
        }
    }

    /** The parts of one device; each is named when it is asked for. */
    private static final class OfDevice {

        final String device;
        final @Nullable String[] parts = new String[PARTS];

        OfDevice(String device) {
            this.device = device;
        }

        String name(DevicePart part) {
            String known = parts[part.ordinal()];
            if (known == null) {
                known = part.of(device);
                parts[part.ordinal()] = known;
            }
            return known;
        }
    }

    /** The way of packets to one queue pair. */
    private record Way(Gid source, Gid destination, int qp, String name) {}

    private static final int PARTS = DevicePart.values().length;

    private final List<OfQueuePair> queuePairs = new ArrayList<>();
    private final List<OfDevice> devices = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();

    OfQueuePair of(String device, int qp) {
        for (int i = 0; i < queuePairs.size(); i++) {
            OfQueuePair known = queuePairs.get(i);
            if (known.number == qp && known.device.equals(device)) {
                return known;
            }
        }
        OfQueuePair fresh = new OfQueuePair(device, qp);
        queuePairs.add(fresh);
        return fresh;
    }

    String of(DevicePart part, String device) {
        for (int i = 0; i < devices.size(); i++) {
            OfDevice known = devices.get(i);
            if (known.device.equals(device)) {
                return known.name(part);
            }
        }
        OfDevice fresh = new OfDevice(device);
        devices.add(fresh);
        return fresh.name(part);
    }

    /** The way of packets from a port to a queue pair behind another port. */
    String way(Gid source, Gid destination, int qp) {
        for (int i = 0; i < ways.size(); i++) {
            Way known = ways.get(i);
            if (known.qp == qp && known.destination.equals(destination) && known.source.equals(source)) {
                return known.name;
            }
        }
        Way fresh = new Way(source, destination, qp, "way " + source + " > " + destination + " " + qp);
        ways.add(fresh);
        return fresh.name;
    }

    /** All queue pairs that were named. */
    List<OfQueuePair> queuePairs() {
        return queuePairs;
    }
}
