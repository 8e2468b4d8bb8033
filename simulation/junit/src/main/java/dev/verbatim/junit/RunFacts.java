// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What of a run is worth a sentence: its choices, what they were about, faults, RNR NAKs, and the last loads of programs. */
final class RunFacts {

    private static final int MOST_LOADS = 2;
    private static final int MOST_FAULTS = 3;
    private static final String BEFORE = ", before ";

    /** A choice of the next event: what waited, and what happened meanwhile; both empty for other choices. */
    record Choice(ChoicePoint point, String waiting, String first) {}

    private final List<Choice> choices = new ArrayList<>();
    private final List<TraceEvent.ProgramTouched> loads = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<Gid, String> devices = new TreeMap<>();
    private final Map<String, Gid> peers = new TreeMap<>();
    private final Map<String, Integer> receiverNotReady = new LinkedHashMap<>();
    private final Map<String, TraceEvent.Completed> failed = new HashMap<>();
    private final Set<String> queuePairs = new TreeSet<>();
    private TraceEvent.@Nullable Completed lastFailed;
    private TraceEvent.@Nullable Completed lastPolled;

    void on(TraceEvent event) {
        if (event instanceof TraceEvent.Connected connected) {
            queuePairs.add(at(connected.device(), connected.qp()));
            devices.put(connected.source(), connected.device());
            peers.put(at(connected.device(), connected.qp()), connected.destination());
        } else if (event instanceof TraceEvent.ProgramTouched touched && !touched.store()) {
            loads.add(touched);
            if (loads.size() > MOST_LOADS) {
                loads.remove(0);
            }
        } else if (event instanceof TraceEvent.PacketSent sent
                && sent.packetName().equals("RNR NAK")) {
            receiverNotReady.merge(at(sent.device(), sent.qp()) + " to " + name(sent.destination()), 1, Integer::sum);
        } else if (event instanceof TraceEvent.LinkFaulted faulted && faults.size() < MOST_FAULTS) {
            faults.add("the link from " + faulted.device() + " to " + name(faulted.destination()) + " "
                    + faulted.fault() + " the " + faulted.packetName());
        } else if (event instanceof TraceEvent.Completed completed) {
            completed(completed);
        } else if (event instanceof TraceEvent.Polled polled) {
            lastPolled = failed.get(request(polled.device(), polled.qp(), polled.workRequestId()));
        }
    }

    private void completed(TraceEvent.Completed completed) {
        String request = request(completed.device(), completed.qp(), completed.workRequestId());
        if (completed.status() == WcStatus.SUCCESS) {
            failed.remove(request);
        } else {
            failed.put(request, completed);
            lastFailed = completed;
        }
    }

    private static String request(String device, int qp, long id) {
        return at(device, qp) + " " + id;
    }

    void choice(ChoicePoint point, String what) {
        int before = what.indexOf(BEFORE);
        choices.add(
                before < 0
                        ? new Choice(point, "", "")
                        : new Choice(point, what.substring(before + BEFORE.length()), what.substring(0, before)));
    }

    private static String at(String device, int qp) {
        return device + " 0x" + Integer.toHexString(qp);
    }

    private String name(Gid gid) {
        return devices.getOrDefault(gid, gid.toString());
    }

    List<Choice> choices() {
        return choices;
    }

    /** The last loads of programs, the latest last. */
    List<TraceEvent.ProgramTouched> loads() {
        return loads;
    }

    /** What links did, in words. */
    List<String> faults() {
        return faults;
    }

    /** How many RNR NAKs were sent, by who sent them to whom. */
    Map<String, Integer> receiverNotReady() {
        return receiverNotReady;
    }

    /** The last request that failed; null if none did. */
    TraceEvent.@Nullable Completed lastFailed() {
        return lastFailed;
    }

    /** The failed completion that was polled last, if nothing was polled behind it; null for none. */
    TraceEvent.@Nullable Completed lastPolledFailure() {
        return lastPolled;
    }

    /** Whether each device has one queue pair at most, so that nothing is of several. */
    boolean hasOneConnection() {
        return queuePairs.size() <= 2;
    }

    /** The device that the queue pair of such an event, as {@code left 0x11 request}, is connected to; empty if that is not known. */
    String peerOf(String event) {
        for (Map.Entry<String, Gid> each : peers.entrySet()) {
            if (event.startsWith(each.getKey() + " ")) {
                return name(each.getValue());
            }
        }
        return "";
    }
}
