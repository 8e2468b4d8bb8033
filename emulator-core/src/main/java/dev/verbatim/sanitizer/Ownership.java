// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who owns bytes between post and completion. Two outstanding requests for the same bytes, of which one writes them, are S3. Bytes that
 * are not what they were at the post when the device gathers them, has completed the request (S1), or is about to write to them (S2) were
 * touched by a program; what devices change, and stores that simulations tell of, are judged by {@link Races}.
 *
 * <p>In a process that is not Java the bytes are compared once more when the program has the completion: a queue pair that is connected
 * within the process is often done within the post, where an adapter is not. They are left alone from when the program may have been told
 * in a way that is not seen.
 */
final class Ownership implements Judge {

    private static final String UNTIL_POLLED = "between its post and the poll of its completion";

    private final Findings findings;
    private final Programs programs;
    private final Snapshots snapshots = new Snapshots();

    /** What devices write to, and what they read. */
    private final OwnedRanges written = new OwnedRanges();

    private final OwnedRanges read = new OwnedRanges();

    /** Those that devices are done with, and programs need not know of. */
    private final Set<Request> unknown = new LinkedHashSet<>();

    /** Counts what may have told programs that something is over. */
    private long tidings;

    Ownership(Findings findings, Programs programs) {
        this.programs = programs;
        this.findings = findings;
    }

    @Override
    public void posted(Request request, ProgramClock program) {
        // The bytes may be looked at when the program goes on: often the device is done by then.
        boolean mayWait = programs.areThreads();
        int count = request.elements.size();
        if (request.isInline || count == 0) {
            return;
        }
        boolean writes = request.isReceive() || request.isAnswered();
        OwnedElement[] owned = new OwnedElement[count];
        for (int i = 0; i < count; i++) {
            Region region = request.regions.get(i);
            Range range = request.elements.get(i);
            if (!written.isEmpty()) {
                written.overlapping(range.address(), range.end(), other -> meet(other, request, range));
            }
            if (writes && !read.isEmpty()) {
                read.overlapping(range.address(), range.end(), other -> meet(other, request, range));
            }
            OwnedElement one = new OwnedElement(request, region, range, writes);
            if (!written.isEmpty()) {
                // What a device has still to write there, or has written and not yet shown, is no change of the
                // program's.
                written.overlapping(range.address(), range.end(), other -> one.excuse(other.from, other.to));
            }
            owned[i] = one;
        }
        for (OwnedElement one : owned) {
            (writes ? written : read).add(one);
        }
        request.owned = owned;
        request.tidings = tidings;
        QpWatch queuePair = request.queuePair;
        if (mayWait && queuePair != null && !request.isReceive()) {
            queuePair.fresh.addLast(request);
        } else {
            look(owned);
        }
    }

    @Override
    public void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        if (kind.isWrite) {
            writes(range, request);
        } else if (request != null) {
            gathers(range, request);
        }
    }

    @Override
    public void touchedRemotely(
            Access.Kind kind,
            Range range,
            @Nullable Request request,
            @Nullable Request receive,
            Access.@Nullable Reach reach) {
        if (kind.isWrite) {
            writes(range, receive);
            // A program may wait for a word, and for any bytes of somebody of whom nothing is known.
            if (receive == null && (range.lengthBytes() <= Long.BYTES || request == null)) {
                toldSomething();
                if (request != null && request.isAnswered()) {
                    request.tidings = tidings; // that it was executed does not say that its result has come
                }
            }
        }
    }

    /** Programs that posted to the queue pair go on. */
    @Override
    public void postEnds(QpWatch queuePair) {
        for (Request request = queuePair.fresh.pollFirst(); request != null; request = queuePair.fresh.pollFirst()) {
            OwnedElement[] owned = request.owned;
            boolean isUnknown = request.isCompleted && isUnknown(request);
            if (owned != null && (isUnknown || !request.isCompleted)) {
                look(owned);
            }
            if (isUnknown) {
                unknown.add(request);
            }
        }
    }

    /** Whether its program cannot know that it is over. */
    private boolean isUnknown(Request request) {
        QpWatch queuePair = request.queuePair;
        return programs.isProcess()
                && queuePair != null
                && request.hasSucceeded
                && request.tidings == tidings
                && !request.site.isEmpty();
    }

    /** Whether it matters when its program has the completion: no peer in another process may have told of it before. */
    private boolean isComparedLater(Request request) {
        return programs.isProcess() && request.hasPeerHere();
    }

    /** The program may know from now on that requests are over whose completions it does not have. */
    @Override
    public void toldSomething() {
        tidings++;
        unknown.forEach(this::requireUntouched);
        unknown.clear();
    }

    private void requireUntouched(Request request) {
        OwnedElement[] owned = request.owned;
        if (owned != null) {
            for (OwnedElement one : owned) {
                require(one, one.from, one.to, one.isWritten ? Mistake.S2 : Mistake.S1, UNTIL_POLLED);
                forget(one);
            }
        }
    }

    /** Memory is given back, or its region ends: that is judged elsewhere. */
    @Override
    public void given(Predicate<Range> isMeant) {
        for (Request request : unknown) {
            OwnedElement[] owned = request.owned;
            if (owned != null && Arrays.stream(owned).anyMatch(one -> isMeant.test(one.range()))) {
                requireUntouched(request);
            }
        }
    }

    private void look(OwnedElement[] owned) {
        for (OwnedElement one : owned) {
            one.before = snapshots.take(
                    one.region.bytesAt(one.from, one.lengthBytes()), one.region.indexOf(one.from), one.lengthBytes());
        }
    }

    /** Two requests for the same bytes. Of two receives {@link #placed} judges: one that takes an immediate alone touches none. */
    private void meet(OwnedElement other, Request second, Range range) {
        Request first = other.request;
        if (!(first.isReceive() && second.isReceive()) && !isBehind(first, second)) {
            collide(first, second, range.common(other.range()), other.isWritten);
        }
    }

    /** A message is placed into bytes of a receive, which another one may have, too. */
    private void placed(Request receive, Range range) {
        written.overlapping(range.address(), range.end(), other -> {
            Request same = other.request;
            if (same.isReceive() && !same.equals(receive)) {
                boolean isOlder = same.isCompleted;
                collide(isOlder ? same : receive, isOlder ? receive : same, range.common(other.range()), true);
            }
        });
    }

    private void collide(Request first, Request second, Range common, boolean isWritten) {
        if (findings.isSilenced(Mistake.S3) || findings.isScratch(common)) {
            return;
        }
        findings.report(Finding.at(
                Mistake.S3,
                common.toString(),
                List.of(first.site, second.site),
                second.posted() + " names " + common + ", which " + first.posted() + (isWritten ? " writes" : " reads")
                        + " and whose completion was not polled"));
    }

    /**
     * Whether what the second does to the bytes comes after what the first does. Behind a READ or an atomic it does if it is fenced
     * (ORD-19, ORD-20), or a READ, of which table F.1 keeps the order, results included (ORD-02). Behind a WRITE or SEND a READ or an atomic
     * does: what is returned acknowledges all before it (ACK-02), which are not sent again.
     */
    private static boolean isBehind(Request first, Request second) {
        QpWatch queuePair = second.queuePair;
        if (queuePair == null || queuePair != first.queuePair || first.isReceive() || second.isReceive()) {
            return false;
        }
        return first.isAnswered()
                ? second.lastFence > first.number || second.opcode == WrOpcode.RDMA_READ
                : second.isAnswered();
    }

    /** The device gathers bytes of its elements. */
    private void gathers(Range range, Request request) {
        OwnedElement[] owned = request.owned;
        if (owned == null || isComparedLater(request)) {
            return;
        }
        for (OwnedElement one : owned) {
            if (one.overlaps(range.address(), range.end())) {
                require(one, range.address(), range.end(), Mistake.S1, "between its post and its gathering");
            }
        }
    }

    /** The device is about to write to bytes, for a request or receive to whose elements they belong, or null for a peer. */
    private void writes(Range range, @Nullable Request request) {
        OwnedElement[] owned = request == null ? null : request.owned;
        if (owned != null) {
            for (OwnedElement one : owned) {
                if (one.overlaps(range.address(), range.end())) {
                    require(one, range.address(), range.end(), Mistake.S2, "between its post and the first placement");
                }
            }
        }
        if (request != null && request.isReceive()) {
            placed(request, range);
        }
        judgedElsewhere(range);
    }

    /** These bytes change in a way that is seen. */
    void judgedElsewhere(Range range) {
        if (!written.isEmpty()) {
            written.overlapping(range.address(), range.end(), one -> one.excuse(range.address(), range.end()));
        }
        if (!read.isEmpty()) {
            read.overlapping(range.address(), range.end(), one -> one.excuse(range.address(), range.end()));
        }
    }

    /** The device is done with its elements. */
    @Override
    public void completed(Request request, WcStatus status) {
        boolean succeeded = status == WcStatus.SUCCESS;
        request.hasSucceeded = succeeded;
        if (request.isReceive()) {
            request.tidings = tidings; // what was told before cannot tell of its message
        }
        OwnedElement[] owned = request.owned;
        if (owned == null) {
            return;
        }
        boolean isKept = isUnknown(request) && isComparedLater(request);
        for (OwnedElement one : owned) {
            if (isKept) {
                one.renew();
                continue;
            }
            if (succeeded && !one.isWritten) {
                require(one, one.from, one.to, Mistake.S1, "between its post and its completion");
            }
            forget(one);
        }
        if (isKept) {
            unknown.add(request);
        }
    }

    private void require(OwnedElement one, long from, long to, Mistake mistake, String when) {
        long changed = one.firstChanged(from, to);
        if (changed < 0) {
            return;
        }
        Range run = one.changedRun(changed, Math.min(to, one.to));
        forget(one);
        if (findings.isScratch(run)) {
            return;
        }
        Request request = one.request;
        Range element = new Range(one.from, one.lengthBytes());
        CallSite last = programs.isProcess() ? programs.current().last : CallSite.UNKNOWN;
        findings.report(Finding.at(
                mistake,
                element.toString(),
                last.isEmpty() ? List.of(request.site) : List.of(request.site, last),
                "bytes " + run + " of element " + element + " of " + request.posted() + " changed " + when
                        + ", and neither a device nor a store that the sanitizer saw did it"
                        + (last.isEmpty() ? "" : "; the program had come to " + last)));
    }

    private void forget(OwnedElement one) {
        byte[] before = one.before;
        if (before != null) {
            one.before = null;
            snapshots.giveBack(before, one.lengthBytes());
        }
    }

    /** Its elements are the program's again. */
    @Override
    public void released(Request request) {
        OwnedElement[] owned = request.owned;
        if (unknown.remove(request)) {
            requireUntouched(request);
        }
        if (request.isReceive() || request.isAnswered()) {
            toldSomething();
        }
        if (owned == null) {
            return;
        }
        request.owned = null;
        for (OwnedElement one : owned) {
            forget(one);
            (one.isWritten ? written : read).remove(one);
        }
    }
}
