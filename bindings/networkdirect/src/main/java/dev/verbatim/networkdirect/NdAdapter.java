// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open device ({@code IND2Adapter}). Each instance has a protection domain of its own: objects of one instance cannot be used with
 * those of another.
 *
 * <p>A method that creates an object throws {@link NdException} if it fails. In INVALID_PARAMETER_n the parameters are counted as in the
 * COM method: the {@code IID} is 1, and the overlapped file is 2 if there is one.
 */
public final class NdAdapter extends NdObject {

    private final Device device;
    private final NdContext context;
    private final InetSocketAddress[] addresses;
    private final Set<NdMemoryWindow> windows = ConcurrentHashMap.newKeySet();

    private NdAdapter(Device device, NdProfile profile) {
        this.device = device;
        this.context = new NdContext(device, profile, NdCompletionQueue::announced);
        this.addresses =
                new InetSocketAddress[] {new InetSocketAddress(device.gid().toInetAddress(), 0)};
    }

    static NdAdapter open(Device device, NdProfile profile) {
        return make(() -> new NdAdapter(device, profile));
    }

    /** What its objects share. */
    NdContext context() {
        return context;
    }

    @Override
    ObjectCalls calls() {
        return context.calls();
    }

    /** Events of all connectors; their channel is opened with the first one. */
    private synchronized ConnectionDispatcher connections() {
        ConnectionDispatcher known = context.progress().connections();
        if (known == null) {
            known = new ConnectionDispatcher(
                    openEvents(), calls(), context.progress(), () -> true, NdConnection::dispatch);
            context.progress().connections(known);
        }
        return known;
    }

    private EventChannel openEvents() {
        return EventChannel.open(
                device, CmOptions.USUAL.withAnswersDisconnects(context.profile().autoDrep()));
    }

    // What there is to know.

    /** The limits and features of the adapter, as version 2 of NetworkDirect names them. */
    public NdAdapterInfo query() {
        return context.info();
    }

    /**
     * The same as the structure {@code ND2_ADAPTER_INFO}, in native byte order from the buffer's position on.
     *
     * @param buffer begins with the version that is wanted, 1 or 0x20000; null to ask for the size
     * @param size set to the size of the structure
     * @return SUCCESS; BUFFER_OVERFLOW if the buffer is too small, which is not changed then; INVALID_PARAMETER for another version
     */
    public NdStatus query(@Nullable ByteBuffer buffer, NdSize size) {
        size.value(NdAdapterInfo.BYTES);
        return buffer == null || buffer.remaining() < NdAdapterInfo.BYTES
                ? NdStatus.BUFFER_OVERFLOW
                : context.info().writeTo(buffer);
    }

    /**
     * The adapter's addresses, with port 0.
     *
     * @param list receives the addresses; if it is null or too short the result is BUFFER_OVERFLOW and it is not changed
     * @param count set to the number of addresses
     */
    public NdStatus queryAddressList(InetSocketAddress @Nullable [] list, NdSize count) {
        return count.copy(addresses, list);
    }

    // What is made from it.

    /** An overlapped file, which asynchronous objects are created with; a completion port may be associated with it. */
    public NdOverlappedFile createOverlappedFile() {
        requireOpen();
        return new NdOverlappedFile(context);
    }

    /** INVALID_PARAMETER_3: depth. */
    public NdCompletionQueue createCompletionQueue(NdOverlappedFile file, int depth, int group, long affinity) {
        requireOpen(file);
        checkRange(3, "queueDepth", depth, 1, query().maxCompletionQueueDepth());
        return create(() -> new NdCompletionQueue(context, file, depth, group, affinity));
    }

    /** An object to register memory with. */
    public NdMemoryRegion createMemoryRegion(NdOverlappedFile file) {
        requireOpen(file);
        return new NdMemoryRegion(context, file);
    }

    /** A memory window, which is not bound yet. */
    public NdMemoryWindow createMemoryWindow() {
        requireOpen();
        NdMemoryWindow window = create(() -> new NdMemoryWindow(context, this::windowEnded));
        windows.add(window);
        return window;
    }

    /** INVALID_PARAMETER_3: depth, 4: elements, 5: threshold, which 0 turns off. NOT_SUPPORTED if the device has none. */
    public NdSharedReceiveQueue createSharedReceiveQueue(
            NdOverlappedFile file, int depth, int maxRequestSge, int notifyThreshold, int group, long affinity) {
        requireOpen(file);
        if (query().maxSharedReceiveQueueDepth() == 0) {
            throw new NdException(NdStatus.NOT_SUPPORTED, "the device has no shared receive queues");
        }
        checkRange(3, "queueDepth", depth, 1, query().maxSharedReceiveQueueDepth());
        checkRange(4, "maxRequestSge", maxRequestSge, 0, query().maxReceiveSge());
        checkRange(5, "notifyThreshold", notifyThreshold, 0, depth);
        return create(
                () -> new NdSharedReceiveQueue(context, file, depth, maxRequestSge, notifyThreshold, group, affinity));
    }

    /**
     * A queue pair with a receive queue of its own. Both completion queues may be the same object, and may be shorter than the queues.
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
        checkRange(5, "receiveQueueDepth", receiveQueueDepth, 0, query().maxReceiveQueueDepth());
        checkRange(6, "initiatorQueueDepth", initiatorQueueDepth, 0, query().maxInitiatorQueueDepth());
        checkRange(7, "maxReceiveRequestSge", maxReceiveRequestSge, 0, query().maxReceiveSge());
        checkRange(8, "maxInitiatorRequestSge", maxInitiatorRequestSge, 0, query().maxInitiatorSge());
        checkRange(9, "inlineDataSize", inlineDataSize, 0, query().maxInlineDataSize());
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
     * A queue pair that takes its receives from a shared receive queue.
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
        checkRange(6, "initiatorQueueDepth", initiatorQueueDepth, 0, query().maxInitiatorQueueDepth());
        checkRange(7, "maxInitiatorRequestSge", maxInitiatorRequestSge, 0, query().maxInitiatorSge());
        checkRange(8, "inlineDataSize", inlineDataSize, 0, query().maxInlineDataSize());
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
            @Nullable Object ofApplication,
            NdQueuePair.Sizes sizes) {
        return create(() -> {
            NdQueuePair queuePair =
                    new NdQueuePair(context, receiveCq, initiatorCq, srq, ofApplication, sizes, this::queuePairEnded);
            queuePair.start();
            return queuePair;
        });
    }

    /** A connector, for one connection. NOT_SUPPORTED if the device has no connection management. */
    public NdConnector createConnector(NdOverlappedFile file) {
        requireOpen(file);
        return create(() -> new NdConnector(context, file, connections()));
    }

    /** A listener, which accepts connection requests. NOT_SUPPORTED if the device has no connection management. */
    public NdListener createListener(NdOverlappedFile file) {
        requireOpen(file);
        return create(() -> new NdListener(context, file, openEvents()));
    }

    private <T> T create(Supplier<T> maker) {
        return calls().run(() -> make(maker));
    }

    private static <T> T make(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (VerbsException refused) {
            throw new NdException(NdStatuses.ofVerb(refused), refused);
        }
    }

    private <T extends NdOverlappedObject> T mine(int parameter, String name, @Nullable T object) {
        if (object == null || object.isReleased() || !isMine(object.context())) {
            throw new NdException(
                    NdStatus.invalidParameter(parameter),
                    "%s=%s is not of this adapter, or was released",
                    name,
                    String.valueOf(object));
        }
        return object;
    }

    @SuppressWarnings("ReferenceEquality") // the same instance
    private boolean isMine(NdContext other) {
        return other == context;
    }

    private void requireOpen() {
        if (isReleased()) {
            throw new NdException(NdStatus.INVALID_HANDLE, "the adapter was released");
        }
        if (context.isRemoved()) {
            throw new NdException(NdStatus.DEVICE_REMOVED, "device %s is gone", device.name());
        }
    }

    private void requireOpen(NdOverlappedFile file) {
        requireOpen();
        if (!isMine(file.context())) {
            throw new NdException(NdStatus.INVALID_HANDLE, "the overlapped file is of another adapter");
        }
    }

    private static void checkRange(int parameter, String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new NdException(
                    NdStatus.invalidParameter(parameter), "%s=%d is not in %d..%d", name, value, least, most);
        }
    }

    // The end.

    private void windowEnded(NdMemoryWindow window) {
        windows.remove(window);
        context.sweep();
    }

    private void queuePairEnded(QueuePair verbs) {
        windows.forEach(window -> window.queuePairEnds(verbs));
        context.sweep();
    }

    /** Its protection domain and channels are destroyed when all objects that were created from it are. */
    @Override
    void end() {
        context.release();
        ConnectionDispatcher connections = context.progress().connections();
        if (connections != null) {
            context.closeWhenUnused(connections::close);
        }
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
