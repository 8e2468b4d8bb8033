// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queues, memory and messages of one side of {@link Rping}. */
final class RpingEnd implements AutoCloseable {

    /** What the client connects and the server accepts with. */
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.USUAL.withResponderResources(1).withInitiatorDepth(1);

    private static final int QUEUE_ENTRIES = 16;

    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final CompletionWait sent;
    private final CompletionWait received;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;

    RpingEnd(Device device, Duration patience) {
        pd = device.allocatePd();
        sendCq = device.createCq(QUEUE_ENTRIES);
        recvCq = device.createCq(QUEUE_ENTRIES);
        sent = new CompletionWait(sendCq, patience);
        received = new CompletionWait(recvCq, patience);
        outgoing = allocate(RpingMemory.BYTES);
        incoming = allocate(RpingMemory.BYTES);
    }

    ProtectionDomain pd() {
        return pd;
    }

    QpInitAttributes attributes() {
        return QpInitAttributes.rc(sendCq, recvCq, new QpCapabilities(QUEUE_ENTRIES, 2, 1, 1, 0));
    }

    /** Memory that the peer may read and write. */
    MemoryRegion allocate(int bytes) {
        MemoryRegion region = pd.register(
                Memory.allocate(bytes), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
        regions.add(region);
        return region;
    }

    void postReceive(QueuePair qp) {
        qp.postRecv(ReceiveWorkRequest.of(0, incoming.sge()));
    }

    /** Tells the peer where memory is; the server's answers hold nothing that counts. */
    void advertise(QueuePair qp, RpingMemory memory) {
        memory.writeTo(outgoing.memory().buffer());
        execute(qp, SendWorkRequest.send(0, outgoing.sge()));
    }

    /** Posts a request and waits for it. */
    void execute(QueuePair qp, SendWorkRequest request) {
        qp.postSend(request);
        sent.next(request.toString());
    }

    /** Waits for a message; empty if the connection ended instead. */
    Optional<RpingMemory> message(QueuePair qp) {
        Optional<WorkCompletion> completion = received.nextUnlessOver("the peer's message");
        if (completion.isEmpty()) {
            return Optional.empty();
        }
        int length = completion.get().byteLength();
        if (length != RpingMemory.BYTES) {
            throw new InteropException(
                    "the peer sent " + length + " bytes instead of an advertisement of " + RpingMemory.BYTES);
        }
        RpingMemory memory = RpingMemory.parse(incoming.memory().buffer());
        postReceive(qp);
        return Optional.of(memory);
    }

    @Override
    public void close() {
        regions.forEach(MemoryRegion::close);
        sendCq.close();
        recvCq.close();
        pd.close();
    }
}
