// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One side of a connection in the words of NetworkDirect: an adapter with one of everything. Its queue pair is connected without a connector. */
public final class NdSide {

    /** Bytes of the memory that each side has. */
    public static final int BYTES = 1 << 16;

    /** All rights that a region can have here. */
    public static final int ALL_RIGHTS = NdMrFlags.ALLOW_REMOTE_READ | NdMrFlags.ALLOW_REMOTE_WRITE;

    /** How large a side's queues are. */
    public record Sizes(int cqDepth, int receiveDepth, int initiatorDepth, int sge, int inlineBytes) {

        /** Room enough. */
        public static final Sizes USUAL = new Sizes(256, 64, 64, 4, 256);

        public Sizes initiatorDepth(int value) {
            return new Sizes(cqDepth, receiveDepth, value, sge, inlineBytes);
        }

        public Sizes cqDepth(int value) {
            return new Sizes(value, receiveDepth, initiatorDepth, sge, inlineBytes);
        }
    }

    public final NdAdapter adapter;
    public final NdOverlappedFile file;
    public final NdCompletionQueue cq;
    public final NdQueuePair qp;
    public final Memory memory;
    public final NdMemoryRegion mr;
    private final Sizes sizes;
    private final List<NdQueuePair> queuePairs = new ArrayList<>();

    /** Bytes that are read and written with all rights, and a queue pair that is not connected yet. */
    public NdSide(Device device, NdProfile profile, Sizes sizes) {
        this.sizes = sizes;
        NdProvider provider = NdProvider.of(profile, device);
        adapter = provider.openAdapter(device.query().guid());
        file = adapter.createOverlappedFile();
        cq = adapter.createCompletionQueue(file, sizes.cqDepth(), 0, 0);
        qp = newQueuePair("qp");
        memory = Memory.allocate(BYTES);
        mr = register(memory, ALL_RIGHTS);
    }

    public NdSide(Device device) {
        this(device, NdProfile.REFERENCE, Sizes.USUAL);
    }

    /** One more queue pair on the same completion queue. */
    public NdQueuePair newQueuePair(Object context) {
        NdQueuePair made = adapter.createQueuePair(
                cq,
                cq,
                context,
                sizes.receiveDepth(),
                sizes.initiatorDepth(),
                sizes.sge(),
                sizes.sge(),
                sizes.inlineBytes());
        queuePairs.add(made);
        return made;
    }

    /** A region of some memory. */
    public NdMemoryRegion register(Memory bytes, int flags) {
        NdMemoryRegion region = adapter.createMemoryRegion(file);
        NdOverlapped overlapped = NdOverlapped.suppressPort();
        NdStatus status = region.register(bytes, 0, bytes.sizeBytes(), flags, overlapped);
        assertThat(status.isFailure()).as("register: %s", status).isFalse();
        assertThat(region.getOverlappedResult(overlapped, true)).isEqualTo(NdStatus.SUCCESS);
        return region;
    }

    // Connections with a connector.

    /** A listener at any port of this side. */
    public NdListener listen(int backlog) {
        NdListener listener = adapter.createListener(file);
        assertThat(listener.bind(ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
        assertThat(listener.listen(backlog)).isEqualTo(NdStatus.SUCCESS);
        return listener;
    }

    /** The adapter's address with that port. */
    public InetSocketAddress ownAddress(int port) {
        InetSocketAddress[] own = new InetSocketAddress[1];
        assertThat(adapter.queryAddressList(own, new NdSize())).isEqualTo(NdStatus.SUCCESS);
        return new InetSocketAddress(own[0].getAddress(), port);
    }

    /** A connector with a local address. */
    public NdConnector bound() {
        NdConnector connector = adapter.createConnector(file);
        assertThat(connector.bind(ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
        return connector;
    }

    /** Where a listener listens. */
    public static InetSocketAddress addressOf(NdListener listener) {
        InetSocketAddress[] address = new InetSocketAddress[1];
        assertThat(listener.getLocalAddress(address, new NdSize())).isEqualTo(NdStatus.SUCCESS);
        return address[0];
    }

    /** Connects the queue pairs of two sides as programs do; the connectors of both, that of who asked first. */
    public static List<NdConnector> meet(NdSide asking, NdSide asked) {
        NdListener listener = asked.listen(1);
        NdConnector active = asking.bound();
        NdConnector passive = asked.adapter.createConnector(asked.file);
        Supplier<NdStatus> connected =
                start(active, o -> active.connect(asking.qp, addressOf(listener), 16, 16, null, o));
        assertThat(await(listener, o -> listener.getConnectionRequest(passive, o)))
                .isEqualTo(NdStatus.SUCCESS);
        Supplier<NdStatus> accepted = start(passive, o -> passive.accept(asked.qp, 16, 16, null, o));
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(await(active, active::completeConnect)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        listener.release();
        return List.of(active, passive);
    }

    /** A call that asks for something that may take time. */
    @FunctionalInterface
    public interface Call {
        NdStatus with(NdOverlapped overlapped);
    }

    /** How a call ends, at once or later. */
    public static NdStatus await(NdOverlappedObject object, Call call) {
        return start(object, call).get();
    }

    /** A call, and how it ends when that is asked for. */
    public static Supplier<NdStatus> start(NdOverlappedObject object, Call call) {
        NdOverlapped overlapped = new NdOverlapped();
        NdStatus now = call.with(overlapped);
        return () -> now.equals(NdStatus.PENDING) ? object.getOverlappedResult(overlapped, Await.LIMIT) : now;
    }

    /** What of the adapter is still there or pending, when everything was released; nothing, if nothing was forgotten. */
    public List<Object> leftovers() {
        List<Object> left = new ArrayList<>(adapter.context().progress().awaited());
        if (adapter.context().hasUnused()) {
            left.add("something that others rest on");
        }
        return left;
    }

    /** What the side is made of, in an order in which verbs would not let it be destroyed. */
    public List<NdObject> parts() {
        List<NdObject> parts = new ArrayList<>(List.of(mr, cq));
        parts.addAll(queuePairs);
        parts.add(adapter);
        return parts;
    }

    /** How a deregistration ends, at once or later. */
    public NdStatus deregister(NdMemoryRegion region) {
        NdOverlapped overlapped = NdOverlapped.suppressPort();
        NdStatus status = region.deregister(overlapped);
        return status.equals(NdStatus.PENDING) ? region.getOverlappedResult(overlapped, true) : status;
    }

    public ByteBuffer bytes() {
        return memory.buffer();
    }

    public NdSge[] sge(int offset, int lengthBytes) {
        return new NdSge[] {mr.sge(offset, lengthBytes)};
    }

    public long address(int offset) {
        return mr.addressOf(offset);
    }

    /** The next result; waits for it with Notify, as a program does. */
    public NdResult result() {
        return result(cq);
    }

    /** The next result of that queue. */
    public static NdResult result(NdCompletionQueue queue) {
        NdResult result = poll(queue);
        while (result == null) {
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus status = queue.notify(NdNotifyType.ANY, overlapped);
            assertThat(status).isEqualTo(NdStatus.PENDING);
            assertThat(queue.getOverlappedResult(overlapped, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
            result = poll(queue);
        }
        return result;
    }

    /** A result if there is one. */
    public @Nullable NdResult poll() {
        return poll(cq);
    }

    /** A result of that queue if there is one. */
    public static @Nullable NdResult poll(NdCompletionQueue queue) {
        NdResult[] one = NdResult.array(1);
        return queue.getResults(one) == 1 ? one[0] : null;
    }

    /** The next result, which is what is said. */
    public NdResult expect(NdStatus status, NdRequestType type, Object context) {
        NdResult result = result();
        assertThat(result.status()).as("%s", result).isEqualTo(status);
        assertThat(result.requestType()).as("%s", result).isEqualTo(type);
        assertThat(result.requestContext()).as("%s", result).isEqualTo(context);
        return result;
    }

    /** The next result, which is a success. */
    public NdResult succeeds(NdRequestType type, Object context) {
        return expect(NdStatus.SUCCESS, type, context);
    }

    // Connections without a connector.

    /** Connects the queue pairs of two sides, 16 Reads in each direction. */
    public static void connect(NdSide left, NdSide right) {
        connect(left.qp, right.qp, 16, 16);
    }

    /**
     * Connects two queue pairs.
     *
     * @param leftReads Reads that the left one may have under way, and the right one serves
     * @param rightReads the other way round
     */
    public static void connect(NdQueuePair left, NdQueuePair right, int leftReads, int rightReads) {
        QueuePair one = left.verbs();
        QueuePair other = right.verbs();
        RcConnection.Endpoint leftEnd = RcConnection.Endpoint.of(one, one.number());
        RcConnection.Endpoint rightEnd = RcConnection.Endpoint.of(other, other.number());
        attributes(right).withDepth(rightReads).readyToReceive(one, rightEnd);
        attributes(left).withDepth(leftReads).readyToReceive(other, leftEnd);
        attributes(left).withDepth(leftReads).readyToSend(one, leftEnd.psn());
        attributes(right).withDepth(rightReads).readyToSend(other, rightEnd.psn());
        left.connected(leftReads);
        right.connected(rightReads);
    }

    /** Connects a queue pair to one of verbs. */
    public static void connect(NdQueuePair left, QueuePair right) {
        QueuePair one = left.verbs();
        attributes(left).join(one, right);
        left.connected(16);
    }

    /** Retries of a sender are what the receiving side needs: an empty shared queue fails nobody. */
    private static RcConnection attributes(NdQueuePair sender) {
        NdProfile profile = sender.context().profile();
        return RcConnection.USUAL
                .withAccess(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE)
                .withRetries(12, 7, profile.plainRnrRetry(), 1);
    }

    /** Connects a queue pair to one that takes its receives from a shared queue. */
    public static void connectToShared(NdQueuePair left, NdQueuePair shared) {
        QueuePair one = left.verbs();
        QueuePair other = shared.verbs();
        NdProfile profile = left.context().profile();
        RcConnection.USUAL
                .withAccess(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE)
                .withRetries(12, 7, profile.srqRnrRetry(), 1)
                .join(one, other);
        left.connected(16);
        shared.connected(16);
    }
}
