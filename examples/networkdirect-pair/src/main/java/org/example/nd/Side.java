// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.nd;

import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdObject;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdOverlappedObject;
import dev.verbatim.networkdirect.NdProvider;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** What each side of a connection has: an adapter, a completion queue, a queue pair, a connector, and a registered buffer. */
final class Side implements AutoCloseable {
    static final int BYTES = 4096;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final NdAdapter adapter;
    final NdOverlappedFile file;
    final NdCompletionQueue cq;
    final NdQueuePair qp;
    final NdConnector connector;
    final Memory memory = Memory.allocate(BYTES);
    final NdMemoryRegion region;

    Side(Device device) {
        adapter = NdProvider.of(device).openAdapter(device.query().guid());
        file = adapter.createOverlappedFile();
        cq = adapter.createCompletionQueue(file, 16, 0, 0);
        qp = adapter.createQueuePair(cq, cq, "queue pair", 8, 8, 1, 1, 0);
        connector = adapter.createConnector(file);
        region = adapter.createMemoryRegion(file);
        await(region, overlapped -> region.register(memory, 0, BYTES, NdMrFlags.ALLOW_LOCAL_WRITE, overlapped));
    }

    /** The adapter's address with a port. */
    InetSocketAddress address(int port) {
        InetSocketAddress[] own = new InetSocketAddress[1];
        check(adapter.queryAddressList(own, new NdSize()));
        return new InetSocketAddress(own[0].getAddress(), port);
    }

    NdSge[] sge(int offset, int lengthBytes) {
        return new NdSge[] {region.sge(offset, lengthBytes)};
    }

    /** Carries out an overlapped request, and waits for its end if it is pending. */
    static void await(NdOverlappedObject object, Function<NdOverlapped, NdStatus> request) {
        NdOverlapped overlapped = new NdOverlapped();
        NdStatus status = request.apply(overlapped);
        check(status.equals(NdStatus.PENDING) ? object.getOverlappedResult(overlapped, PATIENCE) : status);
    }

    /** The next result; waits for it by Notify. */
    NdResult result() {
        NdResult[] one = NdResult.array(1);
        while (cq.getResults(one) == 0) {
            await(cq, overlapped -> cq.notify(NdNotifyType.ANY, overlapped));
        }
        return one[0];
    }

    /** The next result, which has to be a success. */
    NdResult succeeded() {
        NdResult result = result();
        if (!result.status().equals(NdStatus.SUCCESS)) {
            throw new IllegalStateException(result.explanation());
        }
        return result;
    }

    static void check(NdStatus status) {
        if (status.isFailure()) {
            throw new IllegalStateException(status.explanation());
        }
    }

    @Override
    public void close() {
        for (NdObject each : List.<NdObject>of(region, connector, qp, cq, adapter)) {
            each.close();
        }
    }
}
