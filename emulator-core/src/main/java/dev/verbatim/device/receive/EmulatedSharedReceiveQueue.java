// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.event.Destruction;
import dev.verbatim.device.event.EventDebt;
import dev.verbatim.device.event.EventElement;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue. Programs post under the monitor of its ring, from any thread; everything else happens on the lane,
 * where its queue pairs take requests out of it through their {@link SharedReceives}.
 */
public final class EmulatedSharedReceiveQueue implements SharedReceiveQueue, EventElement {

    private final SharedQueues owner;
    private final DeviceContext device;
    private final PdIdentity pd;
    private final int number;
    private final SrqInitAttributes initAttributes;
    private final @Nullable EmulatedXrcDomain xrcDomain;
    private final @Nullable EmulatedCompletionQueue cq;
    private final ReceiveQueue queue;
    private final Consumer<Refusal> cqBroken = this::breakDown;
    private final EventDebt eventDebt = new EventDebt();
    private int users;
    private int limit;
    private boolean wasLimited;
    private volatile @Nullable Refusal broken;
    private volatile boolean open = true;

    /**
     * A queue that is empty.
     *
     * @param xrcDomain where requests name it, and with it {@code cq}, where its receives complete; null for a basic one
     */
    EmulatedSharedReceiveQueue(
            SharedQueues owner,
            PdIdentity pd,
            int number,
            SrqInitAttributes initAttributes,
            @Nullable EmulatedXrcDomain xrcDomain,
            @Nullable EmulatedCompletionQueue cq) {
        SrqAttributes sizes = initAttributes.attributes();
        this.owner = owner;
        this.device = pd.device();
        this.pd = pd;
        this.number = number;
        this.xrcDomain = xrcDomain;
        this.cq = cq;
        this.initAttributes = initAttributes;
        this.queue = new ReceiveQueue(pd, "max_wr", granted(sizes.maxWr()), sizes.maxSge());
    }

    /** It can be named and receive from now on. */
    void begin() {
        if (xrcDomain != null && cq != null) {
            xrcDomain.add(this);
            cq.addSharedQueue(cqBroken);
        }
    }

    private int granted(int maxWr) {
        return GrantedSizes.queue(
                device.profile(), maxWr, device.profile().limits().maxSrqWr());
    }

    @Override
    public ProtectionDomain pd() {
        return pd.handle();
    }

    /** The domain that it is in. */
    public PdIdentity domain() {
        return pd;
    }

    @Override
    public SrqInitAttributes initAttributes() {
        return initAttributes;
    }

    @Override
    public int number() {
        if (xrcDomain != null) {
            return number;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.XRC_01, "%s is not of type XRC, so no request names it", this);
    }

    /** Where requests name it; null for a basic one. */
    @Nullable
    public EmulatedXrcDomain xrcDomain() {
        return xrcDomain;
    }

    /** Where the receives of one of type XRC complete. */
    EmulatedCompletionQueue cq() {
        return Objects.requireNonNull(cq);
    }

    /** The number on its device of the queue that a program names; 0 for none. */
    public static int numberOf(@Nullable SharedReceiveQueue srq) {
        return srq instanceof EmulatedSharedReceiveQueue own ? own.number : 0;
    }

    /** Its number on the device, whatever its type. */
    int tableNumber() {
        return number;
    }

    // What programs do.

    @Override
    public SrqAttributes query() {
        return device.onLane(() -> {
            requireOpen();
            device.decided(0, Rule.SRQ_08);
            return new SrqAttributes(queue.capacity(), queue.maxSge(), limit);
        });
    }

    @Override
    public void modify(SrqAttributes attributes, int mask) {
        device.lane().call(() -> {
            requireOpen();
            synchronized (queue) {
                SrqChecks.checkModify(device.profile(), queue, attributes, mask, limit);
                if ((mask & SrqAttributes.MAX_WR) != 0) {
                    device.decided(0, Rule.SRQ_05);
                    queue.resize(granted(attributes.maxWr()));
                }
            }
            if ((mask & SrqAttributes.LIMIT) != 0) {
                device.decided(0, Rule.SRQ_04);
                limit = attributes.limit();
                wasLimited = true;
                traceLimit(limit);
            }
        });
    }

    private void traceLimit(int now) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.SharedReceiveLimited(device.lane().nowNanos(), device.name(), number, now));
        }
    }

    @Override
    public void postRecv(ReceiveWorkRequest request) {
        if (device.isObserved()) {
            // On the lane, so that a request is told of before it is taken.
            device.lane().callTold(() -> put(request, 0));
        } else {
            put(request, 0);
        }
        device.lane().giveWay();
    }

    @Override
    public void postRecv(List<ReceiveWorkRequest> chain) {
        try {
            if (device.isObserved()) {
                device.lane().callTold(() -> put(chain));
            } else {
                put(chain);
            }
        } finally {
            device.lane().giveWay();
        }
    }

    /** A chain gets in in one piece (WR-18). */
    private void put(List<ReceiveWorkRequest> chain) {
        synchronized (queue) {
            try {
                ElementChecks.requireThere(chain, "the chain", 0);
                for (int i = 0; i < chain.size(); i++) {
                    put(chain.get(i), i);
                }
            } catch (VerbsException refused) {
                device.decided(0, Rule.WR_10);
                throw refused;
            }
        }
    }

    private void put(ReceiveWorkRequest request, int index) {
        synchronized (queue) {
            requireOpen();
            requireWhole(index);
            device.decided(0, Rule.SRQ_01);
            ElementChecks.requireThere(request, "the request", index);
            ElementChecks.checkCount(request.elementCount(), queue.maxSge(), "max_sge", index);
            ElementChecks.requireElements(request, index);
            queue.post(request, index);
            DeviceInspector inspector = device.inspector();
            if (inspector != null) {
                inspector.sharedReceivePosted(number, request);
            }
            if (device.isTraced()) {
                device.decided(0, Rule.WR_12);
                device.decided(0, Rule.WR_18);
                device.trace(new TraceEvent.SharedReceivePosted(
                        device.lane().nowNanos(), device.name(), number, request.frozen()));
            }
        }
    }

    @Override
    public void close() {
        Destruction.of(device, this, Rule.AE_20, this::requireUnused, () -> {
            destroy();
            device.closed(this);
        });
    }

    private void requireUnused() {
        requireNotDestroyed();
        if (users > 0) {
            throw VerbsException.of(
                    Errno.EBUSY, Rule.PD_05, "%s is used by %d queue pairs; destroy them first", this, users);
        }
    }

    /** Ends it, and what is queued on it, without completions. On the lane. */
    void destroy() {
        open = false;
        if (wasLimited) {
            traceLimit(0);
        }
        if (xrcDomain != null) {
            xrcDomain.release(this);
        }
        if (cq != null) {
            cq.removeSharedQueue(cqBroken);
        }
        pd.countSharedReceiveQueues(-1);
        owner.release(this);
    }

    private void requireWhole(int index) {
        Refusal reason = broken;
        if (reason != null) {
            throw VerbsException.ofRequest(
                    Errno.EIO, Refusal.of(Rule.AE_09, "%s is broken", this).causedBy(reason), index);
        }
    }

    void requireOpen() {
        requireNotDestroyed();
        device.requireAlive();
    }

    private void requireNotDestroyed() {
        if (!open) {
            throw VerbsException.of(Errno.ENOENT, Rule.PD_03, "%s was destroyed before", this);
        }
    }

    public boolean isOpen() {
        return open;
    }

    // What its queue pairs do; on the lane.

    void countUsers(int change) {
        users += change;
    }

    /** Its receives cannot complete any more: no request finds it from now on, and none is posted to it (AE-09). */
    void breakDown(Refusal reason) {
        broken = reason;
        device.lane().touched(device.name(), DevicePart.SHARED_RECEIVES);
        owner.events().raise(EventType.SRQ_ERR, this, reason);
    }

    boolean isBroken() {
        return broken != null;
    }

    /** The request that the next message takes; null if there is none. */
    @Nullable
    ReceiveWqe oldest() {
        return queue.oldest();
    }

    /** The oldest request, of which there must be one, is the queue pair's own from now on; {@code spare} takes its place. */
    ReceiveWqe take(@Nullable ReceiveWqe spare) {
        return queue.exchangeOldest(spare);
    }

    /** A queue pair of that domain has taken a request. */
    void took(QpTrace taker, PdIdentity domain, ReceiveWqe taken) {
        QpInspector inspector = taker.inspector();
        if (inspector != null) {
            inspector.sharedReceiveTaken(number);
        }
        if (device.isTraced()) {
            taker.decided(Rule.SRQ_02);
            taker.decided(Rule.SRQ_06);
            taker.decided(Rule.SRQ_07);
            if (!pd.equals(domain)) {
                taker.decided(Rule.PD_06);
            }
            device.trace(new TraceEvent.SharedReceiveTaken(
                    device.lane().nowNanos(), device.name(), taker.number(), number, taken.id()));
        }
        if (queue.size() < limit) {
            limit = 0;
            taker.decided(Rule.SRQ_04);
            owner.events().raise(EventType.SRQ_LIMIT_REACHED, this, null);
        }
    }

    @Override
    public EventDebt eventDebt() {
        return eventDebt;
    }

    @Override
    public int tracedSrq() {
        return number;
    }

    @Override
    public String toString() {
        return "srq " + number + " of " + device.name();
    }
}
