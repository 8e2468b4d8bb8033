// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes what devices and programs do to those who judge it: {@link Races}, {@link Ownership}, {@link Habits}. Its monitor guards them all. */
final class Engine implements Inspector {

    final Programs programs;
    final Habits habits;
    private final Races races;
    private final Ownership ownership;
    private final List<DeviceWatch> devices = new ArrayList<>();

    Engine(Sanitizer sanitizer) {
        this.programs = new Programs(sanitizer.hasSites());
        this.races = new Races(sanitizer, programs);
        this.ownership = new Ownership(sanitizer);
        this.habits = new Habits(sanitizer, programs);
    }

    @Override
    public synchronized DeviceInspector opened(Device device) {
        DeviceWatch watch = new DeviceWatch(this, device);
        devices.add(watch);
        return watch;
    }

    /** The watched queue pair of that number at that GID; null if there is none. */
    @Nullable
    QpWatch queuePair(Gid gid, int number) {
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (devices.get(i).device.gid().equals(gid)) {
                return devices.get(i).queuePair(number);
            }
        }
        return null;
    }

    @Override
    public synchronized void turn(String program, Supplier<String> place) {
        programs.turn(program, place);
    }

    @Override
    public synchronized void loaded(long address, int lengthBytes) {
        races.loaded(programs.current(), new Range(address, lengthBytes));
    }

    @Override
    public synchronized void loadedUntil(long address, int lengthBytes) {
        races.loadedUntil(programs.current(), new Range(address, lengthBytes));
    }

    @Override
    public synchronized void stores(long address, int lengthBytes) {
        Range range = new Range(address, lengthBytes);
        ownership.judgedElsewhere(range);
        races.stored(programs.current(), range);
    }

    @Override
    public synchronized void awaited() {
        programs.awaited(programs.current());
    }

    /** Judges what waits to be judged. */
    synchronized void settle() {
        races.end();
        devices.forEach(habits::settle);
    }

    /** Nothing more happens. */
    synchronized void end() {
        races.end();
        devices.forEach(habits::end);
    }

    @Override
    public synchronized void released(Object object) {
        programs.released(object);
    }

    @Override
    public synchronized void acquired(Object object) {
        programs.acquired(object);
    }

    /** A request is in a queue. */
    void posted(Request request, ProgramClock program) {
        races.moved(program);
        if (request.isInline) {
            // Its elements are read now, by the program that posts it (ORD-14).
            request.elements.forEach(range -> races.loaded(program, range));
            races.moved(program);
        }
        ownership.posted(request);
        habits.posted(request);
    }

    /** The device touches elements of a request of its own program. */
    void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        if (kind.isWrite) {
            ownership.writes(range, request);
        } else if (request != null) {
            ownership.gathers(range, request);
        }
        if (request != null) {
            races.touched(kind, range, request, null);
            if (request.isAtomic()) {
                habits.returned(request, range);
            }
        }
    }

    /** The device touches memory for a peer, perhaps in the elements of a receive. */
    void touchedRemotely(Access.Kind kind, Range range, @Nullable Request request, @Nullable Request receive) {
        if (kind.isWrite) {
            ownership.writes(range, receive);
        }
        if (request != null || receive != null) {
            races.touched(kind, range, request, receive);
        }
    }

    /** A request has completed. */
    void completed(Request request, WcStatus status) {
        ownership.completed(request, status == WcStatus.SUCCESS);
        habits.completed(request, status);
    }

    /** A program has the completion of a request, or of a later one: the request is over. */
    void released(Request request) {
        ownership.released(request);
        habits.released(request);
    }
}
