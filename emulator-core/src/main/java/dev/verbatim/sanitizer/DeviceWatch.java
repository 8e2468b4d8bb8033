// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.CqInspector;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A device: what its keys lead to, and its queue pairs and shared receives. */
final class DeviceWatch implements DeviceInspector {

    final Device device;
    private final Engine engine;
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Map<Integer, ArrayDeque<Request>> shared = new HashMap<>();
    private final Map<Integer, QpWatch> queuePairs = new HashMap<>();
    private long sharedPosted;

    DeviceWatch(Engine engine, Device device) {
        this.engine = engine;
        this.device = device;
    }

    String name() {
        return device.name();
    }

    /** The queue pair of that number; null if there is none. */
    @Nullable
    QpWatch queuePair(int number) {
        return queuePairs.get(number);
    }

    /** All of them, by number. */
    List<QpWatch> queuePairs() {
        List<QpWatch> all = new ArrayList<>(queuePairs.values());
        all.sort((one, other) -> Integer.compare(one.number, other.number));
        return all;
    }

    /** What the local key leads to; null for nothing. */
    @Nullable
    Region region(int lkey) {
        return regions.get(lkey);
    }

    /** Adds the bytes that an element names, if its key leads to any. */
    void addElement(Sge element, List<Range> elements, List<Integer> lkeys) {
        Region region = regions.get(element.lkey());
        if (region != null && element.lengthBytes() > 0) {
            elements.add(region.at(element.address(), element.lengthBytes()));
            lkeys.add(element.lkey());
        }
    }

    /** A receive that a program posts now. */
    Request receive(@Nullable QpWatch queuePair, ReceiveWorkRequest posting, long number) {
        ProgramClock program = engine.programs.current();
        List<Range> elements = new ArrayList<>(posting.elementCount());
        List<Integer> lkeys = new ArrayList<>(posting.elementCount());
        for (int i = 0; i < posting.elementCount(); i++) {
            addElement(posting.element(i), elements, lkeys);
        }
        Clock known = program.clock.copy();
        program.tick();
        program.deeds++;
        return new Request(
                this,
                queuePair,
                number,
                posting.id(),
                null,
                true,
                false,
                false,
                elements,
                lkeys,
                engine.programs.site(program),
                program.name,
                known);
    }

    @Override
    public QpInspector queuePair(int number, QpInitAttributes attributes) {
        synchronized (engine) {
            QpWatch watch = new QpWatch(engine, this, number, attributes);
            queuePairs.put(number, watch);
            return watch;
        }
    }

    @Override
    public CqInspector completionQueue(CompletionQueue cq) {
        return new CqWatch(engine, this, cq);
    }

    @Override
    public void registered(int lkey, int rkey, Memory memory, int offset, int lengthBytes, long address) {
        synchronized (engine) {
            regions.put(lkey, new Region(lkey, rkey, memory, offset, lengthBytes, address));
            engine.habits.registered(this, regions.get(lkey));
        }
    }

    @Override
    public void deregistered(int lkey) {
        synchronized (engine) {
            Region region = regions.remove(lkey);
            if (region != null) {
                engine.habits.deregistered(this, region);
            }
        }
    }

    @Override
    public void sharedReceivePosted(int srq, ReceiveWorkRequest posting) {
        synchronized (engine) {
            Request request = receive(null, posting, ++sharedPosted);
            shared.computeIfAbsent(srq, number -> new ArrayDeque<>()).addLast(request);
            engine.posted(request, engine.programs.current());
        }
    }

    /** The oldest receive of the shared queue, which leaves it; null if none is known. */
    @Nullable
    Request takeShared(int srq) {
        ArrayDeque<Request> waiting = shared.get(srq);
        return waiting == null ? null : waiting.pollFirst();
    }

    @Override
    public void made(Object object) {
        synchronized (engine) {
            engine.habits.made(this, object);
        }
    }

    @Override
    public void closed(Object object) {
        synchronized (engine) {
            engine.habits.closed(this, object);
        }
    }

    @Override
    public void closedAll() {
        synchronized (engine) {
            engine.habits.closedAll(this);
        }
    }

    @Override
    public void rkeyAsked(int lkey) {
        synchronized (engine) {
            engine.habits.rkeyAsked(this, lkey);
        }
    }

    @Override
    public void waitsFor(CompletionChannel channel) {
        synchronized (engine) {
            engine.habits.waitsFor(channel, engine.programs.current());
        }
    }

    @Override
    public void eventTaken(CompletionChannel channel, CompletionQueue cq) {
        synchronized (engine) {
            engine.habits.eventTaken(channel, cq);
        }
    }

    @Override
    public void raised(EventType type) {
        synchronized (engine) {
            engine.habits.raised(this, type);
        }
    }

    @Override
    public void eventTaken(AsyncEvent event) {
        synchronized (engine) {
            engine.habits.eventTaken(this, event);
        }
    }

    @Override
    public void heardOfConnection() {
        synchronized (engine) {
            engine.programs.awaited(engine.programs.current());
        }
    }

    @Override
    public String toString() {
        return "device " + name();
    }
}
