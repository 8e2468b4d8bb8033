// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.sim.SmallNode.Pair;
import dev.verbatim.sim.SmallPlan.Deed;
import dev.verbatim.sim.SmallPlan.Step;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A program of a {@link SmallNode}. At its end it takes the completions of what it sent. */
final class SmallActor implements Actor {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The number of a queue pair where it does not matter which. */
    private static final int ANY_QP = 17;

    private final SmallNode node;
    private final String name;
    private final List<Step> steps;
    private final int firstId;
    private final ArrayDeque<WorkCompletion> inbox = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private int next;
    private int owed;

    /** A program whose requests have identifiers from {@code firstId} on. */
    SmallActor(SmallNode node, String name, List<Step> steps, int firstId) {
        this.node = node;
        this.name = name;
        this.steps = steps;
        this.firstId = firstId;
    }

    @Override
    public String name() {
        return name;
    }

    String outcome() {
        return name + seen + (isDone() ? "" : " waits");
    }

    @Override
    public boolean isDone() {
        return node.simulation.isGone(node.device) || (next >= steps.size() && owed == 0);
    }

    @Override
    public boolean canStep() {
        if (next >= steps.size()) {
            return hasCompletion();
        }
        Step step = steps.get(next);
        return switch (step.deed()) {
            case TAKE -> owed == 0 || hasCompletion();
            case UNTIL -> hasOtherValue(step.word());
            case HEAR -> node.connections == null || node.connections.hasEvent();
            default -> true;
        };
    }

    @Override
    public boolean awaitsOneThing() {
        return true;
    }

    private boolean hasOtherValue(int word) {
        return node.memory.buffer().getLong(word * Long.BYTES) != node.firstValue(word);
    }

    /** Words are written as a whole. */
    @Override
    public List<BooleanSupplier> conditions() {
        List<BooleanSupplier> conditions = new ArrayList<>();
        for (int word = 0; word < SmallPlan.WORDS; word++) {
            int place = word;
            conditions.add(() -> hasOtherValue(place));
        }
        return conditions;
    }

    @Override
    public int condition() {
        boolean isUntil = next < steps.size() && steps.get(next).deed() == Deed.UNTIL;
        return isUntil ? steps.get(next).word() : -1;
    }

    private boolean hasCompletion() {
        if (inbox.isEmpty()) {
            inbox.addAll(node.cq.poll(1));
        }
        return !inbox.isEmpty();
    }

    @Override
    public void step() {
        boolean isLast = next >= steps.size();
        try {
            if (isLast) {
                take();
            } else {
                Step step = steps.get(next);
                play(step, node.pairs.get(step.pair() % node.pairs.size()), firstId + next);
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
            owed -= completion.id() < SmallNode.FIRST_RECEIVE ? 1 : 0;
        }
    }

    private void play(Step step, Pair pair, int id) {
        switch (step.deed()) {
            case STORE -> store(step.word(), 10 * (node.index + 1) + id);
            case LOAD, UNTIL -> seen.add("" + load(step.word()));
            case RECEIVE -> node.receive(pair, id + 1);
            case TAKE -> take();
            case LOOK -> {
                seen.add(hasCompletion() ? "some" : "none");
                take();
            }
            case EVENT -> {
                AsyncEvent event = node.device.pollAsyncEvent();
                seen.add(event == null ? "no event" : event.type().toString());
            }
            case STATE -> seen.add(pair.qp.state().toString());
            case PORT -> seen.add(node.device.queryPort(1).toString());
            case ARM -> node.cq.requestNotify(false);
            case NOTICE -> {
                CompletionEvent event = node.channel == null ? null : node.channel.pollEvent();
                seen.add(event == null ? "not notified" : "notified");
            }
            case KEY -> seen.add("" + (node.first.rkey() - node.firstKey));
            case DEALLOCATE -> node.second.close();
            case DEREGISTER -> node.region.close();
            case FAIL -> pair.qp.modify(new QpAttributes().state(QpState.ERR));
            case RESET -> {
                pair.qp.modify(new QpAttributes().state(QpState.RESET));
                // What it sent has no completions any more.
                owed = 0;
            }
            case DIAL -> dial(pair, step.fenced());
            case HEAR -> hear(step.fenced());
            case HANG_UP -> {
                if (node.connection != null) {
                    node.connection.disconnect();
                }
            }
            case BIND_1 -> {
                pair.qp.bindWindow(node.first, WindowBind.signaled(id, node.bindInfo(step.word())));
                owed++;
            }
            default -> post(step, pair, id);
        }
    }

    private void post(Step step, Pair pair, int id) {
        boolean isFenced = step.fenced() && !node.plan.datagrams();
        int flags = (step.inline() ? SendFlags.INLINE : 0) | (isFenced ? SendFlags.FENCE : 0);
        pair.qp.postSend(pair.send(request(step, pair.peer, id), step.deed() != Deed.WRONG_KEY)
                .plus(flags));
        owed++;
    }

    private SendWorkRequest request(Step step, SmallNode peer, int id) {
        boolean isWide = step.wide() && step.deed() != Deed.ADD;
        Sge local = node.region.sge(step.word() * Long.BYTES, isWide ? 2 * Long.BYTES : Long.BYTES);
        long remote = peer.region.address() + step.remote() * Long.BYTES;
        int key = peer.region.rkey();
        return switch (step.deed()) {
            case WRITE -> SendWorkRequest.write(id, remote, key, local);
            case WRITE_IMM -> SendWorkRequest.writeWithImmediate(id, remote, key, 1, local);
            case READ -> SendWorkRequest.read(id, remote, key, local);
            case ADD -> SendWorkRequest.fetchAndAdd(id, remote, key, node.index + 1, local);
            case FLUSH ->
                SendWorkRequest.flush(
                        id, remote, key, new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, Long.BYTES));
            case USE_1 -> SendWorkRequest.write(id, remote, peer.firstKey, local);
            case USE_2 -> SendWorkRequest.write(id, remote, peer.secondKey, local);
            case SEND_INVALIDATE -> SendWorkRequest.sendWithInvalidate(id, peer.secondKey, local);
            case BIND_2 -> SendWorkRequest.bindWindow(id, node.second, node.secondKey, node.bindInfo(step.word()));
            case INVALIDATE -> SendWorkRequest.localInvalidate(id, node.secondKey);
            case WRONG_KEY ->
                node.plan.datagrams()
                        ? SendWorkRequest.send(id, local)
                        : SendWorkRequest.write(id, remote, key + 1, local);
            default -> SendWorkRequest.send(id, local);
        };
    }

    private void store(int word, long value) {
        node.memory.buffer().putLong(word * Long.BYTES, value);
        tell(true, word, value);
    }

    private long load(int word) {
        long value = node.memory.buffer().getLong(word * Long.BYTES);
        tell(false, word, value);
        return value;
    }

    private void tell(boolean store, int word, long value) {
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        node.simulation.touched(name, store, node.memory.address() + word * Long.BYTES, data.putLong(0, value));
    }

    /** Asks for a connection with a queue pair that belongs to it, or with the number of any. */
    private void dial(Pair pair, boolean hasOwn) {
        EventChannel events = node.connections;
        if (events == null) {
            return;
        }
        CmId id = events.createId();
        node.connection = id;
        if (hasOwn) {
            id.resolveAddress(null, pair.peer.address(), SECOND);
            hear(true);
            id.resolveRoute(SECOND);
            hear(true);
            id.createQp(node.pd, QpInitAttributes.rc(node.cq));
            id.connect(ConnectionParameters.USUAL);
        } else {
            id.resolveAndConnect(pair.peer.address(), SECOND, ConnectionParameters.USUAL.withQpNumber(ANY_QP));
        }
    }

    private void hear(boolean hasOwn) {
        CmEvent event = node.connections == null ? null : node.connections.pollEvent();
        seen.add(event == null ? "nothing" : event.type().toString());
        if (event == null) {
            return;
        }
        event.acknowledge();
        CmId id = event.id();
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            node.connection = id;
            if (hasOwn) {
                id.createQp(node.pd, QpInitAttributes.rc(node.cq));
            }
            id.accept(ConnectionParameters.USUAL.withQpNumber(ANY_QP));
        } else if (event.type() == CmEventType.CONNECT_RESPONSE) {
            id.establish();
        }
    }
}
