// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.inspect.CqInspector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** When a completion queue tells its channel about completions (NT-01 to NT-05). */
final class CqNotification {

    /** Events that may wait unread; a further one is merged with them, as N12 permits. */
    private static final int MOST_UNREAD_EVENTS = 1024;

    private enum Armed {
        NO,
        SOLICITED_ONLY,
        ANY
    }

    private final EmulatedCompletionQueue cq;
    private final DeviceContext device;
    private final @Nullable EmulatedCompletionChannel channel;
    private final EmulatedCompletionEvent event;
    private final @Nullable CqInspector inspector;
    private final int mostUnread;
    private final AtomicInteger unread = new AtomicInteger();
    private final AtomicInteger unacknowledged = new AtomicInteger();
    private volatile Armed armed = Armed.NO;

    /** Completions that raised no event since it was armed, for it was armed for solicited ones only. */
    private volatile int unsolicited;

    /** Holds events; null if none is held. On the lane. */
    private @Nullable CqModeration moderation;

    /** Whether a completion came since the queue was armed last; asked for only where one thread runs at a time. */
    private boolean news;

    CqNotification(
            EmulatedCompletionQueue cq,
            DeviceContext device,
            @Nullable EmulatedCompletionChannel channel,
            @Nullable CqInspector inspector) {
        this.inspector = inspector;
        this.cq = cq;
        this.device = device;
        this.channel = channel;
        this.event = new EmulatedCompletionEvent(cq, this);
        this.mostUnread = device.profile().completions().eventsCollapse() ? 1 : MOST_UNREAD_EVENTS;
    }

    @Nullable
    EmulatedCompletionChannel channel() {
        return channel;
    }

    /** A program asks for an event. */
    void request(boolean solicitedOnly) {
        device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        if (channel == null && device.profile().notifyNeedsChannel()) {
            throw VerbsException.of(Errno.EINVAL, Rule.CQ_05, "profile %s requires a channel", device.profile());
        }
        if (inspector != null) {
            inspector.armed(solicitedOnly, cq.unpolled());
        }
        if (arm(solicitedOnly)) {
            device.decidedOutside(Rule.NT_03);
        }
        if (mayFireAtOnce()) {
            device.lane().callWithin(this::fireAtOnce);
        }
    }

    /**
     * Asking twice is asking once, and asking for any completion outweighs asking for solicited ones (NT-03).
     *
     * @return whether it was asked for before
     */
    private synchronized boolean arm(boolean solicitedOnly) {
        boolean before = armed != Armed.NO;
        unsolicited = 0;
        if (!solicitedOnly) {
            armed = Armed.ANY;
        } else if (armed == Armed.NO) {
            armed = Armed.SOLICITED_ONLY;
        }
        return before;
    }

    /** Whether the next completion, or the next solicited one, makes an event. */
    boolean isArmed() {
        return armed != Armed.NO;
    }

    /** How many completions have raised no event since it was armed, for it is armed for solicited ones only. */
    int unsolicited() {
        return armed == Armed.SOLICITED_ONLY ? unsolicited : 0;
    }

    /** A completion was published; on the lane. */
    void completionAdded(boolean noteworthy) {
        if (channel == null) {
            if (armed != Armed.NO) {
                device.decided(0, Rule.CQ_05);
            }
            return;
        }
        news = true;
        // Either the program that armed sees the completion when it polls once more, or this sees that it armed.
        VarHandle.fullFence();
        if (armed != Armed.NO) {
            fire(channel, noteworthy);
        } else {
            device.decided(0, Rule.NT_04);
        }
    }

    private synchronized void fire(EmulatedCompletionChannel to, boolean noteworthy) {
        if (armed == Armed.SOLICITED_ONLY) {
            device.decided(0, Rule.NT_02);
            unsolicited += noteworthy ? 0 : 1;
        }
        if (armed == Armed.ANY || (armed == Armed.SOLICITED_ONLY && noteworthy)) {
            device.decided(0, Rule.NT_01);
            device.decided(0, Rule.CC_01);
            CqModeration holding = moderation;
            if (holding != null && !holding.isDue()) {
                device.decided(0, Rule.CQ_07);
                return;
            }
            if (unread.get() > 0) {
                device.decided(0, Rule.NT_05);
            }
            enqueue(to);
        }
    }

    /** Events wait for so many completions or so long from now on; one that waits does so no longer. On the lane. */
    void moderate(int count, int periodMicros) {
        CqModeration before = moderation;
        if (before != null && before.isHolding()) {
            before.end();
            fireHeld();
        }
        device.decided(0, Rule.CQ_07);
        moderation = CqModeration.holds(count, periodMicros)
                ? new CqModeration(device.lane(), this::fireHeld, count, periodMicros)
                : null;
    }

    /** The event that was held is raised. On the lane. */
    private synchronized void fireHeld() {
        if (channel != null && armed != Armed.NO) {
            device.decided(0, Rule.CQ_07);
            enqueue(channel);
        }
    }

    /** One more event, unless it is merged with one that waits (N12); what decides that may throw. */
    private void enqueue(EmulatedCompletionChannel to) {
        int waiting = unread.get();
        boolean isMerged = false;
        try {
            isMerged = waiting >= mostUnread || (waiting > 0 && device.choose(ChoicePoint.EVENT_MERGE, 2) == 1);
        } finally {
            if (!isMerged) {
                to.enqueue(event);
                unread.incrementAndGet();
            }
            armed = Armed.NO;
        }
    }

    /** Whether the queue that was armed just now may take a completion for the next one that came before (N12). */
    private boolean mayFireAtOnce() {
        return channel != null && news && device.isOpen(ChoicePoint.SPURIOUS_EVENT);
    }

    /** Lets the queue fire at once if it is chosen that way. On the lane. */
    private synchronized void fireAtOnce() {
        if (channel != null && armed == Armed.ANY && device.choose(ChoicePoint.SPURIOUS_EVENT, 2) == 1) {
            enqueue(channel);
        }
        news = false;
    }

    /** The program takes one of the events; false if it came too late, for the queue goes. */
    boolean eventTaken() {
        unread.decrementAndGet();
        boolean isInTime = cq.eventDebt().taken();
        if (isInTime) {
            unacknowledged.incrementAndGet();
        }
        return isInTime;
    }

    /** The program gives events back; those that it has, whichever they are (NT-06, NT-07). */
    void acknowledge(int count) {
        int owed = unacknowledged.get();
        while (count < 0 || count > owed || !unacknowledged.compareAndSet(owed, owed - count)) {
            if (count < 0 || count > owed) {
                device.decidedOutside(Rule.NT_07);
                throw new IllegalStateException("acknowledged=" + count + " events of " + cq + ", of which only " + owed
                        + " were taken and not acknowledged before [NT-07]");
            }
            owed = unacknowledged.get();
        }
        cq.eventDebt().givenBack(count);
    }

    void close() {
        CqModeration holding = moderation;
        if (holding != null) {
            holding.end();
        }
        if (channel != null) {
            channel.removeUser(cq);
        }
    }
}
