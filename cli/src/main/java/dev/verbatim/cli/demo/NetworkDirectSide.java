// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdOverlappedObject;
import dev.verbatim.networkdirect.NdProvider;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one side has in the words of NetworkDirect, and a note of each call and each result. */
final class NetworkDirectSide {

    private static final int QUEUE_DEPTH = 16;
    private static final int ELEMENTS = 1;
    private static final int INLINE_BYTES = 0;

    private final Device device;
    private final StepRecorder recorder;
    private final NdAdapter adapter;
    private final NdOverlappedFile file;
    private final NdCompletionQueue cq;
    private final NdQueuePair qp;
    private final NdMemoryRegion region;
    private final NdMemoryWindow window;
    private final NdConnector connector;
    private final Memory memory;

    NetworkDirectSide(Device device, AddressSpace addresses, StepRecorder recorder) {
        this.device = device;
        this.recorder = recorder;
        this.adapter = NdProvider.of(device).openAdapter(device.query().guid());
        this.file = adapter.createOverlappedFile();
        this.cq = adapter.createCompletionQueue(file, 2 * QUEUE_DEPTH, 0, 0);
        this.qp = adapter.createQueuePair(
                cq, cq, device.name(), QUEUE_DEPTH, QUEUE_DEPTH, ELEMENTS, ELEMENTS, INLINE_BYTES);
        this.region = adapter.createMemoryRegion(file);
        this.window = adapter.createMemoryWindow();
        this.connector = adapter.createConnector(file);
        this.memory = addresses.allocate(NetworkDirectDemo.REGION_BYTES);
    }

    String name() {
        return device.name();
    }

    NdAdapter adapter() {
        return adapter;
    }

    NdOverlappedFile file() {
        return file;
    }

    NdQueuePair qp() {
        return qp;
    }

    NdMemoryRegion region() {
        return region;
    }

    NdMemoryWindow window() {
        return window;
    }

    NdConnector connector() {
        return connector;
    }

    ByteBuffer bytes() {
        return memory.buffer();
    }

    /** The adapter's address, with a port. */
    InetSocketAddress ownAddress(int port) {
        InetSocketAddress[] own = new InetSocketAddress[1];
        NdStatus unused = adapter.queryAddressList(own, new NdSize());
        return new InetSocketAddress(own[0].getAddress(), port);
    }

    NdSge[] sge(int offset, int lengthBytes) {
        return new NdSge[] {region.sge(offset, lengthBytes)};
    }

    void put(int offset, String text) {
        bytes().put(offset, text.getBytes(StandardCharsets.US_ASCII));
    }

    String text(int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        bytes().get(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    void register() {
        requireSuccess(begin(
                        "MemoryRegion.Register",
                        region,
                        overlapped ->
                                region.register(memory, 0, memory.sizeBytes(), NdMrFlags.ALLOW_LOCAL_WRITE, overlapped))
                .get());
    }

    /** A call that is done at once. */
    NdStatus call(String words, Supplier<NdStatus> call) {
        recorder.program(name(), Kind.CALLED, words);
        return call.get();
    }

    /** A call that has to be a success. */
    void does(String words, Supplier<NdStatus> call) {
        requireSuccess(call(words, call));
    }

    private static void requireSuccess(NdStatus status) {
        if (!status.isSuccess()) {
            throw VerbsException.of(Errno.EIO, Rule.UNLISTED, "a call ended with %s; this is a defect", status);
        }
    }

    /** A call that takes time, and how it ends when that is asked for. */
    Supplier<NdStatus> begin(String words, NdOverlappedObject object, Function<NdOverlapped, NdStatus> call) {
        recorder.program(name(), Kind.CALLED, words);
        NdOverlapped overlapped = new NdOverlapped();
        NdStatus now = call.apply(overlapped);
        return () -> {
            NdStatus status =
                    now.equals(NdStatus.PENDING) ? object.getOverlappedResult(overlapped, DemoEndpoint.PATIENCE) : now;
            String name = words.substring(0, words.indexOf('(') < 0 ? words.length() : words.indexOf('('));
            recorder.program(name(), Kind.RETURNED, word(status) + " of " + name);
            return status;
        };
    }

    /** The next result of the completion queue; null if none comes. */
    @Nullable
    NdResult result() {
        NdResult result = poll();
        boolean hopeful = true;
        while (result == null && hopeful) {
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus status = cq.notify(NdNotifyType.ANY, overlapped);
            hopeful = status.equals(NdStatus.PENDING)
                    && cq.getOverlappedResult(overlapped, DemoEndpoint.PATIENCE).isSuccess();
            result = poll();
        }
        if (result != null) {
            recorder.program(name(), Kind.RETURNED, word(result.status()) + " of " + word(result));
        }
        return result;
    }

    private static String word(NdStatus status) {
        return status.isSuccess() ? status.name() : status.toString();
    }

    private static String word(NdResult result) {
        String type = result.requestType().name();
        String received = result.bytesTransferred() == 0 ? "" : ", " + result.bytesTransferred() + " B";
        return type.charAt(0) + type.substring(1).toLowerCase(Locale.ROOT) + received;
    }

    private @Nullable NdResult poll() {
        NdResult[] one = NdResult.array(1);
        return cq.getResults(one) == 1 ? one[0] : null;
    }

    /** Returns when whatever the device was doing is done. */
    void settle() {
        device.allocatePd().close();
    }

    void release() {
        Arrays.asList(connector, window, region, qp, cq, adapter).forEach(part -> part.release());
    }
}
