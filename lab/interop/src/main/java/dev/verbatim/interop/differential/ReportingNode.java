// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.interop.walk.WalkNode;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.trace.TraceEvent.SendPosted;
import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A node that tells the oracle what its programs do, since nobody traces its device. */
final class ReportingNode implements WalkNode {

    private final WalkNode node;
    private final String name;
    private final Tap oracle;
    private final AtEnd atEnd;

    /** Takes memory as it is when nothing is left to happen. */
    interface AtEnd {
        void memory(long address, ByteBuffer data);
    }

    /**
     * Reports.
     *
     * @param name of the device in the reports
     * @param oracle takes what happens
     * @param atEnd takes what is loaded; programs load at their end only
     */
    ReportingNode(WalkNode node, String name, Tap oracle, AtEnd atEnd) {
        this.node = node;
        this.name = name;
        this.oracle = oracle;
        this.atEnd = atEnd;
    }

    private void report(TraceEvent event) {
        oracle.on(event);
    }

    private void key(int key, long address, long lengthBytes, String what) {
        report(new KeyChanged(0, name, key, true, address, address, lengthBytes, true, what));
    }

    @Override
    public void settle() {
        node.settle();
    }

    @Override
    public Gid gid() {
        return node.gid();
    }

    @Override
    public Region register(int lengthBytes, int access) {
        Region region = node.register(lengthBytes, access);
        key(region.lkey(), region.address(), lengthBytes, "region");
        if (region.rkey() != region.lkey()) {
            key(region.rkey(), region.address(), lengthBytes, "region");
        }
        return region;
    }

    @Override
    public void deregister(Region region) {
        node.deregister(region);
    }

    @Override
    public int allocateWindow(int type) {
        return node.allocateWindow(type);
    }

    @Override
    public int bind(Pair pair, int window, Region region, int offset, int lengthBytes, int access) {
        int key = node.bind(pair, window, region, offset, lengthBytes, access);
        key(key, region.address() + offset, lengthBytes, "window");
        return key;
    }

    @Override
    public void createSrq() {
        node.createSrq();
    }

    @Override
    public Pair createQp(QpType type, boolean shared) {
        return node.createQp(type, shared);
    }

    @Override
    public void connect(Pair pair, Connection connection) {
        node.connect(pair, connection);
    }

    @Override
    public void postReceive(Pair pair, long id, Sge element, boolean shared) {
        ReceiveWorkRequest request = ReceiveWorkRequest.of(id, element);
        report(
                shared
                        ? new SharedReceivePosted(0, name, 1, request)
                        : new ReceivePosted(0, name, pair.qpNumber(), request));
        node.postReceive(pair, id, element, shared);
    }

    @Override
    public void postSend(Pair pair, SendWorkRequest request) {
        posted(pair, request);
        node.postSend(pair, request);
    }

    @Override
    public void postDatagram(Pair pair, SendWorkRequest request, Gid gid, int qpNumber, int queueKey) {
        posted(pair, request);
        node.postDatagram(pair, request, gid, qpNumber, queueKey);
    }

    private void posted(Pair pair, SendWorkRequest request) {
        report(new SendPosted(0, name, pair.qpNumber(), request, request.has(SendFlags.SIGNALED)));
    }

    @Override
    public Optional<Done> awaitSend(Pair pair, Duration patience) {
        Optional<Done> done = node.awaitSend(pair, patience);
        done.filter(one -> one.opcode() != WcOpcode.BIND_MW.number())
                .ifPresent(one -> completed(pair, one, WcOpcode.SEND));
        return done;
    }

    @Override
    public Optional<Done> awaitReceive(Pair pair, Duration patience) {
        Optional<Done> done = node.awaitReceive(pair, patience);
        done.ifPresent(one -> completed(pair, one, WcOpcode.RECV));
        return done;
    }

    /** What failed has no certain opcode. */
    private void completed(Pair pair, Done done, WcOpcode uncertain) {
        WcOpcode opcode = Arrays.stream(WcOpcode.values())
                .filter(one -> one.number() == done.opcode() && one.isReceive() == uncertain.isReceive())
                .findFirst()
                .orElse(uncertain);
        report(new Completed(
                0, name, pair.qpNumber(), 0, done.id(), done.status(), opcode, (int) done.lengthBytes(), null));
    }

    @Override
    public byte[] load(Region region, int offset, int lengthBytes) {
        byte[] bytes = node.load(region, offset, lengthBytes);
        atEnd.memory(region.address() + offset, ByteBuffer.wrap(bytes.clone()));
        return bytes;
    }

    @Override
    public void store(Region region, int offset, byte[] bytes) {
        report(new ProgramTouched(0, name, true, region.address() + offset, ByteBuffer.wrap(bytes.clone())));
        node.store(region, offset, bytes);
    }

    @Override
    public void fill(Region region, int lengthBytes, int first) {
        byte[] bytes = WalkNode.pattern(lengthBytes, first);
        report(new ProgramTouched(0, name, true, region.address(), ByteBuffer.wrap(bytes)));
        node.fill(region, lengthBytes, first);
    }

    @Override
    public QpState state(Pair pair) {
        return node.state(pair);
    }

    @Override
    public void closeQp(Pair pair) {
        node.closeQp(pair);
    }

    @Override
    public void close() {
        node.close();
    }
}
