// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdProvider;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;

/** The beginning of docs/networkdirect.md. */
public final class Adapters {
    private Adapters() {}

    /** Registers memory with an adapter. */
    public static void main(String[] args) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Device device = rdma.open("left");
            NdAdapter adapter = NdProvider.of(device).openAdapter(device.query().guid());
            NdMemoryRegion mr = adapter.createMemoryRegion(adapter.createOverlappedFile());
            NdOverlapped done = new NdOverlapped();
            mr.register(Memory.allocate(4096), 0, 4096, NdMrFlags.ALLOW_LOCAL_WRITE, done);
            System.out.println(mr.getOverlappedResult(done, true));
        }
    }
}
