// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.interop.PingPongOptions.Service;
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
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queue pairs, memory and receives of one side of {@link PingPong}. */
final class PingPongQueues implements AutoCloseable {

    static final long RECEIVE_ID = 1;
    static final long SEND_ID = 2;

    private static final int QUEUE_KEY = 0x1111_1111;
    private static final int MOST_PSN = 0x0100_0000;
    private static final int SPARE_RECEIVES = 14;
    private static final int LIST_OF_SRQ = 256;

    private final PingPongOptions options;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion received;
    private final MemoryRegion sent;
    private final @Nullable SharedReceiveQueue srq;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<PeerAddress> own = new ArrayList<>();
    private List<PeerAddress> peers = List.of();
    private @Nullable AddressHandle handle;

    PingPongQueues(Device device, PingPongOptions options) {
        this.options = options;
        pd = device.allocatePd();
        int receives = 2 * options.queuePairs() + SPARE_RECEIVES;
        cq = device.createCq(receives + 2 * options.queuePairs());
        received = register();
        sent = register();
        srq = options.service() == Service.SRQ ? pd.createSrq(SrqInitAttributes.basic(receives)) : null;
        SecureRandom random = new SecureRandom();
        for (int index = 0; index < options.queuePairs(); index++) {
            QueuePair qp = pd.createQp(attributes(receives));
            queuePairs.add(qp);
            own.add(PeerAddress.of(qp, random.nextInt(MOST_PSN)));
        }
    }

    private MemoryRegion register() {
        return pd.register(Memory.allocate(offset() + options.sizeBytes()), AccessFlags.LOCAL_WRITE);
    }

    private QpInitAttributes attributes(int receives) {
        QpCapabilities sizes = new QpCapabilities(2, receives, 1, 1, 0);
        return switch (options.service()) {
            case RC -> QpInitAttributes.rc(cq, cq, sizes);
            case UC -> QpInitAttributes.uc(cq, cq, sizes);
            case UD -> QpInitAttributes.ud(cq, cq, sizes);
            case SRQ ->
                srq == null
                        ? QpInitAttributes.rc(cq, cq, sizes)
                        : QpInitAttributes.rc(cq, cq, sizes).withSrq(srq);
        };
    }

    /** Where messages begin: a datagram is received behind its GRH. */
    int offset() {
        return options.service() == Service.UD ? Grh.BYTES : 0;
    }

    /** Its addresses; that of a shared receive queue is always a list of 256. */
    List<PeerAddress> addresses() {
        List<PeerAddress> all = new ArrayList<>(own);
        while (options.service() == Service.SRQ && all.size() < LIST_OF_SRQ) {
            all.add(PeerAddress.NONE);
        }
        return all;
    }

    /** Takes all queue pairs to RTS, and posts the receives. */
    void connect(List<PeerAddress> peerAddresses) {
        peers = List.copyOf(peerAddresses);
        for (int index = 0; index < queuePairs.size(); index++) {
            connect(queuePairs.get(index), own.get(index).psn(), peers.get(index));
        }
        for (int count = 0; count < 2 * options.queuePairs() + SPARE_RECEIVES; count++) {
            postReceive();
        }
    }

    private void connect(QueuePair qp, int psn, PeerAddress peer) {
        switch (options.service()) {
            case RC, SRQ -> {
                RcConnection connection = RcConnection.USUAL.withDepth(1).withPathMtu(options.mtu());
                connection.readyToReceive(qp, peer.endpoint());
                connection.readyToSend(qp, psn);
            }
            case UC -> {
                UcConnection connection = UcConnection.USUAL.withPathMtu(options.mtu());
                connection.readyToReceive(qp, peer.endpoint());
                connection.readyToSend(qp, psn);
            }
            case UD -> {
                UdReadiness readiness = new UdReadiness(QUEUE_KEY);
                readiness.readyToReceive(qp);
                readiness.readyToSend(qp, psn);
                handle = pd.createAddressHandle(AddressVector.to(peer.gid()));
            }
        }
    }

    void postReceive() {
        ReceiveWorkRequest request = ReceiveWorkRequest.of(RECEIVE_ID, received.sge(0, offset() + options.sizeBytes()));
        if (srq == null) {
            queuePairs.get(0).postRecv(request);
        } else {
            srq.postRecv(request);
        }
    }

    /** Posts the message of queue pair {@code index}: the one that was received last, or one of its own. */
    void postSend(int index, boolean echo) {
        MemoryRegion message = echo ? received : sent;
        SendWorkRequest request = SendWorkRequest.send(SEND_ID, message.sge(offset(), options.sizeBytes()));
        if (handle != null) {
            request = request.to(handle, peers.get(index).qpNumber(), QUEUE_KEY);
        }
        queuePairs.get(index).postSend(request);
    }

    /** The index of a queue pair. */
    int indexOf(int qpNumber) {
        for (int index = 0; index < queuePairs.size(); index++) {
            if (queuePairs.get(index).number() == qpNumber) {
                return index;
            }
        }
        throw new InteropException(
                "a completion names queue pair 0x" + Integer.toHexString(qpNumber) + ", which is none of this program");
    }

    CompletionQueue cq() {
        return cq;
    }

    Memory received() {
        return received.memory();
    }

    Memory sent() {
        return sent.memory();
    }

    @Override
    public void close() {
        queuePairs.forEach(QueuePair::close);
        if (srq != null) {
            srq.close();
        }
        if (handle != null) {
            handle.close();
        }
        sent.close();
        received.close();
        cq.close();
        pd.close();
    }
}
