// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.visibility.ModelNodes.QpSpec;
import dev.verbatim.visibility.ModelState.Held;
import dev.verbatim.visibility.ModelState.Sent;
import dev.verbatim.visibility.ModelState.Stage;
import dev.verbatim.visibility.ModelStep.Kind;
import dev.verbatim.visibility.ModelStep.Move;
import dev.verbatim.visibility.ModelStep.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What adapters do with requests: VIS-01 to VIS-06, VIS-13 to VIS-15. What must have arrived before something else is a condition of
 * that, never its effect.
 */
final class ModelTransport {

    private final ModelNodes nodes;
    private final ModelMemory memory;

    ModelTransport(ModelNodes nodes, ModelMemory memory) {
        this.nodes = nodes;
        this.memory = memory;
    }

    /** All that adapters may do next. */
    List<ModelState> next(ModelState state) {
        List<ModelState> all = new ArrayList<>();
        for (int qp = 0; qp < nodes.qps.size(); qp++) {
            if (isAlive(state, qp)) {
                send(state, qp, all);
                execute(state, qp, all);
                takeAnswer(state, qp, all);
                complete(state, qp, all);
                completeReceive(state, qp, all);
                fail(state, qp, all);
            }
        }
        for (Held each : state.held) {
            if (state.held.stream().noneMatch(older -> older.number() < each.number() && waitsFor(each, older))) {
                ModelState after = state.copy();
                after.held.remove(each);
                memory.write(after, each.adapter(), each.word(), each.value());
                all.add(after);
            }
        }
        return all;
    }

    private boolean isAlive(ModelState state, int qp) {
        return !state.isDead[nodes.nodeOfAdapter(nodes.qps.get(qp).adapter)];
    }

    /** VIS-02, VIS-03, VIS-14. */
    private boolean waitsFor(Held later, Held older) {
        if (later.isRelaxed() || later.adapter() != older.adapter()) {
            return false;
        }
        int node = nodes.nodeOfAdapter(later.adapter());
        boolean isInOrder = !nodes.lacks(node, Weakness.WRITES_IN_ANY_ORDER);
        return later.word() == older.word() || (isInOrder && nodes.areOnOnePath(later.word(), older.word()));
    }

    private static int indexOf(List<Sent> requests, Stage stage) {
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).stage() == stage) {
                return i;
            }
        }
        return -1;
    }

    private static void advance(ModelState state, int qp, int index, Sent later) {
        state.sent.set(qp, ModelState.with(state.sent.get(qp), index, later));
    }

    /** The adapter reads the source of the oldest request that it has not sent. */
    private void send(ModelState state, int qp, List<ModelState> all) {
        int index = indexOf(state.sent.get(qp), Stage.POSTED);
        if (index >= 0) {
            Sent request = state.sent.get(qp).get(index);
            List<Move> moves = request.request().kind().returns()
                    ? List.of()
                    : request.request().moves();
            gather(state, qp, moves, List.of(), (after, values) -> {
                advance(after, qp, index, request.at(Stage.SENT, values, List.of()));
                all.add(after);
            });
        }
    }

    private interface Taken {
        void with(ModelState after, List<Long> values);
    }

    private void gather(ModelState state, int qp, List<Move> moves, List<Long> soFar, Taken taken) {
        if (soFar.size() == moves.size()) {
            taken.with(state.copy(), soFar);
            return;
        }
        Move move = moves.get(soFar.size());
        if (move.local() < 0) {
            gather(state, qp, moves, ModelState.plus(soFar, move.value()), taken);
        } else {
            look(state, nodes.qps.get(qp).adapter, move.local(), (after, value) -> {
                gather(after, qp, moves, ModelState.plus(soFar, value), taken);
            });
        }
    }

    private interface Looked {
        void with(ModelState after, long value);
    }

    /** What an adapter may see in a word: what it accepted itself (VIS-01), else what is at home (VIS-06, VIS-10). */
    private void look(ModelState state, int adapter, int word, Looked looked) {
        List<Held> own = state.held.stream()
                .filter(each -> each.adapter() == adapter && each.word() == word && !each.isUnordered())
                .toList();
        for (int index : memory.choices(state, adapter, word)) {
            ModelState after = state.copy();
            after.oldest[adapter][word] = index;
            long atHome = memory.value(state, word, index);
            looked.with(after, own.isEmpty() ? atHome : own.get(own.size() - 1).value());
        }
    }

    /** The peer executes the oldest request that was sent. */
    private void execute(ModelState state, int qp, List<ModelState> all) {
        int index = indexOf(state.sent.get(qp), Stage.SENT);
        int peer = nodes.qps.get(qp).peer;
        if (index < 0 || !isAlive(state, peer)) {
            return;
        }
        Sent request = state.sent.get(qp).get(index);
        Kind kind = request.request().kind();
        if ((kind.takesReceive() && state.receives[peer] == 0) || isHeldBack(state, peer, request.request())) {
            return;
        }
        if (kind == Kind.READ) {
            read(state, qp, index, all);
            return;
        }
        ModelState after = state.copy();
        advance(after, qp, index, request.at(Stage.EXECUTED, effect(after, peer, request), List.of()));
        if (kind.takesReceive()) {
            after.receives[peer]--;
            List<Integer> pieces = numbers(after, held -> held.qp() == peer && !held.isReturned() && isCovered(held));
            after.received.set(peer, ModelState.plus(after.received.get(peer), pieces));
        }
        all.add(after);
    }

    private static List<Integer> numbers(ModelState state, Predicate<Held> meant) {
        return state.held.stream().filter(meant).map(Held::number).toList();
    }

    /** VIS-04. */
    private boolean isCovered(Held held) {
        return nodes.domainOf(held.word()).kind() != MemoryDomain.Kind.DEVICE
                || !nodes.lacks(nodes.nodeOfAdapter(held.adapter()), Weakness.COMPLETION_COVERS_HOST_ONLY);
    }

    /** Whether a request waits for something to arrive: VIS-05, VIS-13, VIS-15; ORD-31 c and d where no path keeps the order. */
    private boolean isHeldBack(ModelState state, int peer, Request request) {
        Kind kind = request.kind();
        if (kind == Kind.SEND || kind == Kind.WRITE || kind == Kind.WRITE_IMM) {
            return false;
        }
        int adapter = nodes.qps.get(peer).adapter;
        int word = request.moves().get(0).remote();
        boolean isFlush = kind == Kind.FLUSH_GLOBAL || kind == Kind.FLUSH_PERSISTENT;
        return state.held.stream()
                .filter(held -> held.adapter() == adapter)
                .anyMatch(held ->
                        (kind != Kind.READ && request.moves().stream().anyMatch(m -> m.remote() == held.word()))
                                || (!isFlush && isOnWay(held, peer, word) && !passes(held, request, adapter)));
    }

    private boolean isOnWay(Held held, int peer, int word) {
        boolean isOfDevice = nodes.domainOf(word).kind() == MemoryDomain.Kind.DEVICE;
        boolean isInOrder = !nodes.lacks(nodes.nodeOfAdapter(held.adapter()), Weakness.WRITES_IN_ANY_ORDER);
        boolean isOfQueue = held.qp() == peer && !held.isReturned();
        return nodes.areOnOnePath(held.word(), word) && (isOfQueue || isOfDevice || isInOrder);
    }

    private boolean passes(Held held, Request request, int adapter) {
        int node = nodes.nodeOfAdapter(adapter);
        if (request.kind() == Kind.READ) {
            return held.isUnordered() || (held.isRelaxed() && nodes.lacks(node, Weakness.READ_PASSES_RELAXED));
        }
        return held.isRelaxed() && request.isRelaxed() && nodes.lacks(node, Weakness.ATOMIC_PASSES_RELAXED);
    }

    private void read(ModelState state, int qp, int index, List<ModelState> all) {
        Sent request = state.sent.get(qp).get(index);
        int peer = nodes.qps.get(qp).peer;
        int word = request.request().moves().get(0).remote();
        look(state, nodes.qps.get(peer).adapter, word, (after, value) -> {
            memory.refreshOwner(after, nodes.words.get(word).domain());
            advance(after, qp, index, request.at(Stage.EXECUTED, List.of(value), List.of()));
            all.add(after);
        });
    }

    /** What a request does at the peer; returns what goes back. */
    private List<Long> effect(ModelState state, int peer, Sent request) {
        int adapter = nodes.qps.get(peer).adapter;
        List<Move> moves = request.request().moves();
        switch (request.request().kind()) {
            case WRITE, WRITE_IMM -> {
                for (int i = 0; i < moves.size(); i++) {
                    accept(state, peer, moves.get(i).remote(), request.values().get(i), false, request.request());
                }
            }
            case ATOMIC_WRITE ->
                memory.write(
                        state, adapter, moves.get(0).remote(), request.values().get(0));
            case FETCH_ADD -> {
                int word = moves.get(0).remote();
                long before = memory.value(state, word, memory.newest(state, word));
                memory.write(state, adapter, word, before + moves.get(0).value());
                return List.of(before);
            }
            case FLUSH_GLOBAL, FLUSH_PERSISTENT ->
                memory.flush(
                        state,
                        nodes.nodeOfAdapter(adapter),
                        request.request().kind() == Kind.FLUSH_PERSISTENT,
                        moves.stream().map(Move::remote).toList());
            case SEND, READ -> {
                // Nothing moves, or it is read.
            }
        }
        return List.of();
    }

    private void accept(ModelState state, int qp, int word, long value, boolean isReturned, Request request) {
        state.held.add(new Held(
                state.accepted++,
                nodes.qps.get(qp).adapter,
                qp,
                word,
                value,
                isReturned,
                !isReturned && request.isRelaxed(),
                !isReturned && request.isUnordered()));
    }

    /** What a request returned comes back, and is placed like anything else. */
    private void takeAnswer(ModelState state, int qp, List<ModelState> all) {
        int index = indexOf(state.sent.get(qp), Stage.EXECUTED);
        if (index < 0) {
            return;
        }
        Sent request = state.sent.get(qp).get(index);
        ModelState after = state.copy();
        List<Integer> pieces = List.of();
        if (request.request().kind().returns()) {
            accept(
                    after,
                    qp,
                    request.request().moves().get(0).local(),
                    request.values().get(0),
                    true,
                    request.request());
            pieces = numbers(after, held -> held.qp() == qp && held.isReturned() && isCovered(held));
        }
        advance(after, qp, index, request.at(Stage.RETURNED, List.of(), pieces));
        all.add(after);
    }

    /** The peer is gone, and with it answers that it gave: what has none completes with errors, though it may have been executed (N8). */
    private void fail(ModelState state, int qp, List<ModelState> all) {
        List<Sent> requests = state.sent.get(qp);
        boolean isUnanswered = !requests.isEmpty() && requests.get(0).stage() != Stage.RETURNED;
        if (isUnanswered && !isAlive(state, nodes.qps.get(qp).peer)) {
            ModelState after = state.copy();
            after.sent.set(qp, List.of());
            after.completions[nodes.qps.get(qp).queue] += requests.size();
            all.add(after);
        }
    }

    private void complete(ModelState state, int qp, List<ModelState> all) {
        if (state.sent.get(qp).isEmpty()) {
            return;
        }
        Sent oldest = state.sent.get(qp).get(0);
        if (oldest.stage() == Stage.RETURNED && !state.isHeld(oldest.pieces())) {
            ModelState after = state.copy();
            after.sent.set(qp, ModelState.rest(after.sent.get(qp)));
            if (oldest.request().isSignaled()) {
                after.completions[nodes.qps.get(qp).queue]++;
            }
            all.add(after);
        }
    }

    private void completeReceive(ModelState state, int qp, List<ModelState> all) {
        List<List<Integer>> messages = state.received.get(qp);
        if (!messages.isEmpty() && !state.isHeld(messages.get(0))) {
            ModelState after = state.copy();
            after.received.set(qp, ModelState.rest(messages));
            QpSpec spec = nodes.qps.get(qp);
            after.completions[spec.queue]++;
            all.add(after);
        }
    }
}
