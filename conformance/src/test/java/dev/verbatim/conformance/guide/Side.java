// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;

/** One side with one of everything. */
record Side(Device device, ProtectionDomain pd, CompletionQueue cq, QueuePair qp, MemoryRegion region) {

    private static final int REGION_BYTES = 8192;
    private static final int CQ_ENTRIES = 64;
    private static final int FIRST_PSN = 100;

    /** A side whose queue pair is not connected yet. */
    static Side open(Device device, AddressSpace addresses, int access) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(CQ_ENTRIES);
        QueuePair qp = pd.createQp(QpInitAttributes.rc(cq));
        return new Side(device, pd, cq, qp, pd.register(addresses.allocate(REGION_BYTES), access));
    }

    /** The same with another queue pair. */
    Side further() {
        return new Side(device, pd, cq, pd.createQp(QpInitAttributes.rc(cq)), region);
    }

    void connect(Side peer) {
        connectTo(peer, RcConnection.USUAL);
        peer.connectTo(this, RcConnection.USUAL);
    }

    /** Connects this side only, from whatever state. */
    void connectTo(Side peer, RcConnection connection) {
        qp.modify(new QpAttributes().state(QpState.RESET));
        connection.readyToReceive(qp, RcConnection.Endpoint.of(peer.qp, FIRST_PSN));
        connection.readyToSend(qp, FIRST_PSN);
    }

    String name() {
        return device.name();
    }

    /** Posts a request and waits for its completion. */
    WorkCompletion done(SendWorkRequest request) {
        qp.postSend(request);
        return next();
    }

    /** The same for a bind by the verb. */
    WorkCompletion done(MemoryWindow window, WindowBind bind) {
        qp.bindWindow(window, bind);
        return next();
    }

    /** Posts a bind of a window of type 2, waits for its completion, and tells the key. */
    int bound(MemoryWindow window, int variant, BindInfo info) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, variant, info);
        done(bind);
        return bind.boundKey();
    }

    WorkCompletion next() {
        return cq.awaitCompletion(Await.LIMIT);
    }

    /** The next event of the device; it is of this queue pair's end, and acknowledged. */
    AsyncEvent nextEvent() {
        AsyncEvent event = device.getAsyncEvent(Await.LIMIT);
        event.acknowledge();
        return event;
    }

    MemoryWindow window(MemoryWindowType type) {
        return pd.allocateWindow(type);
    }

    /** A part of the region that peers may read and write. */
    BindInfo part(int offset, int lengthBytes) {
        return part(offset, lengthBytes, AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
    }

    BindInfo part(int offset, int lengthBytes, int access) {
        return new BindInfo(region, region.address() + offset, lengthBytes, access);
    }

    Sge sge(int lengthBytes) {
        return region.sge(0, lengthBytes);
    }
}
