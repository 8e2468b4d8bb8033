// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmId;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * What the objects of one adapter share: its protection domain, its profile, the tables that find requests, and what makes progress. There
 * is one for each adapter, so it also tells whether two objects are of the same one.
 */
final class NdContext {

    private final Device device;
    private final NdProfile profile;
    private final NdAdapterInfo info;
    private final ObjectCalls calls;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionDispatcher completions;
    private final Progress progress;
    private final LocalPorts ports;
    private final RequestTable<NdRequest> requests = new RequestTable<>();
    private final QueuePairContexts queuePairs = new QueuePairContexts();
    private final DeferredDestruction released = new DeferredDestruction();
    private volatile boolean removed;

    /**
     * The context of an adapter.
     *
     * @param announced is called when a completion queue has announced something
     */
    NdContext(Device device, NdProfile profile, Consumer<CompletionQueue> announced) {
        this.device = device;
        this.profile = profile;
        this.info = NdAdapterInfo.of(device, profile);
        this.calls = new ObjectCalls(device);
        this.pd = device.allocatePd();
        this.channel = device.createCompletionChannel();
        this.completions = new CompletionDispatcher(channel, calls, announced);
        this.progress = new Progress(completions, calls);
        this.ports = new LocalPorts(device.gid().toInetAddress());
    }

    NdProfile profile() {
        return profile;
    }

    NdAdapterInfo info() {
        return info;
    }

    /** What every call of an object begins and ends with. */
    ObjectCalls calls() {
        return calls;
    }

    /** The largest Read limits of a queue pair. */
    ReadLimits mostReads() {
        return new ReadLimits(info.maxInboundReadLimit(), info.maxOutboundReadLimit());
    }

    ProtectionDomain pd() {
        return pd;
    }

    Device device() {
        return device;
    }

    /** Where the completion queues announce. */
    CompletionChannel channel() {
        return channel;
    }

    CompletionDispatcher completions() {
        return completions;
    }

    Progress progress() {
        return progress;
    }

    RequestTable<NdRequest> requests() {
        return requests;
    }

    /** Adds the requests of a queue to the table; INSUFFICIENT_RESOURCES if it is full. */
    void addRequests(Requests<NdRequest> queue) {
        if (!requests.add(queue)) {
            throw new NdException(NdStatus.INSUFFICIENT_RESOURCES, "the adapter has no room for another queue");
        }
    }

    QueuePairContexts queuePairs() {
        return queuePairs;
    }

    /** Whether connectors may be bound to the address. */
    boolean isOwn(InetSocketAddress address) {
        return ports.isOwn(address);
    }

    /** Gives an identifier a local address: SUCCESS, SHARING_VIOLATION, INVALID_ADDRESS, TOO_MANY_ADDRESSES. */
    NdStatus bind(CmId id, InetSocketAddress address) {
        try {
            return ports.bind(id, address) ? NdStatus.SUCCESS : NdStatus.TOO_MANY_ADDRESSES;
        } catch (VerbsException refused) {
            return NdStatuses.ofBind(refused);
        }
    }

    /** Whether a receive is within the limits: SUCCESS, DATA_OVERRUN for too many elements, BUFFER_OVERFLOW for too many bytes. */
    NdStatus checkReceive(NdSge[] sge, int maxSge) {
        long bytes = 0;
        for (NdSge element : sge) {
            bytes += Integer.toUnsignedLong(element.lengthBytes());
        }
        if (sge.length > maxSge) {
            return NdStatus.DATA_OVERRUN.because("elements=%d > maxReceiveRequestSge=%d", sge.length, maxSge);
        }
        long most = Integer.toUnsignedLong(info.maxTransferLength());
        return bytes > most
                ? NdStatus.BUFFER_OVERFLOW.because("bytes=%d > maxTransferLength=%d", bytes, most)
                : NdStatus.SUCCESS;
    }

    /** Connection management reports that the device was closed. */
    void deviceRemoved() {
        removed = true;
    }

    /** Whether the device failed or was closed. */
    boolean isRemoved() {
        try {
            return removed || completions.isGone() || device.query().guid() != info.adapterId();
        } catch (VerbsException gone) {
            return true;
        }
    }

    /** Destroys something of verbs as soon as nothing else uses it. */
    void closeWhenUnused(Runnable closer) {
        released.add(closer);
    }

    /** Something was destroyed that used others. */
    void sweep() {
        released.sweep();
    }

    /** Whether something was released that others still use. */
    boolean hasUnused() {
        sweep();
        return !released.isEmpty();
    }

    /** The adapter was released: domain and channel go when everything that was made with them has gone. */
    void release() {
        released.add(pd::close);
        released.add(channel::close);
    }

    @Override
    public String toString() {
        return "NdAdapter of " + device;
    }
}
