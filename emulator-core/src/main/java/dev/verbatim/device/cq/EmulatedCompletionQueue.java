// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.Patience;
import dev.verbatim.device.event.Destruction;
import dev.verbatim.device.event.EventDebt;
import dev.verbatim.device.event.EventElement;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.inspect.CqInspector;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a ring that the lane fills and programs empty.
 *
 * <p>Only the lane adds, without a lock; {@link #added} is published with release and read with acquire, so data that
 * the device placed happens-before the completion that a program polls. Those who take completions out (pollers, and the
 * lane when it purges) hold the ring's monitor.
 */
public final class EmulatedCompletionQueue implements CompletionQueue, EventElement {

    /** In footprints each queue has so many places: one for each completion by number, and at the end those for both ends of the queue. */
    private static final long PLACES = 1L << 32;

    /** The place that is changed by who takes a completion. */
    private static final long HEAD = PLACES - 2;

    /** The place that is changed by what adds one. */
    private static final long TAIL = PLACES - 1;

    private final CompletionQueues owner;
    private final DeviceContext device;

    /** Its number in traces, which no other completion queue of the device has. */
    final int number;

    private final AtomicLong added = new AtomicLong();
    private final AtomicLong removed = new AtomicLong();
    private final CqNotification notification;
    private final @Nullable CqInspector inspector;
    private final Waiters waiters = new Waiters();
    private final @Nullable Object context;
    private final boolean poisoned;
    private final boolean stamped;
    private final boolean vendorErrors;
    private final boolean weighed;

    /** The queue pairs that complete here. On the lane. */
    private final Set<CqUser> users = new LinkedHashSet<>();

    /** What the shared receive queues of type XRC that complete here do when the queue breaks. On the lane. */
    private final Set<Consumer<Refusal>> sharedQueues = new LinkedHashSet<>();

    private final EventDebt eventDebt = new EventDebt();
    private volatile int entries;

    private final CqRing ring;
    private volatile @Nullable Refusal broken;

    /** There was an overrun, and nothing is added any more (CQ-03). On the lane. */
    private boolean idle;

    private volatile boolean open = true;

    EmulatedCompletionQueue(
            CompletionQueues owner,
            int number,
            int entries,
            @Nullable Object context,
            @Nullable EmulatedCompletionChannel channel,
            boolean stamped) {
        this.owner = owner;
        this.number = number;
        this.device = owner.device();
        this.entries = entries;
        this.ring = new CqRing(this, entries);
        this.context = context;
        this.stamped = stamped;
        this.poisoned = device.profile().completions().poisonErrorCqeFields();
        this.vendorErrors = device.profile().completions().vendorErrors();
        this.weighed = device.lane().weighsFootprints();
        this.inspector = device.inspector(this);
        this.notification = new CqNotification(this, device, channel, inspector);
    }

    @Override
    public Device device() {
        return device.handle();
    }

    /** Whether it is a completion queue of that device. */
    boolean isOf(DeviceContext candidate) {
        return device == candidate;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public @Nullable Object context() {
        return context;
    }

    @Override
    public @Nullable EmulatedCompletionChannel channel() {
        return notification.channel();
    }

    @Override
    public void resize(int wanted) {
        requireOpen();
        CompletionQueues.checkEntries(device.profile().limits(), Rule.CQ_02, wanted);
        int granted = CompletionQueues.granted(device.profile(), wanted);
        device.lane().call(() -> {
            requireOpen();
            become(granted);
        });
    }

    /** Whatever waits to be polled has its place in the resized ring, in order; no one adds or takes meanwhile. */
    private synchronized void become(int granted) {
        Refusal reason = broken;
        if (reason != null) {
            throw new VerbsException(
                    Errno.EIO, Refusal.of(Rule.CQ_03, "%s is broken", this).causedBy(reason));
        }
        long oldest = removed.getPlain();
        long end = added.getPlain();
        if (end - oldest > granted) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CQ_02,
                    "cqe=%d is less than the %d completions that wait in %s; poll them first",
                    granted,
                    end - oldest,
                    this);
        }
        ring.become(granted, oldest, end);
        entries = granted;
        ring.prepare(oldest, end);
        device.decided(0, Rule.CQ_02);
    }

    /**
     * Adds a completion; on the lane. If there is no room the queue is broken, with all that use it (CQ-03).
     *
     * @param noteworthy whether it wakes a program that asked for solicited completions only (NT-02)
     */
    void add(
            CqUser user,
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediateOrKey,
            int flags,
            int sourceQp,
            @Nullable Refusal refusal,
            long sendSlotsFreed,
            boolean noteworthy) {
        long index = added.getPlain();
        if (weighed) {
            touchAdded(index);
        }
        if (broken != null || idle) {
            return;
        }
        long oldest = removed.getAcquire();
        CqEntry entry = ring.next(index, index - oldest);
        if (entry == null) {
            overrun(id, user);
            return;
        }
        boolean traced = device.isTraced();
        if (traced && users.size() > 1) {
            device.decided(user.number(), Rule.CQ_04);
            device.decided(user.number(), Rule.ORD_22);
        }
        int vendorError = vendorErrors && status != WcStatus.SUCCESS ? status.number() : 0;
        entry.fill(
                user,
                id,
                status,
                opcode,
                byteLength,
                immediateOrKey,
                flags,
                sourceQp,
                vendorError,
                refusal,
                sendSlotsFreed);
        if (stamped) {
            entry.stamp(device.lane().nowNanos());
            device.decided(user.number(), Rule.CQ_06);
        }
        // Either whoever is about to park sees the completion, or this sees that somebody parks.
        added.set(index + 1);
        waiters.wake();
        if (traced) {
            device.decided(user.number(), Rule.N_02);
        }
        notification.completionAdded(noteworthy);
        if (ring.isUnprepared(index + 1 - oldest)) {
            ring.prepare(oldest, index + 1);
        }
    }

    /** So many more requests may complete here: they can be told of also when the heap is full. On the lane. */
    public void reserve(int requests) {
        ring.reserve(requests, removed.getAcquire(), added.getPlain());
    }

    /** So many fewer. On the lane. */
    public void release(int requests) {
        ring.release(requests);
    }

    private void overrun(long id, CqUser user) {
        device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        device.decided(user.number(), Rule.CQ_03);
        CompletionSwitches.CqOverrun outcome = device.profile().completions().cqOverrun();
        if (outcome == CompletionSwitches.CqOverrun.IDLES) {
            idle = true;
            return;
        }
        Refusal reason = Refusal.of(
                Rule.CQ_03,
                "completion of wr_id=%d on qp %d found all entries=%d taken; poll more often or make the queue larger",
                id,
                user.number(),
                entries);
        owner.events().raise(EventType.CQ_ERR, this, reason);
        if (outcome == CompletionSwitches.CqOverrun.BREAKS) {
            breakDown(user, reason);
        }
    }

    private void breakDown(CqUser user, Refusal reason) {
        die(reason);
        device.decided(user.number(), Rule.WC_47);
        for (CqUser each : List.copyOf(users)) {
            each.cqBroken(reason);
        }
        if (!users.contains(user)) {
            user.cqBroken(reason);
        }
        sharedQueues.forEach(srq -> srq.accept(reason));
    }

    /** The device dies: what has completed can be polled, and no more comes (AE-12). On the lane. */
    void die(Refusal reason) {
        broken = reason;
        waiters.wake();
    }

    @Override
    public int poll(WorkCompletion[] holders) {
        VerbsException.requireNonNull(holders, "holders");
        return device.giveWayAfter(pollOnce(holders));
    }

    private int pollOnce(WorkCompletion[] holders) {
        requireOpen();
        if (isEmpty()) {
            try {
                device.lane().progress();
            } catch (VerbsException e) {
                throw MissingCompletions.explain(e, device, List.of(this));
            }
        }
        return look(holders);
    }

    private int lookWhileOpen(WorkCompletion[] holders) {
        requireOpen();
        return look(holders);
    }

    /** Whether it is worth looking again: there is a completion, or never will be. */
    private boolean isSettled() {
        return removed.get() != added.get() || broken != null || !open;
    }

    /** Polls what is there, without making progress. */
    private int look(WorkCompletion[] holders) {
        if (inspector != null) {
            inspector.looks();
        }
        if (!isEmpty()) {
            return take(holders);
        }
        if (inspector != null) {
            inspector.foundNothing();
        }
        if (weighed) {
            touchTaken(removed.getAcquire(), 0, true);
        }
        Refusal reason = broken;
        if (reason != null && holders.length > 0) {
            throw new VerbsException(
                    Errno.EIO,
                    Refusal.of(Rule.WC_04, "%s is broken and has no more completions", this)
                            .causedBy(reason));
        }
        return 0;
    }

    /** The completion of that number is added: who polls finds it, and it needs the room of an older one. On the lane. */
    private void touchAdded(long index) {
        touch(TAIL, true);
        device.lane().completionTouched(device.name(), place(index), true);
        touchRoom(index);
        touchChannel();
    }

    private void touchRoom(long index) {
        if (index >= entries) {
            touch(index - entries, false);
        }
    }

    /** Events of several completion queues wait in one channel. */
    private void touchChannel() {
        if (notification.channel() != null) {
            device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        }
    }

    /** So many were taken from the oldest on, or none; {@code sawEnd} if it was seen that there are no more. */
    private void touchTaken(long oldest, int count, boolean sawEnd) {
        touch(HEAD, count > 0);
        for (int i = 0; i < count; i++) {
            device.lane().completionTouched(device.name(), place(oldest + i), false);
        }
        if (sawEnd) {
            touch(oldest + count, false);
        }
    }

    private long place(long index) {
        return number * PLACES + index;
    }

    private void touch(long place, boolean changes) {
        long at = place(place);
        device.lane().touched(device.name(), DevicePart.COMPLETIONS, at, at + 1, changes);
    }

    private boolean isEmpty() {
        return removed.getAcquire() == added.getAcquire();
    }

    private int take(WorkCompletion[] holders) {
        int count;
        long left;
        synchronized (this) {
            long oldest = removed.getPlain();
            long waiting = added.getAcquire() - oldest;
            count = (int) Math.min(holders.length, waiting);
            left = waiting - count;
            for (int i = 0; i < count; i++) {
                if (weighed) {
                    ring.at(oldest + i).tellRoom(device.lane(), device.name());
                }
                ring.at(oldest + i).moveTo(holders[i], poisoned, inspector);
            }
            removed.setRelease(oldest + count);
            if (weighed) {
                touchTaken(oldest, count, count < holders.length);
            }
        }
        if (count > 0) {
            device.polled(number, holders, count, left);
        }
        return count;
    }

    @Override
    public List<WorkCompletion> poll(int most) {
        List<WorkCompletion> completions = new ArrayList<>();
        WorkCompletion[] holder = {new WorkCompletion()};
        // Once there is one, those behind it are only taken: a broken queue gives its good completions first.
        int count = most < 1 ? 0 : pollOnce(holder);
        while (count == 1) {
            completions.add(holder[0]);
            holder[0] = new WorkCompletion();
            count = completions.size() < most ? take(holder) : 0;
        }
        device.giveWayAfter(completions.size());
        return completions;
    }

    @Override
    public WorkCompletion awaitCompletion(Duration patience) {
        requireOpen();
        WorkCompletion[] holder = {new WorkCompletion()};
        try {
            if (device.lane().awaitSoon(waiters, () -> lookWhileOpen(holder) == 1, Patience.nanos(patience))) {
                return holder[0];
            }
            throw device.lane().timedOut(Rule.WC_04, "completion", patience);
        } catch (VerbsException e) {
            throw MissingCompletions.explain(e, device, List.of(this));
        }
    }

    /** Drops the completions of a queue pair that was reset or destroyed, if they do not outlive it (QP-06, QP-24). On the lane. */
    synchronized void purge(CqUser user) {
        device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        boolean outlive = device.profile().completions().outliveQueuePair();
        long end = added.getPlain();
        long kept = removed.getPlain();
        for (long i = kept; i < end; i++) {
            CqEntry entry = ring.at(i);
            boolean isIts = entry.isOf(user);
            if (isIts && outlive) {
                entry.outlive();
            } else if (isIts && entry.isFailure()) {
                owner.dropFailure(entry.copy());
            }
            if (!isIts || outlive) {
                ring.move(i, kept++);
            }
        }
        added.setRelease(kept);
    }

    @Override
    public void requestNotify(boolean solicitedOnly) {
        device.lane().giveWay(); // Who arms because a poll found nothing does so later (NT-01).
        requireOpen();
        device.requireAlive();
        notification.request(solicitedOnly);
    }

    @Override
    public void moderate(int count, int periodMicros) {
        CqModeration.check(count, periodMicros);
        device.callTold(() -> {
            requireOpen();
            device.requireAlive();
            notification.moderate(count, periodMicros);
        });
    }

    @Override
    public void acknowledgeEvents(int count) {
        notification.acknowledge(count);
    }

    boolean isArmed() {
        return notification.isArmed();
    }

    /** As {@link CqNotification#unsolicited}. */
    int unsolicited() {
        return notification.unsolicited();
    }

    long unpolled() {
        return added.get() - removed.get();
    }

    @Override
    public @Nullable Refusal reasonOfWait() {
        boolean isUsed = device.onLane(() -> !users.isEmpty());
        return isUsed ? MissingCompletions.reason(device, List.of(this)) : null;
    }

    long progress() {
        return added.get() + removed.get();
    }

    /** A copy of what would be polled next; null if nothing would. On the lane. */
    synchronized @Nullable WorkCompletion oldestUnpolled() {
        long oldest = removed.getPlain();
        return oldest == added.getPlain() ? null : ring.at(oldest).copy();
    }

    Refusal reasonOfUnpolled(WorkCompletion oldest) {
        boolean isAsleep = notification.channel() != null && !isArmed();
        return Refusal.of(
                isAsleep ? Rule.NT_01 : Rule.WC_03,
                "%d completions wait to be polled in %s, the oldest wr_id=%s %s of qp %d%s",
                unpolled(),
                this,
                Long.toUnsignedString(oldest.id()),
                oldest.status(),
                oldest.qpNumber(),
                isAsleep
                        ? "; it is not armed, so that no event tells of more: call requestNotify, poll once more, and then wait"
                        : "; poll them");
    }

    /** The queue pairs that complete here. On the lane. */
    Set<CqUser> users() {
        return users;
    }

    public void addUser(CqUser user) {
        users.add(user);
    }

    public void removeUser(CqUser user) {
        users.remove(user);
    }

    /**
     * The receives of an XRC queue complete here.
     *
     * @param cqBroken called when this queue takes no more completions
     */
    public void addSharedQueue(Consumer<Refusal> cqBroken) {
        sharedQueues.add(cqBroken);
    }

    /** With the same object as before. */
    public void removeSharedQueue(Consumer<Refusal> cqBroken) {
        sharedQueues.remove(cqBroken);
    }

    @Override
    public EventDebt eventDebt() {
        return eventDebt;
    }

    boolean isOpen() {
        return open;
    }

    void requireOpen() {
        if (!open) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_03, "%s was destroyed before", this);
        }
    }

    /** Shows what failed and waits to be polled. On the lane. */
    synchronized void forEachFailure(Consumer<WorkCompletion> consumer) {
        long end = added.getPlain();
        for (long i = removed.getPlain(); i < end; i++) {
            CqEntry entry = ring.at(i);
            if (entry.isFailure()) {
                consumer.accept(entry.copy());
            }
        }
    }

    /** The queue is no longer polled. On the lane. */
    void abandon() {
        open = false;
        forEachFailure(owner::dropFailure);
        waiters.wake();
    }

    @Override
    public void close() {
        Destruction.of(device, this, Rule.NT_06, this::requireUnused, () -> {
            abandon();
            notification.close();
            owner.release(this);
            device.closed(this);
        });
    }

    private void requireUnused() {
        if (!open) {
            throw VerbsException.of(Errno.ENOENT, Rule.PD_03, "%s was destroyed before", this);
        }
        if (!users.isEmpty() || !sharedQueues.isEmpty()) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.PD_04,
                    "%s is used by %d queue pairs and %d shared receive queues; destroy them first",
                    this,
                    users.size(),
                    sharedQueues.size());
        }
        if (eventDebt.owed() > 0) {
            device.decided(0, Rule.CC_02);
        }
    }

    @Override
    public String toString() {
        return "cq of " + device.name() + " with " + entries + " entries";
    }

    /** The threads that wait for completions. Waking costs one read if there are none. */
    private final class Waiters extends WaitPoint {

        @Override
        protected boolean ready() {
            return isSettled();
        }

        @Override
        protected Supplier<String> waitedFor() {
            return () -> MissingCompletions.reason(device, List.of(EmulatedCompletionQueue.this))
                    .toString();
        }

        /** Lets those who wait look again. From any thread, after what they are to see. */
        void wake() {
            if (hasParked()) {
                signal();
            }
        }
    }
}
