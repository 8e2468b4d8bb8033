// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.visibility.MemoryInspector;
import dev.verbatim.visibility.MemorySystem;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Takes what devices and programs do to those who judge it: {@link Races}, {@link Ownership}, {@link ObjectUse}. */
final class Engine implements Inspector {

    private final Programs programs;
    private final Races races;
    private final Ownership ownership;
    private final Judges judges;

    Engine(Findings findings, Programs programs) {
        this.programs = programs;
        this.races = new Races(findings, programs);
        this.ownership = new Ownership(findings, programs);
        this.judges = new Judges(programs, races, ownership, new ObjectUse(findings, programs));
    }

    @Override
    public DeviceInspector opened(Device device) {
        synchronized (judges) {
            DeviceWatch watch = new DeviceWatch(judges, device);
            judges.add(watch);
            return watch;
        }
    }

    @Override
    public void turn(String program, Supplier<String> place) {
        synchronized (judges) {
            programs.turn(program, place);
        }
    }

    @Override
    public void crashes(Device device) {
        synchronized (judges) {
            for (DeviceWatch watch : judges.devices()) {
                watch.isGone |= watch.device.equals(device);
            }
        }
    }

    @Override
    public MemoryInspector memory(MemorySystem system) {
        synchronized (judges) {
            MemoryWatch watch = new MemoryWatch(judges, system);
            judges.add(watch);
            races.add(watch);
            return watch;
        }
    }

    @Override
    public void loaded(long address, int lengthBytes) {
        synchronized (judges) {
            races.loaded(programs.current(), new Range(address, lengthBytes));
        }
    }

    @Override
    public void loadedUntil(long address, int lengthBytes) {
        synchronized (judges) {
            races.loadedUntil(programs.current(), new Range(address, lengthBytes));
        }
    }

    @Override
    public void stores(long address, int lengthBytes) {
        synchronized (judges) {
            Range range = new Range(address, lengthBytes);
            ownership.judgedElsewhere(range);
            races.stored(programs.current(), range);
        }
    }

    @Override
    public void awaited() {
        synchronized (judges) {
            programs.awaited(programs.current());
        }
    }

    @Override
    public void released(Object object) {
        synchronized (judges) {
            programs.released(object);
        }
    }

    @Override
    public void acquired(Object object) {
        synchronized (judges) {
            programs.acquired(object);
        }
    }

    /** The program waits for an event. */
    void awaits(CompletionChannel channel) {
        boolean hasEvent = channel.hasEvent();
        synchronized (judges) {
            ProgramClock program = programs.current();
            judges.devices().forEach(device -> judges.habits.waitsFor(device, channel, program, !hasEvent));
        }
    }

    /** The program gave memory back, and so that of regions with such bytes. */
    void freed(Range range, String call, Predicate<Range> isMeant) {
        synchronized (judges) {
            ownership.given(range::overlaps);
            judges.devices().forEach(device -> judges.habits.freed(device, range, call, isMeant));
        }
    }

    /** The program ends, and says that nothing failed. */
    void endsWell() {
        synchronized (judges) {
            judges.devices().forEach(judges.habits::endsWell);
        }
    }

    /** Judges what waits to be judged. */
    void settle() {
        synchronized (judges) {
            races.end();
            judges.devices().forEach(judges.habits::settle);
        }
    }

    /** Nothing more happens. */
    void end() {
        synchronized (judges) {
            races.end();
            judges.devices().forEach(judges.habits::end);
        }
    }
}
