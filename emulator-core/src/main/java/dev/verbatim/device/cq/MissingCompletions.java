// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a wait for completions ended without one: what is outstanding on the queue pairs that complete there. */
final class MissingCompletions {

    /** So many queue pairs are described at most. */
    private static final int MOST_DESCRIBED = 8;

    private static final String UNSOLICITED =
            "unsolicited completions=%d came since requestNotify(true), which asks for an event"
                    + " of a solicited receive or a failure only; have the peer send with SOLICITED, or arm with requestNotify(false)";

    private MissingCompletions() {}

    /**
     * The same failure of a wait, with what is outstanding as its cause. Off the lane.
     *
     * @param end of the wait: nothing came in time, or nothing is left to happen; anything else is returned as it is
     */
    static VerbsException explain(VerbsException end, DeviceContext device, List<EmulatedCompletionQueue> queues) {
        boolean isInVain = end.errno() == Errno.ETIMEDOUT
                || (end.errno() == Errno.EDEADLK && end.refusal().brokenRule() == Rule.N_08);
        if (!isInVain) {
            return end;
        }
        return new VerbsException(end.errno(), end.refusal().causedBy(reason(device, queues)));
    }

    /** What a wait for a completion waits for. Off the lane. */
    static Refusal reason(DeviceContext device, List<EmulatedCompletionQueue> queues) {
        List<Refusal> cause = new ArrayList<>(1);
        device.lane().callWithin(() -> cause.add(cause(queues)));
        return cause.get(0);
    }

    /** The same for a wait for the events of these queues: perhaps none of them was asked for any. */
    static VerbsException explainEvent(VerbsException end, DeviceContext device, List<EmulatedCompletionQueue> queues) {
        boolean isInVain = end.errno() == Errno.ETIMEDOUT || end.errno() == Errno.EDEADLK;
        Refusal cause = isInVain ? reasonOfNoEvent(queues) : null;
        return cause == null
                ? explain(end, device, queues)
                : new VerbsException(end.errno(), end.refusal().causedBy(cause));
    }

    /** What a wait for an event of these queues waits for. Off the lane. */
    static Refusal eventReason(DeviceContext device, List<EmulatedCompletionQueue> queues) {
        Refusal cause = reasonOfNoEvent(queues);
        return cause == null ? reason(device, queues) : cause;
    }

    /** Null if the next completion makes an event, and none waits. */
    private static @Nullable Refusal reasonOfNoEvent(List<EmulatedCompletionQueue> queues) {
        boolean isAsleep = queues.stream().noneMatch(EmulatedCompletionQueue::isArmed);
        long unpolled =
                queues.stream().mapToLong(EmulatedCompletionQueue::unpolled).sum();
        if (!isAsleep && unpolled == 0) {
            return null;
        }
        int unsolicited =
                queues.stream().mapToInt(EmulatedCompletionQueue::unsolicited).sum();
        return isAsleep
                ? Refusal.of(
                        Rule.NT_01,
                        "none of the %d completion queues of this channel is armed, and %d completions wait to be polled;"
                                + " call requestNotify, poll once more, and then wait",
                        queues.size(),
                        unpolled)
                : unsolicited > 0
                        ? Refusal.of(Rule.NT_02, UNSOLICITED, unsolicited)
                        : Refusal.of(
                                Rule.NT_01,
                                "unpolled completions=%d of this channel came before their queue was armed; poll once more after"
                                        + " requestNotify, and then wait",
                                unpolled);
    }

    private static Refusal cause(List<EmulatedCompletionQueue> queues) {
        Set<CqUser> users = new LinkedHashSet<>();
        queues.forEach(queue -> users.addAll(queue.users()));
        List<UnfinishedWork> all = new ArrayList<>();
        users.forEach(user -> all.add(user.unfinished()));
        List<UnfinishedWork> outstanding = new ArrayList<>(all);
        outstanding.removeIf(UnfinishedWork::isNone);
        if (outstanding.isEmpty()) {
            return Refusal.of(
                            Rule.WC_03,
                            all.isEmpty()
                                    ? "no queue pair completes here"
                                    : "nothing is posted that could complete: %s",
                            describe(all))
                    .causedBy(firstReason(all));
        }
        return Refusal.of(Rule.WC_03, "outstanding: %s", describe(outstanding)).causedBy(firstReason(outstanding));
    }

    private static String describe(Collection<UnfinishedWork> works) {
        List<String> texts = new ArrayList<>();
        for (UnfinishedWork work : works) {
            if (texts.size() == MOST_DESCRIBED) {
                texts.add("and " + (works.size() - MOST_DESCRIBED) + " more queue pairs");
                break;
            }
            texts.add(work.text());
        }
        return String.join("; ", texts);
    }

    private static @Nullable Refusal firstReason(Collection<UnfinishedWork> works) {
        for (UnfinishedWork work : works) {
            if (work.reason() != null) {
                return work.reason();
            }
        }
        return null;
    }
}
