// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A node of a {@link SmallProgram}: its device, and what is there at the beginning. */
final class SmallNode {

    static final int PORT = 7174;
    static final int QUEUE_KEY = 7;
    /** From here on identifiers are those of receives. */
    static final int FIRST_RECEIVE = 100;

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.FLUSH_GLOBAL;
    private static final QpCapabilities SIZES = new QpCapabilities(8, 8, 1, 1, 8);
    private static final int ENTRIES = 16;
    private static final int BYTES = 64;
    private static final int GRH_BYTES = 40;

    final Simulation simulation;
    final SmallPlan plan;
    final int index;
    final Device device;
    final ProtectionDomain pd;
    /** Null where no program asks for it: with a channel, all that is about completions is one object. */
    final @Nullable CompletionChannel channel;

    final CompletionQueue cq;
    final @Nullable SharedReceiveQueue srq;
    final Memory memory = Memory.allocate(BYTES);
    final MemoryRegion region;
    final MemoryWindow first;
    final MemoryWindow second;
    /** The key of the first window when it was bound once, and of the second. */
    final int firstKey;

    final int secondKey;
    final List<Pair> pairs = new ArrayList<>();
    final @Nullable EventChannel connections;

    @Nullable
    CmId connection;

    /** A queue pair and what is at its other end. */
    static final class Pair {
        final QueuePair qp;
        final SmallNode peer;
        private @Nullable QueuePair remote;
        private @Nullable AddressHandle way;

        private Pair(QueuePair qp, SmallNode peer) {
            this.qp = qp;
            this.peer = peer;
        }

        /** The request, to be posted here; a datagram with the Q_Key that is known there, or with another. */
        SendWorkRequest send(SendWorkRequest request, boolean known) {
            return way == null
                    ? request
                    : request.to(way, Objects.requireNonNull(remote).number(), known ? QUEUE_KEY : QUEUE_KEY + 1);
        }
    }

    SmallNode(Simulation simulation, String name, SmallPlan plan, int index) {
        this.simulation = simulation;
        this.plan = plan;
        this.index = index;
        this.device = simulation.open(name);
        this.pd = device.allocatePd();
        this.channel = plan.isAboutNotices() ? device.createCompletionChannel() : null;
        this.cq = device.createCq(ENTRIES, null, channel, 0);
        this.srq = plan.shared() && index == 1 ? pd.createSrq(SrqInitAttributes.basic(ENTRIES)) : null;
        this.region = pd.register(memory, RIGHTS);
        this.first = pd.allocateWindow(MemoryWindowType.TYPE_1);
        this.second = pd.allocateWindow(MemoryWindowType.TYPE_2);
        this.firstKey = Rkey.increment(first.rkey());
        this.secondKey = Rkey.increment(second.rkey());
        this.connections = plan.features().contains(Feature.CM) ? EventChannel.open(device) : null;
        for (int word = 0; word < SmallPlan.WORDS; word++) {
            memory.buffer().putLong(word * Long.BYTES, firstValue(word));
        }
        if (srq != null) {
            srq.modify(new SrqAttributes(0, 0, 1), SrqAttributes.LIMIT);
        }
    }

    /** What is in a word at the beginning: no two words have the same. */
    long firstValue(int word) {
        return index * SmallPlan.WORDS + word;
    }

    /** Connects the two by one queue pair more. */
    void connect(SmallNode other) {
        Pair here = newPair(other);
        Pair there = other.newPair(this);
        // Datagrams of several queue pairs go to one.
        here.remote = other.firstTo(this);
        there.remote = firstTo(other);
        if (plan.datagrams()) {
            new UdReadiness(QUEUE_KEY).toRts(here.qp, there.qp);
            here.way = pd.createAddressHandle(AddressVector.to(other.device.gid()));
            there.way = other.pd.createAddressHandle(AddressVector.to(device.gid()));
        } else {
            RcConnection.USUAL.withRetries(1, 1, 1, 1).join(here.qp, there.qp);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a node is its identity
    private QueuePair firstTo(SmallNode peer) {
        return pairs.stream().filter(pair -> pair.peer == peer).findFirst().orElseThrow().qp;
    }

    private Pair newPair(SmallNode peer) {
        QpInitAttributes own =
                plan.datagrams() ? QpInitAttributes.ud(cq, cq, SIZES) : QpInitAttributes.rc(cq, cq, SIZES);
        Pair pair = new Pair(pd.createQp(srq == null ? own : own.withSrq(srq)), peer);
        pairs.add(pair);
        return pair;
    }

    /** Does what is done before any program begins. */
    void prepare() {
        if (plan.posted()) {
            pairs.forEach(pair -> receive(pair, 0));
        }
        if (connections != null && index == 1) {
            CmId listener = connections.createId();
            listener.bindAddress(address());
            listener.listen(1);
        }
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return new InetSocketAddress(device.gid().toInetAddress(), PORT);
    }

    /** Posts a receive, to the shared queue where there is one. */
    void receive(Pair pair, int id) {
        int wordBytes = SmallPlan.WORDS * Long.BYTES;
        Sge place = region.sge(0, plan.datagrams() ? GRH_BYTES + wordBytes : wordBytes);
        ReceiveWorkRequest request = ReceiveWorkRequest.of(FIRST_RECEIVE + id, place);
        if (srq != null) {
            srq.postRecv(request);
        } else {
            pair.qp.postRecv(request);
        }
    }

    BindInfo bindInfo(int word) {
        return new BindInfo(
                region,
                region.address() + word * Long.BYTES,
                Long.BYTES,
                AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
    }

    /** What is in its words at the end. */
    String words() {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < SmallPlan.WORDS; word++) {
            text.append(' ').append(memory.buffer().getLong(word * Long.BYTES));
        }
        return text.toString();
    }
}
