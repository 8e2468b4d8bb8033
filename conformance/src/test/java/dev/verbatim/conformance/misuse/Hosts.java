// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.Simulation;
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
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Devices with one region each, and a queue pair to each of the others. */
final class Hosts {

    /** For all waits; time is virtual. */
    static final Duration LONG = Duration.ofSeconds(10);

    static final int WORD = Long.BYTES;

    private static final String SECOND = " again";
    private static final int BYTES = 4096;
    private static final int ENTRIES = 64;
    private static final int ALL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    final Sanitizer sanitizer;
    private final Simulation simulation;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    /** The hosts of these names; the first has a pool of receives, and one queue of their completions, for all its queue pairs if {@code pooled}. */
    Hosts(Simulation simulation, Sanitizer sanitizer, boolean pooled, String... names) {
        this.simulation = simulation;
        this.sanitizer = sanitizer;
        for (String name : names) {
            Host host = new Host(simulation.open(name), name);
            hosts.put(name, host);
            if (pooled && hosts.size() == 1) {
                host.pool = host.pd.createSrq(SrqInitAttributes.basic(ENTRIES));
            }
        }
        for (Host one : hosts.values()) {
            for (Host other : hosts.values()) {
                if (one.name.compareTo(other.name) < 0) {
                    RcConnection.connect(one.join(other).qp, other.join(one).qp);
                }
            }
        }
    }

    Host host(String name) {
        return Objects.requireNonNull(hosts.get(name));
    }

    /** Connects two hosts by a second queue pair of each. */
    void connectAgain(String name, String otherName) {
        Host one = host(name);
        Host other = host(otherName);
        RcConnection.connect(one.join(other).qp, other.join(one).qp);
    }

    Simulation simulation() {
        return simulation;
    }

    /** The program of a host. */
    interface Program {
        void run(Host host);
    }

    void program(String name, Program program) {
        Host host = host(name);
        simulation.node(name, node -> {
            host.node = node;
            program.run(host);
        });
    }

    /** A device and what it has. */
    static final class Host {

        final String name;
        final Device device;
        final ProtectionDomain pd;
        final MemoryRegion region;

        private final Map<String, Way> ways = new LinkedHashMap<>();
        private @Nullable SharedReceiveQueue pool;
        private @Nullable Node node;

        private Host(Device device, String name) {
            this.device = device;
            this.name = name;
            this.pd = device.allocatePd();
            this.region = pd.register(Memory.allocate(BYTES), ALL);
        }

        private Way join(Host peer) {
            CompletionQueue sent = device.createCq(ENTRIES);
            CompletionQueue received = pool == null || ways.isEmpty()
                    ? device.createCq(ENTRIES)
                    : ways.values().iterator().next().received;
            QpInitAttributes usual = QpInitAttributes.rc(sent, received, QpCapabilities.USUAL);
            SharedReceiveQueue shared = pool;
            Way way = new Way(this, peer, sent, received, pd.createQp(shared == null ? usual : usual.withSrq(shared)));
            ways.put(ways.containsKey(peer.name) ? peer.name + SECOND : peer.name, way);
            return way;
        }

        Way to(String peer) {
            return Objects.requireNonNull(ways.get(peer));
        }

        /** The way that {@link Hosts#connectAgain} made. */
        Way alsoTo(String peer) {
            return to(peer + SECOND);
        }

        SharedReceiveQueue pool() {
            return Objects.requireNonNull(pool);
        }

        Node node() {
            return Objects.requireNonNull(node);
        }

        void store(int offset, long value) {
            node().store(region.memory(), offset, value);
        }

        long load(int offset) {
            return node().load(region.memory(), offset);
        }

        /** Waits for a word by loads. */
        long until(int offset, long least) {
            return node().loadUntil(region.memory(), offset, value -> value >= least);
        }

        long address(int offset) {
            return region.address() + offset;
        }
    }

    /** A connection of a host with another. */
    record Way(Host own, Host peer, CompletionQueue sent, CompletionQueue received, QueuePair qp) {

        SendWorkRequest writing(int from, int to, int length) {
            return SendWorkRequest.write(from, peer.address(to), peer.region.rkey(), own.region.sge(from, length));
        }

        SendWorkRequest reading(int from, int to, int length) {
            return SendWorkRequest.read(from, peer.address(from), peer.region.rkey(), own.region.sge(to, length));
        }

        SendWorkRequest telling(int from, int to, int length, int immediate) {
            return SendWorkRequest.writeWithImmediate(
                    from, peer.address(to), peer.region.rkey(), immediate, own.region.sge(from, length));
        }

        SendWorkRequest sending(int from, int length) {
            return SendWorkRequest.send(from, own.region.sge(from, length));
        }

        SendWorkRequest settingWord(int from, int to) {
            return SendWorkRequest.atomicWrite(from, peer.address(to), peer.region.rkey(), own.region.sge(from, WORD));
        }

        SendWorkRequest adding(int to, long add, int result) {
            return SendWorkRequest.fetchAndAdd(
                    to, peer.address(to), peer.region.rkey(), add, own.region.sge(result, WORD));
        }

        SendWorkRequest swapping(int to, long expected, long value, int result) {
            return SendWorkRequest.compareAndSwap(
                    to, peer.address(to), peer.region.rkey(), expected, value, own.region.sge(result, WORD));
        }

        void post(SendWorkRequest request) {
            qp.postSend(request);
        }

        /** Posts a request without a completion of its own. */
        void silently(SendWorkRequest request) {
            qp.postSend(request.unsignaled());
        }

        void inline(SendWorkRequest request) {
            qp.postSend(request.plus(SendFlags.INLINE));
        }

        void receive(long id, int offset, int length) {
            qp.postRecv(ReceiveWorkRequest.of(id, own.region.sge(offset, length)));
        }

        void receiveNothing(long id) {
            qp.postRecv(ReceiveWorkRequest.of(id));
        }

        WorkCompletion sentOne() {
            return checked(sent.awaitCompletion(LONG));
        }

        WorkCompletion receivedOne() {
            return checked(received.awaitCompletion(LONG));
        }

        /** Posts it and waits for its completion. */
        void doing(SendWorkRequest request) {
            post(request);
            sentOne();
        }

        long read(int from, int to) {
            doing(reading(from, to, WORD));
            return own.load(to);
        }

        long swap(int to, long expected, long value, int result) {
            doing(swapping(to, expected, value, result));
            return own.load(result);
        }

        long add(int to, long add, int result) {
            doing(adding(to, add, result));
            return own.load(result);
        }

        private static WorkCompletion checked(WorkCompletion completion) {
            assertThat(completion.isSuccess()).as(completion.toString()).isTrue();
            return completion;
        }
    }
}
