// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.interop.InteropException;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node whose device is one of this JVM. */
public final class LocalNode implements WalkNode {

    private static final int ENTRIES = 64;
    private static final QpCapabilities SIZES = new QpCapabilities(ENTRIES, ENTRIES, 1, 1, 0);
    private static final int RNR_TIMER = 12;

    private final Device device;
    private final ProtectionDomain pd;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<MemoryWindow> windows = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<AddressHandle> handles = new ArrayList<>();
    private final List<CompletionQueue> queues = new ArrayList<>();
    private @Nullable SharedReceiveQueue srq;

    public LocalNode(Device device) {
        this.device = device;
        this.pd = device.allocatePd();
    }

    @Override
    public void settle() {
        // Each verb is done when it returns.
    }

    @Override
    public Gid gid() {
        return device.gid();
    }

    @Override
    public Region register(int lengthBytes, int access) {
        MemoryRegion region = pd.register(Memory.allocate(lengthBytes), access);
        regions.add(region);
        return new Region(regions.size() - 1, region.address(), region.lkey(), region.rkey());
    }

    @Override
    public void deregister(Region region) {
        regions.get(region.number()).close();
    }

    @Override
    public int allocateWindow(int type) {
        windows.add(pd.allocateWindow(type == 1 ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2));
        return windows.size() - 1;
    }

    @Override
    public int bind(Pair pair, int window, Region region, int offset, int lengthBytes, int access) {
        MemoryWindow bound = windows.get(window);
        BindInfo info = new BindInfo(regions.get(region.number()), region.address() + offset, lengthBytes, access);
        if (bound.type() == MemoryWindowType.TYPE_1) {
            qp(pair).bindWindow(bound, WindowBind.signaled(0, info));
            return bound.rkey();
        }
        SendWorkRequest request = SendWorkRequest.bindWindow(0, bound, bound.currentRkey() + 1, info);
        qp(pair).postSend(request);
        return request.boundKey();
    }

    @Override
    public void createSrq() {
        srq = pd.createSrq(SrqInitAttributes.basic(ENTRIES));
    }

    @Override
    public Pair createQp(QpType type, boolean shared) {
        CompletionQueue send = device.createCq(ENTRIES);
        CompletionQueue receive = device.createCq(ENTRIES);
        queues.add(send);
        queues.add(receive);
        QpInitAttributes attributes =
                new QpInitAttributes(type, send, receive, SIZES, false, null, shared ? srq : null);
        QueuePair qp = pd.createQp(attributes);
        pairs.add(qp);
        return new Pair(pairs.size() - 1, qp.number());
    }

    private QueuePair qp(Pair pair) {
        return pairs.get(pair.number());
    }

    @Override
    public void connect(Pair pair, Connection connection) {
        QueuePair qp = qp(pair);
        RcConnection.Endpoint peer = new RcConnection.Endpoint(connection.gid(), connection.qpNumber(), 0);
        switch (qp.initAttributes().type()) {
            case UD -> new UdReadiness(connection.qpNumber()).toRts(qp);
            case UC -> {
                UcConnection uc =
                        UcConnection.USUAL.withAccess(connection.access()).withPathMtu(connection.mtu());
                uc.readyToReceive(qp, peer);
                uc.readyToSend(qp, 0);
            }
            default -> {
                RcConnection rc = RcConnection.USUAL
                        .withAccess(connection.access())
                        .withPathMtu(connection.mtu())
                        .withRetries(connection.timeout(), connection.retries(), connection.rnrRetries(), RNR_TIMER);
                rc.readyToReceive(qp, peer);
                rc.readyToSend(qp, 0);
            }
        }
    }

    @Override
    public void postReceive(Pair pair, long id, Sge element, boolean shared) {
        ReceiveWorkRequest request = ReceiveWorkRequest.of(id, element);
        if (shared && srq != null) {
            srq.postRecv(request);
        } else {
            qp(pair).postRecv(request);
        }
    }

    @Override
    public void postSend(Pair pair, SendWorkRequest request) {
        qp(pair).postSend(request);
    }

    @Override
    public void postDatagram(Pair pair, SendWorkRequest request, Gid gid, int qpNumber, int queueKey) {
        AddressHandle handle = pd.createAddressHandle(AddressVector.to(gid));
        handles.add(handle);
        qp(pair).postSend(request.to(handle, qpNumber, queueKey));
    }

    @Override
    public Optional<Done> awaitSend(Pair pair, Duration patience) {
        return await(qp(pair).initAttributes().sendCq(), patience);
    }

    @Override
    public Optional<Done> awaitReceive(Pair pair, Duration patience) {
        return await(qp(pair).initAttributes().recvCq(), patience);
    }

    private static Optional<Done> await(CompletionQueue cq, Duration patience) {
        try {
            WorkCompletion wc = cq.awaitCompletion(patience);
            int value = wc.has(WcFlags.WITH_INV) ? wc.invalidatedKey() : wc.immediate();
            return Optional.of(new Done(
                    wc.id(), wc.status(), wc.opcode().number(), Integer.toUnsignedLong(wc.byteLength()), value));
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return Optional.empty();
            }
            throw new InteropException("waiting for a completion failed", e);
        }
    }

    @Override
    public byte[] load(Region region, int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        regions.get(region.number()).memory().buffer().get(offset, bytes);
        return bytes;
    }

    @Override
    public void store(Region region, int offset, byte[] bytes) {
        regions.get(region.number()).memory().buffer().put(offset, bytes);
    }

    @Override
    public void fill(Region region, int lengthBytes, int first) {
        store(region, 0, WalkNode.pattern(lengthBytes, first));
    }

    @Override
    public QpState state(Pair pair) {
        return qp(pair).state();
    }

    @Override
    public void closeQp(Pair pair) {
        qp(pair).close();
    }

    /** Closes all objects of the device. */
    @Override
    public void close() {
        device.closeAll();
    }
}
