// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.CmId;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;

/** One identifier of {@link Udaddy}, with its queue pair, queues and memory. Closing it closes the identifier, too. */
final class UdaddyNode implements AutoCloseable {

    private final CmId id;
    private final MessageOptions options;
    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final MemoryRegion memory;
    private final QueuePair qp;

    UdaddyNode(CmId id, MessageOptions options) {
        this.id = id;
        this.options = options;
        Device device = id.device();
        pd = device.allocatePd();
        sendCq = device.createCq(options.messages());
        recvCq = device.createCq(options.messages());
        memory = pd.register(Memory.allocate(Grh.BYTES + options.sizeBytes()), AccessFlags.LOCAL_WRITE);
        QpCapabilities sizes = new QpCapabilities(options.messages(), options.messages(), 1, 1, 0);
        qp = id.createQp(pd, QpInitAttributes.ud(sendCq, recvCq, sizes));
        for (int count = 0; count < options.messages(); count++) {
            qp.postRecv(ReceiveWorkRequest.of(count, memory.sge()));
        }
    }

    QueuePair qp() {
        return qp;
    }

    /** The header of the datagram that came last. */
    Grh grh() {
        return Grh.parse(memory.memory().buffer(), 0);
    }

    WorkCompletion receive(String what) {
        WorkCompletion completion = new CompletionWait(recvCq, options.patience()).next(what);
        int length = completion.byteLength() - Grh.BYTES;
        if (length != options.sizeBytes()) {
            throw new InteropException(
                    what + " has " + length + " bytes instead of " + options.sizeBytes() + "; use the same size");
        }
        return completion;
    }

    /** Sends all messages, and waits until they were sent. */
    void send(AddressVector address, int remoteQp, int queueKey) {
        AddressHandle handle = pd.createAddressHandle(address);
        try {
            for (int count = 0; count < options.messages(); count++) {
                qp.postSend(SendWorkRequest.sendWithImmediate(
                                count, qp.number(), memory.sge(Grh.BYTES, options.sizeBytes()))
                        .to(handle, remoteQp, queueKey));
            }
            CompletionWait wait = new CompletionWait(sendCq, options.patience());
            for (int count = 0; count < options.messages(); count++) {
                wait.next("a datagram that was sent");
            }
        } finally {
            handle.close();
        }
    }

    @Override
    public void close() {
        id.destroyQp();
        id.close();
        memory.close();
        sendCq.close();
        recvCq.close();
        pd.close();
    }
}
