// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.sim.SmallPlan.Deed;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.sim.SmallPlan.Step;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A node of a {@link SmallProgram}: what it has, and its program. At its end it takes the completions of what it sent. */
final class SmallActor implements Actor {

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.FLUSH_GLOBAL;
    private static final int BYTES = 64;
    private static final int GRH_BYTES = 40;
    private static final int PORT = 7174;
    private static final int QUEUE_KEY = 7;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation;
    private final String name;
    private final SmallPlan plan;
    private final int index;
    private final Device device;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final @Nullable SharedReceiveQueue srq;
    private final Memory memory = Memory.allocate(BYTES);
    private final MemoryRegion region;
    private final MemoryWindow first;
    private final MemoryWindow second;
    private final int firstKey;
    private final int secondKey;
    private final List<Pair> pairs = new ArrayList<>();
    private final ArrayDeque<WorkCompletion> inbox = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private @Nullable EventChannel connections;
    private @Nullable CmId dialled;
    private int next;
    private int owed;

    /** A queue pair and who is at its other end. */
    static final class Pair {
        private final QueuePair qp;
        private final SmallActor peer;
        private @Nullable QueuePair remote;
        private @Nullable AddressHandle way;

        Pair(QueuePair qp, SmallActor peer) {
            this.qp = qp;
            this.peer = peer;
        }

        QueuePair qp() {
            return qp;
        }

        void joins(Pair other) {
            remote = other.qp;
            other.remote = qp;
        }
    }

    SmallActor(Simulation simulation, String name, SmallPlan plan, int index) {
        this.simulation = simulation;
        this.name = name;
        this.plan = plan;
        this.index = index;
        this.device = simulation.open(name);
        this.pd = device.allocatePd();
        this.channel = device.createCompletionChannel();
        this.cq = device.createCq(16, null, channel, 0);
        this.srq = plan.shared() && index == 1 ? pd.createSrq(SrqInitAttributes.basic(8)) : null;
        this.region = pd.register(memory, RIGHTS);
        this.first = pd.allocateWindow(MemoryWindowType.TYPE_1);
        this.second = pd.allocateWindow(MemoryWindowType.TYPE_2);
        this.firstKey = Rkey.increment(first.rkey());
        this.secondKey = Rkey.increment(second.rkey());
        if (srq != null) {
            srq.modify(new dev.verbatim.verbs.SrqAttributes(0, 0, 1), dev.verbatim.verbs.SrqAttributes.LIMIT);
        }
    }

    CompletionQueue cq() {
        return cq;
    }

    QpInitAttributes withSharedReceives(QpInitAttributes own) {
        return srq == null ? own : own.withSrq(srq);
    }

    Pair newPair(SmallActor peer, QpInitAttributes attributes) {
        Pair pair = new Pair(pd.createQp(attributes), peer);
        pairs.add(pair);
        return pair;
    }

    /** Posts what is there at the beginning. */
    void prepare() {
        for (Pair pair : pairs) {
            if (plan.datagrams()) {
                pair.way = pd.createAddressHandle(AddressVector.to(pair.peer.device.gid()));
            }
            if (plan.seed() % 3 == 0 && srq == null) {
                pair.qp.postRecv(receive(0));
            }
        }
        if (plan.features().contains(Feature.CM)) {
            connections = EventChannel.open(device);
            if (index == 1) {
                CmId listener = connections.createId();
                listener.bindAddress(new InetSocketAddress(device.gid().toInetAddress(), PORT));
                listener.listen(1);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    String outcome() {
        ByteBuffer bytes = memory.buffer();
        StringBuilder text = new StringBuilder(name).append(seen);
        for (int word = 0; word < SmallPlan.WORDS; word++) {
            text.append(' ').append(bytes.getLong(word * Long.BYTES));
        }
        return text.append(isDone() ? "" : " waits").toString();
    }

    private List<Step> steps() {
        return plan.programs().get(index);
    }

    @Override
    public boolean isDone() {
        return simulation.isGone(device) || (next >= steps().size() && owed == 0);
    }

    @Override
    public boolean canStep() {
        if (next >= steps().size()) {
            return hasCompletion();
        }
        Step step = steps().get(next);
        return switch (step.deed()) {
            case TAKE -> owed == 0 || hasCompletion();
            case UNTIL -> memory.buffer().getLong(step.word() * Long.BYTES) != 0;
            case HEAR -> connections == null || connections.hasEvent();
            default -> true;
        };
    }

    /** A wait for a word has looked at it; that it goes on is seen by its load. */
    private boolean hasCompletion() {
        if (inbox.isEmpty()) {
            inbox.addAll(cq.poll(1));
        }
        return !inbox.isEmpty();
    }

    @Override
    public void step() {
        boolean isLast = next >= steps().size();
        try {
            if (isLast) {
                take();
            } else {
                play(steps().get(next), next);
            }
        } catch (VerbsException e) {
            seen.add(e.errno().toString());
        }
        next += isLast ? 0 : 1;
    }

    private void take() {
        WorkCompletion completion = inbox.poll();
        if (completion != null) {
            seen.add(completion.id() + " " + completion.status());
            owed -= completion.id() < 100 ? 1 : 0;
        }
    }

    private void play(Step step, int id) {
        Pair pair = pairs.get(step.pair() % pairs.size());
        switch (step.deed()) {
            case STORE -> store(step.word(), 10 * (index + 1) + id);
            case LOAD, UNTIL -> seen.add("" + load(step.word()));
            case WRITE, WRITE_IMM, SEND, READ, ADD, FLUSH, USE_1, USE_2, SEND_INVALIDATE, WRONG_KEY ->
                post(pair, request(step, pair, id), step);
            case RECEIVE -> {
                if (srq != null) {
                    srq.postRecv(receive(100 + id));
                } else {
                    pair.qp.postRecv(receive(100 + id));
                }
            }
            case TAKE -> take();
            case LOOK -> {
                hasCompletion();
                seen.add(inbox.isEmpty() ? "none" : "some");
                take();
            }
            case EVENT, AWAIT_EVENT -> {
                AsyncEvent event = device.pollAsyncEvent();
                seen.add(event == null ? "no event" : event.type().toString());
            }
            case STATE -> seen.add(pair.qp.state().toString());
            case ARM -> cq.requestNotify(false);
            case NOTICE -> {
                CompletionEvent event = channel.pollEvent();
                seen.add(event == null ? "not notified" : "notified");
            }
            case BIND_1 -> {
                pair.qp.bindWindow(first, WindowBind.signaled(id, info(step)));
                owed++;
            }
            case BIND_2 -> post(pair, SendWorkRequest.bindWindow(id, second, secondKey, info(step)), step);
            case INVALIDATE -> post(pair, SendWorkRequest.localInvalidate(id, secondKey), step);
            case KEY -> seen.add("" + (first.rkey() - firstKey));
            case DEREGISTER -> region.close();
            case FAIL -> pair.qp.modify(new QpAttributes().state(QpState.ERR));
            case DIAL, HEAR, HANG_UP -> connect(step.deed());
        }
    }

    private BindInfo info(Step step) {
        return new BindInfo(
                region,
                region.address() + step.word() * Long.BYTES,
                Long.BYTES,
                AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
    }

    private ReceiveWorkRequest receive(int id) {
        Sge place = region.sge(0, plan.datagrams() ? GRH_BYTES + Long.BYTES : Long.BYTES);
        return ReceiveWorkRequest.of(id == 0 ? 100 : id, place);
    }

    private SendWorkRequest request(Step step, Pair pair, int id) {
        SmallActor peer = pair.peer;
        Sge local = region.sge(step.word() * Long.BYTES, Long.BYTES);
        long remote = peer.region.address() + step.remote() * Long.BYTES;
        int key = peer.region.rkey();
        return switch (step.deed()) {
            case WRITE -> SendWorkRequest.write(id, remote, key, local);
            case WRITE_IMM -> SendWorkRequest.writeWithImmediate(id, remote, key, 1, local);
            case READ -> SendWorkRequest.read(id, remote, key, local);
            case ADD -> SendWorkRequest.fetchAndAdd(id, remote, key, index + 1, local);
            case FLUSH ->
                SendWorkRequest.flush(
                        id, remote, key, new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, Long.BYTES));
            case USE_1 -> SendWorkRequest.write(id, remote, peer.firstKey, local);
            case USE_2 -> SendWorkRequest.write(id, remote, peer.secondKey, local);
            case SEND_INVALIDATE -> SendWorkRequest.sendWithInvalidate(id, peer.secondKey, local);
            case WRONG_KEY -> SendWorkRequest.write(id, remote, key + 1, local);
            default -> send(pair, id, local);
        };
    }

    private SendWorkRequest send(Pair pair, int id, Sge local) {
        SendWorkRequest send = SendWorkRequest.send(id, local);
        AddressHandle way = pair.way;
        return way == null
                ? send
                : send.to(way, Objects.requireNonNull(pair.remote).number(), QUEUE_KEY);
    }

    private void post(Pair pair, SendWorkRequest request, Step step) {
        int flags = (step.inline() ? SendFlags.INLINE : 0) | (step.fenced() && !plan.datagrams() ? SendFlags.FENCE : 0);
        pair.qp.postSend(request.plus(flags));
        owed++;
    }

    private void store(int word, long value) {
        memory.buffer().putLong(word * Long.BYTES, value);
        tell(true, word, value);
    }

    private long load(int word) {
        long value = memory.buffer().getLong(word * Long.BYTES);
        tell(false, word, value);
        return value;
    }

    private void tell(boolean store, int word, long value) {
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        simulation.touched(name, store, memory.address() + word * Long.BYTES, data.putLong(0, value));
    }

    private void connect(Deed deed) {
        EventChannel events = connections;
        if (events == null) {
            return;
        }
        switch (deed) {
            case DIAL -> {
                CmId id = events.createId();
                id.createQp(pd, QpInitAttributes.rc(cq));
                id.resolveAndConnect(
                        new InetSocketAddress(pairs.get(0).peer.device.gid().toInetAddress(), PORT),
                        SECOND,
                        ConnectionParameters.USUAL);
                dialled = id;
            }
            case HANG_UP -> {
                CmId id = dialled;
                if (id != null) {
                    id.disconnect();
                }
            }
            default -> hear(events.pollEvent());
        }
    }

    private void hear(@Nullable CmEvent event) {
        seen.add(event == null ? "nothing" : event.type().toString());
        if (event == null) {
            return;
        }
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                CmId id = event.id();
                id.createQp(pd, QpInitAttributes.rc(cq));
                id.accept(ConnectionParameters.USUAL);
                dialled = id;
            }
            default -> {}
        }
        event.acknowledge();
    }
}
