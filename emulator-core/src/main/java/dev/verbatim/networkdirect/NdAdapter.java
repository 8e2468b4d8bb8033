// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A device that was opened ({@code IND2Adapter}): what is made from one instance works together, and with nothing of another, for it has a
 * protection domain of its own.
 *
 * <p>What makes something throws {@link NdException}. Its INVALID_PARAMETER_n counts as the COM method does: the {@code IID} is 1, and an
 * overlapped file 2 where there is one.
 */
public final class NdAdapter extends NdObject {

    private final Device device;
    private final NdProfile profile;
    private final NdAdapterInfo info;
    private final InetSocketAddress[] addresses;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final NdCompletionNews completionNews;
    private final NdProgress progress;
    private final NdPorts ports;
    private volatile @Nullable NdConnectionNews connectionNews;
    private volatile boolean removed;
    private final NdRequestTable requests = new NdRequestTable();
    private final NdQueuePairTable queuePairs = new NdQueuePairTable();
    private final Set<NdMemoryWindow> windows = ConcurrentHashMap.newKeySet();
    private final NdUnused unused = new NdUnused();

    NdAdapter(Device device, NdProfile profile) {
        this.device = device;
        this.profile = profile;
        this.info = NdAdapterInfo.of(device, profile);
        this.addresses = new InetSocketAddress[] {NdAddresses.of(device.gid(), 0)};
        this.pd = device.allocatePd();
        this.channel = device.createCompletionChannel();
        this.completionNews = new NdCompletionNews(channel);
        this.progress = new NdProgress(completionNews, this::hearOfConnections);
        this.ports = new NdPorts(addresses[0].getAddress());
    }

    static NdAdapter open(Device device, NdProfile profile) {
        return make(() -> new NdAdapter(device, profile));
    }

    // For the other objects.

    Device device() {
        return device;
    }

    NdProfile profile() {
        return profile;
    }

    NdAdapterInfo info() {
        return info;
    }

    ProtectionDomain pd() {
        return pd;
    }

    NdProgress progress() {
        return progress;
    }

    NdCompletionNews completionNews() {
        return completionNews;
    }

    NdPorts ports() {
        return ports;
    }

    /** News of all connectors; their channel is there from the first one on. */
    private synchronized NdConnectionNews connectionNews() {
        NdConnectionNews known = connectionNews;
        if (known == null) {
            known = new NdConnectionNews(openEvents(), () -> true, NdAdapter::tell);
            connectionNews = known;
        }
        return known;
    }

    private static void tell(CmEvent event) {
        if (event.id().context() instanceof NdConnector connector) {
            connector.connection().heard(event);
        }
    }

    private EventChannel openEvents() {
        return EventChannel.open(device, CmOptions.USUAL.answersDisconnects(profile.autoDrep()));
    }

    /** Hears what has happened to connections; whether anything has. */
    boolean hearOfConnections() {
        NdConnectionNews news = connectionNews;
        if (news == null || !news.isThere()) {
            return false;
        }
        news.take();
        return true;
    }

    NdRequestTable requests() {
        return requests;
    }

    NdQueuePairTable queuePairs() {
        return queuePairs;
    }

    CompletionQueue createVerbsCq(int depth, NdCompletionQueue context) {
        return device.createCq(depth, context, channel, 0);
    }

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

    /** Connection management says that the device was closed. */
    void deviceRemoved() {
        removed = true;
    }

    /** Whether the device died or was closed. */
    boolean isRemoved() {
        try {
            return removed || completionNews.isGone() || device.query().guid() != info.adapterId();
        } catch (VerbsException gone) {
            return true;
        }
    }

    // What there is to know.

    /** What the adapter can do, in the words of v2. */
    public NdAdapterInfo query() {
        return info;
    }

    /**
     * The same as the structure {@code ND2_ADAPTER_INFO}, in native byte order from the buffer's position on.
     *
     * @param buffer begins with the version that is wanted, 1 or 0x20000; null to ask for the size
     * @param size set to the size of the structure
     * @return SUCCESS, BUFFER_OVERFLOW if the buffer is too small, and untouched, INVALID_PARAMETER for another version
     */
    public NdStatus query(@Nullable ByteBuffer buffer, NdSize size) {
        size.value(NdAdapterInfo.BYTES);
        return buffer == null || buffer.remaining() < NdAdapterInfo.BYTES
                ? NdStatus.BUFFER_OVERFLOW
                : info.writeTo(buffer);
    }

    /**
     * The adapter's addresses, with port 0.
     *
     * @param list where they go; null or too short is BUFFER_OVERFLOW, and it is untouched
     * @param count set to how many there are
     */
    public NdStatus queryAddressList(InetSocketAddress @Nullable [] list, NdSize count) {
        return NdAddresses.copy(addresses, list, count);
    }

    // What is made from it.

    /** What asynchronous objects are made with; a completion port may be associated with it. */
    public NdOverlappedFile createOverlappedFile() {
        requireOpen();
        return new NdOverlappedFile(this);
    }

    /** INVALID_PARAMETER_3: depth. */
    public NdCompletionQueue createCompletionQueue(NdOverlappedFile file, int depth, int group, long affinity) {
        requireOpen(file);
        NdLimits.check(3, "queueDepth", depth, 1, info.maxCompletionQueueDepth());
        return make(() -> new NdCompletionQueue(this, file, depth, new NdNotifyAffinity(group, affinity)));
    }

    /** An object to register memory with. */
    public NdMemoryRegion createMemoryRegion(NdOverlappedFile file) {
        requireOpen(file);
        return new NdMemoryRegion(this, file);
    }

    /** An invalidated window. */
    public NdMemoryWindow createMemoryWindow() {
        requireOpen();
        NdMemoryWindow window = make(() -> new NdMemoryWindow(this));
        windows.add(window);
        return window;
    }

    /** INVALID_PARAMETER_3: depth, 4: elements, 5: threshold, which 0 turns off. NOT_SUPPORTED if the device has none. */
    public NdSharedReceiveQueue createSharedReceiveQueue(
            NdOverlappedFile file, int depth, int maxRequestSge, int notifyThreshold, int group, long affinity) {
        requireOpen(file);
        if (info.maxSharedReceiveQueueDepth() == 0) {
            throw new NdException(NdStatus.NOT_SUPPORTED, "the device has no shared receive queues");
        }
        NdLimits.check(3, "queueDepth", depth, 1, info.maxSharedReceiveQueueDepth());
        NdLimits.check(4, "maxRequestSge", maxRequestSge, 0, info.maxReceiveSge());
        NdLimits.check(5, "notifyThreshold", notifyThreshold, 0, depth);
        NdNotifyAffinity where = new NdNotifyAffinity(group, affinity);
        return make(() -> new NdSharedReceiveQueue(this, file, depth, maxRequestSge, notifyThreshold, where));
    }

    /**
     * A queue pair with receives of its own. The completion queues may be the same one, and may be shorter than the queues.
     *
     * <p>INVALID_PARAMETER_2 and 3: queues of another adapter; 5 receiveQueueDepth, 6 initiatorQueueDepth, 7 maxReceiveRequestSge, 8
     * maxInitiatorRequestSge, 9 inlineDataSize.
     */
    public NdQueuePair createQueuePair(
            @Nullable NdCompletionQueue receiveCq,
            @Nullable NdCompletionQueue initiatorCq,
            @Nullable Object context,
            int receiveQueueDepth,
            int initiatorQueueDepth,
            int maxReceiveRequestSge,
            int maxInitiatorRequestSge,
            int inlineDataSize) {
        requireOpen();
        NdCompletionQueue received = mine(2, "receiveCompletionQueue", receiveCq);
        NdCompletionQueue initiated = mine(3, "initiatorCompletionQueue", initiatorCq);
        NdLimits.check(5, "receiveQueueDepth", receiveQueueDepth, 0, info.maxReceiveQueueDepth());
        NdLimits.check(6, "initiatorQueueDepth", initiatorQueueDepth, 0, info.maxInitiatorQueueDepth());
        NdLimits.check(7, "maxReceiveRequestSge", maxReceiveRequestSge, 0, info.maxReceiveSge());
        NdLimits.check(8, "maxInitiatorRequestSge", maxInitiatorRequestSge, 0, info.maxInitiatorSge());
        NdLimits.check(9, "inlineDataSize", inlineDataSize, 0, info.maxInlineDataSize());
        return start(
                received,
                initiated,
                null,
                context,
                new NdQueuePair.Sizes(
                        receiveQueueDepth,
                        initiatorQueueDepth,
                        maxReceiveRequestSge,
                        maxInitiatorRequestSge,
                        inlineDataSize));
    }

    /**
     * A queue pair that takes its receives from a shared queue.
     *
     * <p>INVALID_PARAMETER_2, 3 and 4: queues of another adapter; 6 initiatorQueueDepth, 7 maxInitiatorRequestSge, 8 inlineDataSize.
     */
    public NdQueuePair createQueuePairWithSrq(
            @Nullable NdCompletionQueue receiveCq,
            @Nullable NdCompletionQueue initiatorCq,
            @Nullable NdSharedReceiveQueue srq,
            @Nullable Object context,
            int initiatorQueueDepth,
            int maxInitiatorRequestSge,
            int inlineDataSize) {
        requireOpen();
        NdCompletionQueue received = mine(2, "receiveCompletionQueue", receiveCq);
        NdCompletionQueue initiated = mine(3, "initiatorCompletionQueue", initiatorCq);
        NdSharedReceiveQueue shared = mine(4, "sharedReceiveQueue", srq);
        NdLimits.check(6, "initiatorQueueDepth", initiatorQueueDepth, 0, info.maxInitiatorQueueDepth());
        NdLimits.check(7, "maxInitiatorRequestSge", maxInitiatorRequestSge, 0, info.maxInitiatorSge());
        NdLimits.check(8, "inlineDataSize", inlineDataSize, 0, info.maxInlineDataSize());
        return start(
                received,
                initiated,
                shared,
                context,
                new NdQueuePair.Sizes(0, initiatorQueueDepth, 0, maxInitiatorRequestSge, inlineDataSize));
    }

    private NdQueuePair start(
            NdCompletionQueue receiveCq,
            NdCompletionQueue initiatorCq,
            @Nullable NdSharedReceiveQueue srq,
            @Nullable Object context,
            NdQueuePair.Sizes sizes) {
        return make(() -> {
            NdQueuePair queuePair = new NdQueuePair(this, receiveCq, initiatorCq, srq, context, sizes);
            queuePair.start();
            return queuePair;
        });
    }

    /** One end of a connection to be. NOT_SUPPORTED if the device has no connection management. */
    public NdConnector createConnector(NdOverlappedFile file) {
        requireOpen(file);
        return make(() -> new NdConnector(this, file, connectionNews()));
    }

    /** Something that waits for connections. NOT_SUPPORTED if the device has no connection management. */
    public NdListener createListener(NdOverlappedFile file) {
        requireOpen(file);
        return make(() -> new NdListener(this, file, openEvents()));
    }

    private static <T> T make(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (VerbsException refused) {
            throw new NdException(NdStatuses.ofVerb(refused), refused);
        }
    }

    private <T extends NdOverlappedObject> T mine(int parameter, String name, @Nullable T object) {
        if (object == null || object.isReleased() || !isMine(object.adapter())) {
            throw new NdException(
                    NdStatus.invalidParameter(parameter),
                    "%s=%s is not of this adapter, or was released",
                    name,
                    String.valueOf(object));
        }
        return object;
    }

    @SuppressWarnings("ReferenceEquality") // the same instance
    private boolean isMine(NdAdapter other) {
        return other == this;
    }

    private void requireOpen() {
        if (isReleased()) {
            throw new NdException(NdStatus.INVALID_HANDLE, "the adapter was released");
        }
        if (isRemoved()) {
            throw new NdException(NdStatus.DEVICE_REMOVED, "device %s is gone", device.name());
        }
    }

    private void requireOpen(NdOverlappedFile file) {
        requireOpen();
        if (!isMine(file.adapter())) {
            throw new NdException(NdStatus.INVALID_HANDLE, "the overlapped file is of another adapter");
        }
    }

    // What goes.

    /** Something that others may rest on is destroyed as soon as it can be. */
    void closeWhenUnused(Runnable closer) {
        unused.add(closer);
    }

    /** Something has gone, on which others rested. */
    void sweep() {
        unused.sweep();
    }

    /** Whether something was released that others rest on. */
    boolean hasUnused() {
        sweep();
        return !unused.isEmpty();
    }

    void windowEnded(NdMemoryWindow window) {
        windows.remove(window);
        sweep();
    }

    void queuePairEnded(NdQueuePair queuePair, Runnable closer, NdRequestRing initiator, NdRequestRing receives) {
        queuePairs.remove(queuePair);
        requests.remove(initiator);
        requests.remove(receives);
        unused.add(closer);
        windows.forEach(window -> window.queuePairEnds(queuePair));
        sweep();
    }

    /** Goes when everything that was made from it has gone. */
    @Override
    void end() {
        unused.add(pd::close);
        unused.add(channel::close);
        NdConnectionNews news = connectionNews;
        if (news != null) {
            unused.add(news::close);
        }
    }

    @Override
    public String toString() {
        return "NdAdapter of " + device;
    }
}
