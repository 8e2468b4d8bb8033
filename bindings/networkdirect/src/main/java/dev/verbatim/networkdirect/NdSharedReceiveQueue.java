// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Receives that several queue pairs share: each message takes the oldest one ({@code IND2SharedReceiveQueue}). If the queue is empty
 * senders are delayed, and none fails.
 */
public final class NdSharedReceiveQueue extends NdOverlappedObject {

    private final int notifyGroup;
    private final long notifyAffinity;
    private final SharedReceiveQueue verbs;
    private final ReceivePool<NdRequest> receives;
    private final ReceiveWorkRequest.Refillable receive;
    private final int maxSge;
    private int threshold;

    NdSharedReceiveQueue(
            NdContext context,
            NdOverlappedFile file,
            int depth,
            int maxSge,
            int threshold,
            int notifyGroup,
            long notifyAffinity) {
        super(context, file);
        this.maxSge = maxSge;
        this.threshold = threshold;
        this.notifyGroup = notifyGroup;
        this.notifyAffinity = notifyAffinity;
        this.verbs =
                context.pd().createSrq(new SrqInitAttributes(new SrqAttributes(depth, maxSge, 0), null, null, this));
        this.receives = new ReceivePool<>(depth, NdRequest::shared, NdRequest::clear);
        this.receive = new ReceiveWorkRequest.Refillable(maxSge);
        context.addRequests(receives);
    }

    SharedReceiveQueue verbs() {
        return verbs;
    }

    /** The processor group and mask that the queue was created with; they have no effect. SUCCESS. */
    public NdStatus getNotifyAffinity(NdSize group, NdAffinity mask) {
        group.value(notifyGroup);
        mask.mask(notifyAffinity);
        return NdStatus.SUCCESS;
    }

    /**
     * Changes its depth, its threshold, or both; 0 leaves a value unchanged.
     *
     * @return SUCCESS, INVALID_PARAMETER for a depth that is out of range or a threshold above it, BUFFER_OVERFLOW if more receives are
     *     outstanding; INVALID_HANDLE, NOT_SUPPORTED, DEVICE_REMOVED
     */
    public NdStatus modify(int newDepth, int newThreshold) {
        return calls().run(() -> change(newDepth, newThreshold));
    }

    private synchronized NdStatus change(int newDepth, int newThreshold) {
        int depth = newDepth == 0 ? receives.depth() : newDepth;
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if (depth < 1
                || depth > context().info().maxSharedReceiveQueueDepth()
                || newThreshold < 0
                || Math.max(newThreshold, newThreshold == 0 ? threshold : 0) > depth) {
            return NdStatus.INVALID_PARAMETER;
        }
        if (depth < receives.count()) {
            return NdStatus.BUFFER_OVERFLOW;
        }
        try {
            if (newDepth != 0) {
                verbs.modify(new SrqAttributes(depth, 0, 0), SrqAttributes.MAX_WR);
                receives.resize(depth);
            }
            if (newThreshold != 0) {
                threshold = newThreshold;
                arm();
            }
            return NdStatus.SUCCESS;
        } catch (VerbsException refused) {
            return refused.errno() == Errno.EINVAL ? NdStatus.BUFFER_OVERFLOW : NdStatuses.ofVerb(refused);
        }
    }

    /**
     * Completes when fewer receives are outstanding than the threshold. All pending requests complete together. With a threshold of 0
     * they never do.
     *
     * @return PENDING, INVALID_HANDLE, DEVICE_REMOVED. Delivered: SUCCESS, CANCELED, DEVICE_REMOVED
     */
    public NdStatus notify(NdOverlapped overlapped) {
        return calls().run(() -> await(overlapped));
    }

    private synchronized NdStatus await(NdOverlapped overlapped) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if (context().isRemoved()) {
            return NdStatus.DEVICE_REMOVED;
        }
        NdStatus status = begin(overlapped);
        arm();
        checkAll();
        return status;
    }

    /** Arms the limit of the device's queue. The device reports once, and sets the limit to 0 then, which is what is checked. */
    private void arm() {
        if (threshold > 0 && hasPending()) {
            verbs.modify(SrqAttributes.ofLimit(threshold), SrqAttributes.LIMIT);
        }
    }

    @Override
    void check() {
        calls().runPart(this::checkAll);
    }

    private synchronized void checkAll() {
        if (context().isRemoved()) {
            finishAll(NdStatus.DEVICE_REMOVED);
        } else if (hasPending() && threshold > 0 && verbs.query().limit() == 0) {
            finishAll(NdStatus.SUCCESS);
        }
    }

    /**
     * Posts a receive; also before there is any queue pair.
     *
     * @return SUCCESS, DATA_OVERRUN for too many elements, BUFFER_OVERFLOW for too many bytes, NO_MORE_ENTRIES if the queue is full
     */
    public NdStatus receive(@Nullable Object requestContext, NdSge[] sge) {
        calls().begin();
        try {
            return post(requestContext, sge);
        } finally {
            calls().end();
        }
    }

    private NdStatus post(@Nullable Object requestContext, NdSge[] sge) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        NdStatus unfit = context().checkReceive(sge, maxSge);
        if (!unfit.isSuccess()) {
            return unfit;
        }
        synchronized (receive) {
            int number = receives.put();
            if (number < 0) {
                return NdStatus.NO_MORE_ENTRIES;
            }
            receives.get(number).receive(requestContext);
            receive.fill(receives.id(number));
            for (NdSge element : sge) {
                receive.add(element.element());
            }
            try {
                verbs.postRecv(receive);
                return NdStatus.SUCCESS;
            } catch (VerbsException refused) {
                receives.taken(number);
                return NdStatuses.ofPost(refused);
            }
        }
    }

    @Override
    void end() {
        finishAll(NdStatus.CANCELED);
        context().closeWhenUnused(() -> {
            verbs.close();
            context().requests().remove(receives);
        });
    }
}
