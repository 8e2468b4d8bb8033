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
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A device: what its keys lead to, and its queue pairs and shared receives. */
final class DeviceWatch implements DeviceInspector {

    private static final int MOST_KEYS = 1 << 16;

    final Device device;
    private final Judges judges;
    private final Map<Integer, Region> regions = new HashMap<>();

    /** Where regions were deregistered, by their local keys. */
    private final Map<Integer, CallSite> ended = new LinkedHashMap<>();

    private final Map<CompletionQueue, CqWatch> completionQueues = new LinkedHashMap<>();
    private final Map<Integer, ArrayDeque<Request>> shared = new HashMap<>();
    private final Map<Integer, Long> sharedPosted = new HashMap<>();
    private final Map<Integer, QpWatch> queuePairs = new HashMap<>();
    private final Map<Integer, List<QpWatch>> sharers = new HashMap<>();

    /** Keys that were or are valid, and what became of them. */
    private final Map<Integer, KeyLife> keys = new LinkedHashMap<>();

    /** The one that was asked for last, which is mostly asked for again. */
    private @Nullable KeyLife lastLife;

    private int lastKey;

    /** What programs made and did not close, and where they made it. */
    final Map<Object, CallSite> open = new LinkedHashMap<>();

    /** Queue pairs that were closed with requests that may be lost, if the device is used after that. */
    final List<Finding> abandoned = new ArrayList<>();

    /** Unread asynchronous events that tell of failures. */
    final List<EventType> unread = new ArrayList<>();

    /** Identifiers of receives of shared queues. */
    final Map<Integer, Identifiers> sharedIdentifiers = new HashMap<>();

    /** Whether it has ended as by a power failure: its programs could not close anything. */
    boolean isGone;

    /** Whether it is being closed with all that it has. */
    boolean isClosing;

    DeviceWatch(Judges judges, Device device) {
        this.judges = judges;
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

    /** What is known of the remote key; null for nothing. */
    @Nullable
    KeyLife keyLife(int rkey) {
        if (lastLife == null || lastKey != rkey) {
            lastLife = keys.get(rkey);
            lastKey = rkey;
        }
        return lastLife;
    }

    /** A remote key is of interest from now on; the oldest that is revoked may be forgotten for it. */
    KeyLife begin(int rkey, String what) {
        if (keys.size() >= MOST_KEYS) {
            Iterator<KeyLife> oldest = keys.values().iterator();
            if (!oldest.next().isValid) {
                oldest.remove();
            }
        }
        lastLife = null;
        KeyLife life = new KeyLife(what);
        KeyLife before = keys.put(rkey, life);
        if (before != null) {
            life.follows(before);
        }
        return life;
    }

    /** What the local key leads to; null for nothing. */
    @Nullable
    Region region(int lkey) {
        return regions.get(lkey);
    }

    /** How the local key ended, in some words; empty if it did not, or if the place is not known. */
    String endOf(int lkey) {
        CallSite site = ended.get(lkey);
        return site == null || site.isEmpty() ? "" : "deregistered or re-registered at " + site;
    }

    /** The region that has the bytes; null if there is none. */
    @Nullable
    Region regionAt(Range range) {
        for (Region region : regions.values()) {
            if (region.covers(range)) {
                return region;
            }
        }
        return null;
    }

    /** The queue pairs that take their receives from the shared queue. */
    List<QpWatch> sharers(int srq) {
        return sharers.getOrDefault(srq, List.of());
    }

    /** It was destroyed, and takes no receive any more. */
    void forget(QpWatch queuePair) {
        List<QpWatch> others = sharers.get(queuePair.sharedQueue);
        if (others != null) {
            others.remove(queuePair);
        }
    }

    /** Its completion queues that were not closed, in the order in which they were made. */
    List<CqWatch> completionQueues() {
        return new ArrayList<>(completionQueues.values());
    }

    /** The one that watches it; null for none. */
    @Nullable
    CqWatch watching(@Nullable Object cq) {
        return completionQueues.get(cq);
    }

    /** It was closed. */
    void forget(CqWatch cq) {
        completionQueues.remove(cq.cq);
    }

    /** Posted receives of the shared queue that no queue pair has taken. */
    Collection<Request> waiting(int srq) {
        ArrayDeque<Request> waiting = shared.get(srq);
        return waiting == null ? List.of() : waiting;
    }

    /** How many receives were posted to the shared queue so far. */
    long sharedPosted(int srq) {
        return sharedPosted.getOrDefault(srq, 0L);
    }

    /** Adds the bytes that an element names, if its key leads to them. */
    void addElement(Sge element, List<Range> elements, List<Region> places) {
        Region region = regions.get(element.lkey());
        Range range = region == null || element.lengthBytes() <= 0
                ? null
                : region.at(element.address(), element.lengthBytes());
        if (region != null && range != null && region.covers(range)) {
            elements.add(range);
            places.add(region);
        }
    }

    /** A receive that a program posts now. */
    Request receive(@Nullable QpWatch queuePair, ReceiveWorkRequest posting, long number) {
        ProgramClock program = judges.programs.current();
        List<Range> elements = new ArrayList<>(posting.elementCount());
        List<Region> places = new ArrayList<>(posting.elementCount());
        for (int i = 0; i < posting.elementCount(); i++) {
            addElement(posting.element(i), elements, places);
        }
        VectorClock known = program.clock.copy();
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
                places,
                judges.programs.site(program),
                program,
                known);
    }

    @Override
    public QpInspector queuePair(int number, QpInitAttributes attributes, int srq) {
        synchronized (judges) {
            QpWatch watch = new QpWatch(judges, this, number, attributes, srq);
            queuePairs.put(number, watch);
            if (srq != 0) {
                sharers.computeIfAbsent(srq, shared -> new ArrayList<>()).add(watch);
            }
            return watch;
        }
    }

    @Override
    public CqInspector completionQueue(CompletionQueue cq) {
        synchronized (judges) {
            CqWatch watch = new CqWatch(judges, this, cq);
            completionQueues.put(cq, watch);
            return watch;
        }
    }

    @Override
    public void registered(int lkey, int rkey, Memory memory, long offset, long lengthBytes, long address, int access) {
        synchronized (judges) {
            ended.remove(lkey);
            regions.put(
                    lkey, new Region(lkey, rkey, memory, offset, lengthBytes, address, access, siteOfRegistration()));
            judges.habits.registered(this, regions.get(lkey));
        }
    }

    /** In Java it would cost more than the registration. */
    private CallSite siteOfRegistration() {
        return judges.programs.isProcess() ? judges.programs.site(judges.programs.current()) : CallSite.UNKNOWN;
    }

    /** The regions with such bytes whose pages stay while they are registered: those without on-demand paging. */
    List<Region> pinned(Predicate<Range> isMeant) {
        return regions.values().stream()
                .filter(region -> !region.isOnDemand() && isMeant.test(region.bytes()))
                .toList();
    }

    @Override
    public void deregistered(int lkey, long nowNanos) {
        synchronized (judges) {
            Region region = regions.remove(lkey);
            if (region != null) {
                if (ended.size() == MOST_KEYS) {
                    ended.remove(ended.keySet().iterator().next());
                }
                ended.put(lkey, judges.programs.site(judges.programs.current()));
                judges.ownership.given(region.bytes()::overlaps);
                judges.habits.deregistered(this, region, nowNanos);
            }
        }
    }

    @Override
    public void windowKey(int rkey, boolean valid, int queuePair, long nowNanos) {
        synchronized (judges) {
            judges.habits.windowKey(this, rkey, valid, queuePairs.get(queuePair), nowNanos);
        }
    }

    @Override
    public void sharedReceivePosted(int srq, ReceiveWorkRequest posting) {
        synchronized (judges) {
            Request request = receive(null, posting, sharedPosted.merge(srq, 1L, Long::sum));
            request.sharedQueue = srq;
            shared.computeIfAbsent(srq, number -> new ArrayDeque<>()).addLast(request);
            judges.posted(request, judges.programs.current());
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
        synchronized (judges) {
            judges.habits.made(this, object);
        }
    }

    @Override
    public void closed(Object object) {
        synchronized (judges) {
            judges.habits.closed(this, object);
        }
    }

    @Override
    public void closedAll() {
        synchronized (judges) {
            isClosing = true;
            judges.habits.closedAll(this);
        }
    }

    @Override
    public void rkeyAsked(int lkey) {
        synchronized (judges) {
            judges.habits.rkeyAsked(this, lkey);
        }
    }

    @Override
    public void waitsFor(CompletionChannel channel, boolean hasEvent) {
        synchronized (judges) {
            judges.habits.waitsFor(this, channel, judges.programs.current(), !hasEvent);
        }
    }

    @Override
    public void eventTaken(CompletionChannel channel, CompletionQueue cq) {
        synchronized (judges) {
            judges.ownership.toldSomething();
            judges.habits.eventTaken(this, cq);
        }
    }

    @Override
    public void raised(EventType type) {
        synchronized (judges) {
            judges.habits.raised(this, type);
        }
    }

    @Override
    public void eventTaken(AsyncEvent event) {
        synchronized (judges) {
            judges.ownership.toldSomething();
            judges.habits.eventTaken(this, event);
            mayKnowOfFailures();
        }
    }

    private void mayKnowOfFailures() {
        queuePairs.values().forEach(QpWatch::mayKnowOfFailure);
    }

    @Override
    public void heardOfConnection() {
        synchronized (judges) {
            judges.ownership.toldSomething();
            judges.programs.awaited(judges.programs.current());
            mayKnowOfFailures();
        }
    }

    @Override
    public String toString() {
        return "device " + name();
    }
}
