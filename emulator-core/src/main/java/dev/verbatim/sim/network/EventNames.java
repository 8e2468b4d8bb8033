// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.verbs.Gid;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Says what can happen as traces do: devices by their names, and numbers of queue pairs as they are printed there. */
public final class EventNames {

    /** As {@code left/17}: a queue pair in the key of an event. */
    private static final Pattern QUEUE_PAIR = Pattern.compile("/([0-9]+)");

    private final Map<Gid, String> devices = new TreeMap<>();

    public void add(Gid gid, String device) {
        devices.put(gid, device);
    }

    /** The name of the device with that GID, or the GID. */
    public String of(Gid gid) {
        return devices.getOrDefault(gid, gid.toString());
    }

    /** What the event with this identity is, for people. */
    public String textOf(Object identity) {
        if (identity instanceof InFlightPacket flight && flight.link != null) {
            return "packet " + flight.numberInFlow + " from " + of(flight.link.localGid()) + " to "
                    + of(flight.link.peer()) + " " + hex(flight.destQp);
        }
        String text = identity.toString();
        for (Map.Entry<Gid, String> device : devices.entrySet()) {
            text = text.replace(device.getKey().toString(), device.getValue());
            if (text.startsWith(device.getValue() + "/")) {
                text = QUEUE_PAIR.matcher(text).replaceFirst(match -> " " + hex(Integer.parseInt(match.group(1))));
            }
        }
        return text;
    }

    private static String hex(int number) {
        return "0x" + Integer.toHexString(number);
    }
}
