// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How programs use objects, calls and keys: S7 to S13, S15, S16, S18, S19, S22. */
final class ObjectUse implements Judge {

    /** Events that tell of a failure, which a program has to know; the others it may leave unread. */
    private static final Set<EventType> FAILURES = EnumSet.of(
            EventType.CQ_ERR,
            EventType.QP_FATAL,
            EventType.QP_REQ_ERR,
            EventType.QP_ACCESS_ERR,
            EventType.PATH_MIG_ERR,
            EventType.DEVICE_FATAL,
            EventType.SRQ_ERR,
            EventType.WQ_FATAL);

    private final Findings findings;
    private final Programs programs;
    private final Keys keys;
    private final LifeCycles lifeCycles;
    private final Counters counters;

    ObjectUse(Findings findings, Programs programs) {
        this.findings = findings;
        this.programs = programs;
        this.keys = new Keys(findings, programs);
        this.lifeCycles = new LifeCycles(findings, programs);
        this.counters = new Counters(findings, programs);
    }

    // Requests.

    @Override
    public void posted(Request request, ProgramClock program) {
        QpWatch queuePair = request.queuePair;
        DeviceWatch device = request.device;
        lifeCycles.goesOn(device);
        if (queuePair != null && programs.isProcess() && queuePair.isFlushing()) {
            postsToFailed(queuePair, request);
        }
        if (!request.isReceive() && queuePair != null) {
            request.cq = request.isSignaled ? queuePair.sendCq : null;
            requireOwnIdentifier(queuePair.sendIdentifiers, request, queuePair.sends);
        } else if (queuePair != null) {
            request.cq = queuePair.recvCq;
            requireOwnIdentifier(queuePair.receiveIdentifiers, request, queuePair.receives);
            receivePosted(queuePair, request);
        } else {
            request.cq = onlyCqOf(device, request.sharedQueue);
            Identifiers shared =
                    device.sharedIdentifiers.computeIfAbsent(request.sharedQueue, number -> new Identifiers());
            requireOwnIdentifier(shared, request, device.waiting(request.sharedQueue));
            device.sharers(request.sharedQueue).forEach(user -> receivePosted(user, request));
        }
        countIn(request);
    }

    private void postsToFailed(QpWatch queuePair, Request request) {
        PolledFailure failure = queuePair.unknownFailure();
        CqWatch cq = queuePair.failedAt;
        if (failure != null && cq != null) {
            failure.posts(request.posted(), request.site, cq.looks, findings);
        }
    }

    private void receivePosted(QpWatch queuePair, Request receive) {
        MissingReceives missing = queuePair.missing;
        if (missing != null) {
            missing.posted(receive, findings);
        }
    }

    private void requireOwnIdentifier(Identifiers identifiers, Request request, Collection<Request> queue) {
        if (programs.isProcess() && request.site.isEmpty()) {
            return;
        }
        Request same = identifiers.sameAs(request, queue);
        if (same != null) {
            findings.report(Finding.at(
                    Mistake.S16,
                    request.queue(),
                    List.of(same.site, request.site),
                    request.posted() + " has the wr_id of an outstanding request: " + same.posted()));
        }
    }

    /** Where all completions of receives of the shared queue go; null if there are several places. */
    private static @Nullable CqWatch onlyCqOf(DeviceWatch device, int srq) {
        CqWatch only = null;
        for (QpWatch queuePair : device.sharers(srq)) {
            if (only != null && only != queuePair.recvCq) {
                return null;
            }
            only = queuePair.recvCq;
        }
        return only;
    }

    private void countIn(Request request) {
        CqWatch cq = request.cq;
        if (cq == null) {
            return;
        }
        cq.outstanding++;
        if (cq.outstanding > cq.cq.entries() && !cq.isToldSmall) {
            cq.isToldSmall = true;
            findings.report(Finding.at(
                    Mistake.S12,
                    cq.toString(),
                    List.of(request.site),
                    request.posted() + " is the outstanding request number " + cq.outstanding
                            + " that will complete into the " + cq.cq.entries() + " entries of " + cq));
        }
    }

    /** A receive of a shared queue is the queue pair's own from now on. */
    @Override
    public void taken(Request receive, QpWatch queuePair) {
        if (receive.cq == null) {
            receive.cq = queuePair.recvCq;
            countIn(receive);
        }
    }

    @Override
    public void completed(Request request, WcStatus status) {
        CqWatch cq = request.cq;
        QpWatch queuePair = request.queuePair;
        if (cq == null && queuePair != null && request.opcode != WrOpcode.BIND_MW) {
            cq = queuePair.sendCq;
        }
        if (cq != null && status != WcStatus.SUCCESS && status != WcStatus.WR_FLUSH_ERR) {
            cq.outcomes.fails(request, status);
        }
    }

    @Override
    public void released(Request request) {
        CqWatch cq = request.cq;
        if (cq != null) {
            request.cq = null;
            cq.outstanding--;
        }
    }

    // Keys.

    @Override
    public void reached(QpWatch responder, Access.Kind kind, Range range, int key, @Nullable Request request) {
        keys.reached(responder, kind, range, key, request);
    }

    @Override
    public void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        if (kind.isWrite) {
            counters.overwritten(range);
        }
        if (request != null && request.isAtomic()) {
            returned(request, range);
        }
    }

    private void returned(Request request, Range range) {
        keys.returned(request, range);
    }

    @Override
    public void registered(DeviceWatch device, Region region) {
        keys.registered(device, region);
    }

    @Override
    public void deregistered(DeviceWatch device, Region region, long nowNanos) {
        lifeCycles.deregistered(device, region);
        keys.deregistered(device, region, nowNanos);
    }

    @Override
    public void freed(DeviceWatch device, Range range, String call, Predicate<Range> isMeant) {
        lifeCycles.freed(device, range, call, isMeant);
    }

    @Override
    public void stepped(Range word, long before, long after, @Nullable Request request) {
        counters.stepped(word, before, after, request);
    }

    @Override
    public void touchedRemotely(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {
        if (kind != Access.Kind.ATOMIC && kind.isWrite) {
            counters.overwritten(range);
        }
    }

    @Override
    public void windowKey(DeviceWatch device, int rkey, boolean valid, @Nullable QpWatch queuePair, long nowNanos) {
        keys.windowKey(device, rkey, valid, queuePair, nowNanos);
    }

    @Override
    public void rkeyAsked(DeviceWatch device, int lkey) {
        keys.asked(device, lkey);
    }

    @Override
    public void keyRefused(QpWatch responder, int rkey, @Nullable Request request, long nowNanos) {
        keys.refused(responder, rkey, request, nowNanos);
    }

    // Queue pairs.

    @Override
    public void receiverNotReady(QpWatch responder, @Nullable Request message, long nowNanos) {
        MissingReceives missing = responder.missing;
        if (missing == null) {
            missing = new MissingReceives(responder, message, nowNanos);
            responder.missing = missing;
        }
        missing.count(nowNanos);
    }

    @Override
    public String standing(QpWatch queuePair) {
        return SendsInWords.of(queuePair.sends);
    }

    @Override
    public void abandoned(QpWatch queuePair, ProgramClock program, CallSite site) {
        lifeCycles.abandoned(queuePair, program, site);
    }

    @Override
    public void polled(CqWatch cq) {
        lifeCycles.goesOn(cq.device);
    }

    @Override
    public void destroyed(QpWatch queuePair) {
        MissingReceives missing = queuePair.missing;
        if (missing != null) {
            missing.end(findings);
        }
    }

    // Objects.

    @Override
    public void made(DeviceWatch device, Object object) {
        lifeCycles.goesOn(device);
        lifeCycles.made(device, object);
    }

    @Override
    public void closed(DeviceWatch device, Object object) {
        lifeCycles.closed(device, object);
        CqWatch cq = device.watching(object);
        if (cq != null) {
            end(cq);
            device.forget(cq);
        }
    }

    @Override
    public void closedAll(DeviceWatch device) {
        end(device);
        keys.end(device);
    }

    /** What lasts by now. */
    @Override
    public void settle(DeviceWatch device) {
        for (QpWatch queuePair : device.queuePairs()) {
            if (queuePair.missing != null) {
                queuePair.missing.settle(findings);
            }
        }
    }

    @Override
    public void endsWell(DeviceWatch device) {
        for (QpWatch queuePair : device.queuePairs()) {
            PolledFailure failure = queuePair.unknownFailure();
            if (failure != null) {
                failure.endsWell(findings);
            }
        }
    }

    /** Nothing more happens there. */
    @Override
    public void end(DeviceWatch device) {
        device.queuePairs().forEach(this::destroyed);
        device.completionQueues().forEach(this::end);
        if (!device.unread.isEmpty()) {
            findings.report(Finding.at(
                    Mistake.S7,
                    device.toString(),
                    List.of(),
                    device.unread.size() + " asynchronous events of " + device + " were never read: " + device.unread));
            device.unread.clear();
        }
        if (!device.isGone) {
            lifeCycles.end(device);
        }
    }

    private void end(CqWatch cq) {
        cq.outcomes.end(cq, findings);
        cq.notification.end(cq.toString(), findings);
    }

    // Events.

    @Override
    public void armed(CqWatch cq, long waiting, ProgramClock program) {
        CallSite site = programs.site(program);
        if (cq.cq.channel() == null) {
            Notification.armedInVain(cq.toString(), site, findings);
        } else {
            cq.notification.armed(program, waiting, cq.outstanding, site);
        }
    }

    @Override
    public void waitsFor(DeviceWatch device, CompletionChannel channel, ProgramClock program, boolean isVain) {
        CallSite site = programs.site(program);
        for (CqWatch cq : device.completionQueues()) {
            if (channel.equals(cq.cq.channel())) {
                cq.notification.waits(cq.toString(), program, isVain, site, findings);
            }
        }
    }

    @Override
    public void eventTaken(DeviceWatch device, CompletionQueue cq) {
        CqWatch watch = device.watching(cq);
        programs.current().tidings++;
        if (watch != null) {
            watch.notification.listens();
        }
    }

    @Override
    public void raised(DeviceWatch device, EventType type) {
        if (FAILURES.contains(type)) {
            device.unread.add(type);
        }
    }

    @Override
    public void eventTaken(DeviceWatch device, AsyncEvent event) {
        device.unread.remove(event.type());
    }
}
