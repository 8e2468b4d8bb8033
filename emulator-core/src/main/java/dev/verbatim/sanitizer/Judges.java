// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All judges, with the devices and programs that they judge; they do not know each other. What several of them judge is told here, the
 * rest to the one whom it concerns. Its monitor guards them all.
 */
final class Judges {

    final Programs programs;
    final Judge races;
    final Judge ownership;
    final Judge habits;
    private final List<DeviceWatch> devices = new ArrayList<>();
    private final List<WatchedMemory> memories = new ArrayList<>();

    Judges(Programs programs, Judge races, Judge ownership, Judge habits) {
        this.programs = programs;
        this.races = races;
        this.ownership = ownership;
        this.habits = habits;
    }

    /** A node has memory whose observers may see different things. */
    void add(WatchedMemory memory) {
        memories.add(memory);
    }

    /** That of all nodes that have such. */
    List<WatchedMemory> memories() {
        return memories;
    }

    /** A device is watched. */
    void add(DeviceWatch device) {
        devices.add(device);
    }

    /** All devices that were opened. */
    List<DeviceWatch> devices() {
        return devices;
    }

    /** The watched queue pair of that number at that GID; null if there is none. */
    @Nullable
    QpWatch queuePair(Gid gid, int number) {
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (devices.get(i).device.gids().contains(gid)) {
                return devices.get(i).queuePair(number);
            }
        }
        return null;
    }

    /** A request is in a queue, and its elements are the device's from now on. */
    void posted(Request request, ProgramClock program) {
        races.posted(request, program);
        ownership.posted(request, program);
        habits.posted(request, program);
    }

    /** The device touches elements of a request of its own program; null for one that is not known. */
    void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        races.touchedLocally(kind, range, request);
        ownership.touchedLocally(kind, range, request);
        habits.touchedLocally(kind, range, request);
    }

    /**
     * The device touches memory for a peer.
     *
     * @param request of the peer; null for one that is not known
     * @param receive whose elements the bytes are; null for none
     */
    void touchedRemotely(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {
        races.touchedRemotely(kind, range, request, receive, reach);
        ownership.touchedRemotely(kind, range, request, receive, reach);
        habits.touchedRemotely(kind, range, request, receive, reach);
    }

    /** A request has completed. */
    void completed(Request request, WcStatus status) {
        ownership.completed(request, status);
        habits.completed(request, status);
    }

    /** A program has the completion of a request, or of a later one: its elements are the program's again. */
    void released(Request request) {
        ownership.released(request);
        habits.released(request);
    }
}
