// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a node has while its program runs: its device, the objects on it by name, its memory and its registers. */
public final class NodeState {

    private static final WorkCompletion[] NONE = {};
    private static final String KEYS_OF = "keys named by ";

    private final Names names;
    private final Device device;
    private final RunShared run;
    private final NodeMemory memory;
    private final NamedObjects<ProtectionDomain> pds = new NamedObjects<>("protection domain", ProtectionDomain::close);
    private final NamedObjects<CompletionQueue> cqs = new NamedObjects<>("completion queue", CompletionQueue::close);
    private final NamedObjects<CompletionChannel> channels =
            new NamedObjects<>("completion channel", CompletionChannel::close);
    private final NamedObjects<QueuePair> qps = new NamedObjects<>("queue pair", QueuePair::close);
    private final NamedObjects<SharedReceiveQueue> srqs =
            new NamedObjects<>("shared receive queue", SharedReceiveQueue::close);
    private final NamedObjects<XrcDomain> xrcds = new NamedObjects<>("XRC domain", XrcDomain::close);
    private final NamedWindows windows = new NamedWindows();
    private final AddressHandles handles = new AddressHandles();
    private final PendingSends pendingSends = new PendingSends();
    private final NodeCompletions completions;
    private final NodeEvents events;
    private final CmIds cmIds;
    private final Map<String, String> registers = new LinkedHashMap<>();
    private final Deque<Runnable> unnamed = new ArrayDeque<>();
    private long nextId = 1;

    /** A node without objects; see {@link NodeSetup} for those that it has when its program starts. */
    NodeState(Names names, Device device, RunShared run, NodeMemory memory) {
        this.names = names;
        this.device = device;
        this.run = run;
        this.memory = memory;
        this.completions = new NodeCompletions(cqs, pendingSends, this::qpNamed);
        this.events = new NodeEvents(device, channels);
        this.cmIds = new CmIds(device);
    }

    /** The node. */
    public String name() {
        return names.node();
    }

    /** Its device. */
    public Device device() {
        return device;
    }

    /** What its names mean. */
    public Names names() {
        return names;
    }

    /** Its memory. */
    public NodeMemory memory() {
        return memory;
    }

    /** The values of the registers that have been set. */
    public Map<String, String> registers() {
        return registers;
    }

    /** Send requests whose completions have not been taken. */
    public PendingSends pendingSends() {
        return pendingSends;
    }

    /** Completions that were polled. */
    public NodeCompletions completions() {
        return completions;
    }

    /** Asynchronous events and notifications of channels. */
    public NodeEvents events() {
        return events;
    }

    /** What the connection manager knows of the node. */
    public CmIds cmIds() {
        return cmIds;
    }

    public NamedObjects<ProtectionDomain> pds() {
        return pds;
    }

    public NamedObjects<CompletionQueue> cqs() {
        return cqs;
    }

    NamedObjects<CompletionChannel> channels() {
        return channels;
    }

    public NamedObjects<QueuePair> qps() {
        return qps;
    }

    public NamedObjects<SharedReceiveQueue> srqs() {
        return srqs;
    }

    public NamedObjects<XrcDomain> xrcds() {
        return xrcds;
    }

    public NamedWindows windows() {
        return windows;
    }

    public AddressHandles handles() {
        return handles;
    }

    public ProtectionDomain pd(String name) {
        return pds.get(name);
    }

    /** Name of a completion queue; the only one if {@code name} is null. */
    public String cqName(@Nullable String name) {
        return name == null ? names.cqs().keySet().iterator().next() : name;
    }

    /** The completion queue of that name; the only one if {@code name} is null. */
    public CompletionQueue cq(@Nullable String name) {
        return cqs.get(cqName(name));
    }

    /** Name of a queue pair; the only one if {@code name} is null. */
    public String qpName(@Nullable String name) {
        return name == null ? names.qps().keySet().iterator().next() : name;
    }

    /** The queue pair of that name; the only one if {@code name} is null. */
    public QueuePair qp(@Nullable String name) {
        return qps.get(qpName(name));
    }

    /** Name of the queue pair with that number; its number if there is none. */
    public String qpNamed(int number) {
        for (Map.Entry<String, QueuePair> qp : qps.all().entrySet()) {
            if (qp.getValue().number() == number) {
                return qp.getKey();
            }
        }
        return String.valueOf(number);
    }

    /** The specification of the queue pair with that number; null if there is none. */
    public @Nullable QpSpec spec(int queuePair) {
        return names.qps().get(qpNamed(queuePair));
    }

    /** Name of the completion queue where a queue pair completes what it sends. */
    public String sendCqOf(String qp) {
        QpSpec spec = names.qps().get(qp);
        return spec == null ? cqName(null) : spec.sendCq();
    }

    /** Whether it is the name of a window, region or word of this node. */
    boolean hasKeys(String named) {
        return names.windowNames().contains(named) || names.sizeOf(named) >= 0;
    }

    /**
     * The key of a window or region of this node; null if it has none yet.
     *
     * @param remote whether the fitting key of a region is its remote one
     */
    @Nullable
    Integer key(KeyRef key, String named, boolean remote) {
        return names.windowNames().contains(named)
                ? windowKey(key, named)
                : (Integer) memory.key(named, key.which(), remote);
    }

    private @Nullable Integer windowKey(KeyRef key, String named) {
        MemoryWindow window = windows.window(named);
        if (window == null) {
            return null;
        }
        return key.which() == KeyRef.Which.RKEY ? (Integer) window.rkey() : windows.key(named, key.binding());
    }

    /** The number in a register; null if it holds none. */
    @Nullable
    Integer numberIn(String register) {
        String value = registers.get(register);
        try {
            return value == null ? null : (Integer) (int) Long.parseLong(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A bind of the window was posted, which gives it this key. */
    public void bindPosted(String window, int key) {
        windows.posted(window, key);
        keysChanged();
    }

    /** What the names of this node's keys mean has changed, which programs of other nodes may see. */
    public void keysChanged() {
        run.environment().shared(KEYS_OF + name(), true);
    }

    /** A program of another node looks up a key of this one. */
    void keysRead() {
        run.environment().shared(KEYS_OF + name(), false);
    }

    /** The default number of the next work request. */
    public long freshId() {
        return nextId++;
    }

    /** A send request of that number was posted. */
    public void posted(@Nullable String qp, long id, boolean signaled) {
        String queuePair = qpName(qp);
        QpSpec spec = names.qps().get(queuePair);
        pendingSends.posted(queuePair, id, signaled || (spec != null && spec.signalAll()));
    }

    /** The signal that the kernel of a GPU was launched. */
    public String launched(String domain) {
        return name() + "/" + domain + " launched";
    }

    /** The signal that the kernel of a GPU has ended. */
    public String ended(String domain) {
        return name() + "/" + domain + " ended";
    }

    /** What a word holds now, in decimal. */
    public String valueOf(String word) {
        return String.valueOf(memory.look(Place.of(word)));
    }

    /** Lets the device get on. */
    public void progress() {
        for (CompletionQueue cq : cqs.all().values()) {
            try {
                cq.poll(NONE);
            } catch (VerbsException e) {
                // It was overrun or destroyed, which the program may have wanted; others get on.
            }
        }
    }

    /** Completion queues that failed and queue pairs that are not in RTS, as the end of a sentence. */
    public String queuesInError() {
        StringBuilder text = new StringBuilder();
        completions
                .errors()
                .forEach((name, error) -> text.append("; completion queue ")
                        .append(name)
                        .append(": ")
                        .append(error));
        qps.all().forEach((name, qp) -> {
            if (qp.state() != QpState.RTS) {
                text.append("; queue pair ").append(name).append(" is in ").append(qp.state());
            }
        });
        return text.toString();
    }

    /** What of its device does not get on, as the end of a sentence; empty if nothing is outstanding. */
    public String standstill() {
        List<Standstill> all = device.standstills();
        return all.isEmpty() ? "" : ": " + all.get(0);
    }

    /** The program made an object without a name, which that closes at the end. */
    public void keep(Runnable close) {
        unnamed.push(close);
    }

    /**
     * Closes everything that the node has, by one verb after the other: each must succeed, since nothing is left that needs
     * what it closes.
     *
     * @throws VerbsException of the first that does not
     */
    public void closeAll() {
        events.takeAll();
        while (!unnamed.isEmpty()) {
            unnamed.pop().run();
        }
        windows.closeAll();
        cmIds.closeAll();
        qps.closeAll();
        handles.closeAll();
        srqs.closeAll();
        xrcds.closeAll();
        cqs.closeAll();
        channels.closeAll();
        memory.closeAll();
        pds.closeAll();
        device.close();
    }
}
