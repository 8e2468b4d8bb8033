// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the results of requests ({@code IND2CompletionQueue}).
 *
 * <p>GetResults polls the completion queue of the device. A Notify must not miss a completion that arrives between an empty GetResults
 * and itself: when it is called, and while it is pending, completions are moved to a waiting list, from which GetResults takes first.
 * Each completion has an ordinal; a Notify counts only those after the last that an earlier Notify reported.
 */
public final class NdCompletionQueue extends NdOverlappedObject {

    private static final int MOST_AT_ONCE = 32;

    private final int notifyGroup;
    private final long notifyAffinity;
    private final CompletionQueue verbs;
    private final WorkCompletion[] batch;
    private final WorkCompletion[] @Nullable [] holdersBySize;
    private final WaitingResults<NdResult> waiting;
    private int depth;

    /** Room for the completions of silent requests, which give no results. */
    private int roomForSilent;

    /** Completions taken from the verbs queue. */
    private long seen;

    private long lastError;
    private long lastReceive;

    /** Completions up to this ordinal were there when a Notify completed last. */
    private long toldUpTo;

    /** The type of the pending Notify; null if there is none. */
    private @Nullable NdNotifyType awaited;

    /** What the verbs queue was armed for; null before the first Notify. */
    private @Nullable NdNotifyType armed;

    /** Ordinal of the last receive that may be a solicited one; the device does not report which of several it was. */
    private long lastSolicited;

    /** Why the queue cannot be used any more; null as long as it can. */
    private @Nullable NdStatus dead;

    NdCompletionQueue(NdContext context, NdOverlappedFile file, int depth, int notifyGroup, long notifyAffinity) {
        super(context, file);
        this.depth = depth;
        this.notifyGroup = notifyGroup;
        this.notifyAffinity = notifyAffinity;
        this.verbs = context.device().createCq(depth, this, context.channel(), 0);
        this.waiting = new WaitingResults<>(depth, NdResult::new);
        this.batch = new WorkCompletion[Math.min(depth, MOST_AT_ONCE)];
        for (int i = 0; i < batch.length; i++) {
            batch[i] = new WorkCompletion();
        }
        this.holdersBySize = new WorkCompletion[batch.length + 1][];
    }

    CompletionQueue verbs() {
        return verbs;
    }

    /** The processor group and mask that the queue was created with; they have no effect. SUCCESS. */
    public NdStatus getNotifyAffinity(NdSize group, NdAffinity mask) {
        group.value(notifyGroup);
        mask.mask(notifyAffinity);
        return NdStatus.SUCCESS;
    }

    /**
     * Changes its depth. No completion is lost.
     *
     * @return SUCCESS; INVALID_PARAMETER for a depth that is out of range, BUFFER_OVERFLOW if more completions are waiting. A call that
     *     fails changes nothing
     */
    public NdStatus resize(int newDepth) {
        return calls().run(() -> resizeTo(newDepth));
    }

    private synchronized NdStatus resizeTo(int newDepth) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if (newDepth < 1 || newDepth > context().info().maxCompletionQueueDepth()) {
            return NdStatus.INVALID_PARAMETER;
        }
        NdStatus end = dead;
        if (end != null) {
            return end;
        }
        if (newDepth < waiting.count()) {
            return NdStatus.BUFFER_OVERFLOW;
        }
        try {
            verbs.resize(newDepth + roomForSilent);
        } catch (VerbsException refused) {
            return switch (refused.errno()) {
                case EINVAL -> NdStatus.BUFFER_OVERFLOW;
                // It was overrun, and not polled since.
                case EIO -> theEnd();
                default -> NdStatuses.ofVerb(refused);
            };
        }
        depth = newDepth;
        return NdStatus.SUCCESS;
    }

    /** Makes room for the silent requests of a queue pair. */
    synchronized void expectSilent(int more) {
        verbs.resize(depth + roomForSilent + more);
        roomForSilent += more;
    }

    /**
     * Completes when there is a completion of this type that no earlier Notify has reported. All pending Notify requests complete
     * together, when the condition of the widest type among them holds: ANY is wider than SOLICITED, and SOLICITED wider than ERRORS. A
     * completion in error satisfies every type.
     *
     * @return PENDING; BUFFER_OVERFLOW if the queue was overrun and cannot be used any more; DEVICE_REMOVED. Delivered: SUCCESS,
     *     CANCELED, BUFFER_OVERFLOW, DEVICE_REMOVED
     */
    public NdStatus notify(NdNotifyType type, NdOverlapped overlapped) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        // What was announced before is dispatched first; without the monitor, for it may concern other queues.
        context().completions().poll();
        return calls().run(() -> notifyOf(type, overlapped));
    }

    private synchronized NdStatus notifyOf(NdNotifyType type, NdOverlapped overlapped) {
        drain();
        NdStatus end = dead;
        if (end != null) {
            return end;
        }
        try {
            awaitAlso(type);
        } catch (VerbsException gone) {
            return NdStatus.DEVICE_REMOVED;
        }
        NdStatus status = begin(overlapped);
        drain();
        tell();
        return status;
    }

    private void awaitAlso(NdNotifyType type) {
        if (armed == null) {
            // Nobody listened so far: any receive that is there may be a solicited one.
            lastSolicited = lastReceive;
        }
        if (!hasPending()) {
            awaited = null;
        }
        NdNotifyType before = awaited;
        NdNotifyType both = before == null || strength(type) > strength(before) ? type : before;
        arm(both);
        awaited = both;
    }

    private static int strength(NdNotifyType type) {
        return switch (type) {
            case ERRORS -> 0;
            case SOLICITED -> 1;
            case ANY -> 2;
        };
    }

    private void arm(NdNotifyType type) {
        armed = type == NdNotifyType.ANY ? NdNotifyType.ANY : NdNotifyType.SOLICITED;
        verbs.requestNotify(armed == NdNotifyType.SOLICITED);
    }

    /** A queue of the device announced something, and is not armed any more. */
    static void announced(CompletionQueue verbs) {
        if (verbs.context() instanceof NdCompletionQueue queue) {
            queue.context().calls().runPart(queue::announced);
        }
    }

    private synchronized void announced() {
        boolean mayBeSolicited = armed == NdNotifyType.SOLICITED || !hasPending();
        drain();
        if (mayBeSolicited) {
            lastSolicited = lastReceive;
        }
        tell();
        NdNotifyType still = hasPending() ? awaited : NdNotifyType.SOLICITED;
        arm(still == null ? NdNotifyType.SOLICITED : still);
        drain();
        tell();
    }

    @Override
    void check() {
        calls().runPart(this::checkAll);
    }

    private synchronized void checkAll() {
        drain();
        tell();
        if (dead == null && context().isRemoved()) {
            dead = NdStatus.DEVICE_REMOVED;
        }
        NdStatus end = dead;
        if (end != null) {
            finishAll(end);
        }
    }

    /** Completes the pending Notify requests if their condition holds. */
    private void tell() {
        if (hasPending() && isThereWhatIsAwaited()) {
            toldUpTo = seen;
            awaited = null;
            finishAll(NdStatus.SUCCESS);
        }
    }

    private boolean isThereWhatIsAwaited() {
        // What was taken in the meantime is not waited for any more.
        long old = Math.max(toldUpTo, seen - waiting.count());
        if (lastError > old) {
            return true;
        }
        return switch (awaited == null ? NdNotifyType.ANY : awaited) {
            case ANY -> seen > old;
            case SOLICITED -> lastSolicited > old;
            case ERRORS -> false;
        };
    }

    /** Moves completions to the waiting list, up to twice the depth. */
    private void drain() {
        drain(2L * depth);
    }

    private void drain(long most) {
        int count = 1;
        while (count > 0 && waiting.count() < most) {
            count = pollVerbs(batch);
            for (int i = 0; i < count; i++) {
                Requests<NdRequest> requests = context().requests().find(batch[i].id());
                NdResult result = waiting.next();
                if (requests != null && translate(requests, batch[i], result)) {
                    waiting.add(requests, (int) batch[i].id());
                    count(result);
                }
            }
        }
    }

    private void count(NdResult result) {
        seen++;
        if (!result.status().isSuccess()) {
            lastError = seen;
        }
        if (result.requestType() == NdRequestType.RECEIVE) {
            lastReceive = seen;
        }
    }

    private int pollVerbs(WorkCompletion[] holders) {
        try {
            return verbs.poll(holders);
        } catch (VerbsException brokenOrGone) {
            NdStatus unused = theEnd();
            return 0;
        }
    }

    /** Records that the queue cannot be used any more; returns why. */
    private NdStatus theEnd() {
        NdStatus end = context().isRemoved() ? NdStatus.DEVICE_REMOVED : NdStatus.BUFFER_OVERFLOW;
        dead = end;
        return end;
    }

    /**
     * Takes results, oldest first. It allocates nothing and never waits. With an empty array it only lets the device make progress.
     *
     * @return the number of results that were filled; fewer than {@code results.length} if there are no more
     */
    public int getResults(NdResult[] results) {
        int filled = poll(results);
        // The end of a connection cancels what is posted, whether or not NotifyDisconnect is pending.
        return filled == 0 && context().progress().dispatchConnections() ? poll(results) : filled;
    }

    private int poll(NdResult[] results) {
        ObjectCalls calls = calls();
        int filled = 0;
        boolean isDue = true;
        for (int round = 0; round < 2 && isDue && filled == 0; round++) {
            if (round > 0) {
                calls.progress();
            }
            calls.begin();
            try {
                filled = takeResults(results);
            } finally {
                isDue = calls.endPart();
            }
        }
        return filled;
    }

    private synchronized int takeResults(NdResult[] results) {
        int filled = 0;
        while (filled < results.length && waiting.count() > 0) {
            waiting.take().copyTo(results[filled++]);
        }
        boolean hasMore = filled < results.length || results.length == 0;
        while (hasMore) {
            WorkCompletion[] holders = holders(results.length - filled);
            int count = pollVerbs(holders);
            for (int i = 0; i < count; i++) {
                filled += take(holders[i], results[filled]);
            }
            hasMore = count == holders.length && filled < results.length;
        }
        return filled;
    }

    /** Takes one completion; 0 if it gives no result. */
    private int take(WorkCompletion completion, NdResult result) {
        Requests<NdRequest> requests = context().requests().find(completion.id());
        if (requests == null || !translate(requests, completion, result)) {
            return 0;
        }
        count(result);
        requests.taken((int) completion.id());
        return 1;
    }

    /** As many holders as fit, without making them again. */
    private WorkCompletion[] holders(int wanted) {
        int count = Math.min(wanted, batch.length);
        WorkCompletion[] holders = holdersBySize[count];
        if (holders == null) {
            holders = Arrays.copyOf(batch, count);
            holdersBySize[count] = holders;
        }
        return holders;
    }

    /** Translates a completion to a result; false for a silent success, which gives no result. */
    private boolean translate(Requests<NdRequest> requests, WorkCompletion completion, NdResult result) {
        int number = (int) completion.id();
        NdRequest request = requests.get(number);
        NdMemoryWindow.Posted bind = request.bind();
        NdRequestType type = request.type();
        if (bind != null) {
            bind.completed(type, completion);
        }
        if (completion.isSuccess() && request.isSilent()) {
            requests.taken(number);
            return false;
        }
        result.fill(
                NdStatuses.ofCompletion(
                        completion.status(),
                        type,
                        context().profile().statuses(),
                        request.readsForbidden(),
                        completion.refusal()),
                bytes(type, completion),
                request.isShared() ? context().queuePairs().find(completion.qpNumber()) : request.queuePairContext(),
                request.context(),
                type,
                completion.status(),
                completion.refusal());
        return true;
    }

    /** A peer's WRITE with immediate data puts no bytes into the receive, and NetworkDirect has no immediate data. */
    private static int bytes(NdRequestType type, WorkCompletion completion) {
        boolean counts = type == NdRequestType.RECEIVE
                && completion.isSuccess()
                && completion.opcode() != WcOpcode.RECV_RDMA_WITH_IMM;
        return counts ? completion.byteLength() : 0;
    }

    /** Frees the places of silent requests that have been executed. Within a call. */
    synchronized void reclaimSilent() {
        drain();
    }

    /** Keeps the results of a queue pair that ends, with their contexts. */
    synchronized void keepResults() {
        drain(Integer.MAX_VALUE);
    }

    @Override
    void end() {
        finishAll(NdStatus.CANCELED);
        context().closeWhenUnused(verbs::close);
    }
}
