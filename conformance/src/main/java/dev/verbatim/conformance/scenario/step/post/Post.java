// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.window.Bind;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WrOpcode;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Posts a send work request. Which fields count depends on the opcode, as in libibverbs.
 *
 * @param qp queue pair; null for the only one
 * @param local what is sent, or where the answer goes
 * @param remote where at the peer; null for none
 * @param compareOrAdd compare value or addend of an atomic
 * @param swap swap value of an atomic
 * @param immediate immediate data
 * @param bind what BIND_MW binds, and to what; null for other opcodes
 * @param rkey of which the variant becomes that of the window's key; null for the next variant
 * @param invalidates the key that LOCAL_INV or SEND_WITH_INV invalidates; null for other opcodes
 * @param extra what only some transports and opcodes have
 * @param flags {@link SendFlags}
 * @param id number of the request; null for the number of posts so far
 * @param error how posting must fail; null if it must succeed
 */
public record Post(
        WrOpcode opcode,
        @Nullable String qp,
        List<Element> local,
        @Nullable Place remote,
        long compareOrAdd,
        long swap,
        int immediate,
        @Nullable Bind bind,
        @Nullable KeyRef rkey,
        @Nullable KeyRef invalidates,
        PostExtra extra,
        int flags,
        @Nullable Long id,
        @Nullable ExpectedError error)
        implements Step {

    private static final String INVALIDATE = "invalidate_rkey";

    /** Copies the list. */
    public Post {
        local = List.copyOf(local);
    }

    /** A signaled SEND. */
    public static Post send(Element... local) {
        return of(WrOpcode.SEND, null, local);
    }

    /** A signaled RDMA_WRITE. */
    public static Post write(Place remote, Element... local) {
        return of(WrOpcode.RDMA_WRITE, remote, local);
    }

    /** A signaled ATOMIC_FETCH_AND_ADD. */
    public static Post fetchAndAdd(Place remote, Element local, long add) {
        return of(WrOpcode.ATOMIC_FETCH_AND_ADD, remote, local).operands(add, 0);
    }

    /** A signaled request of any opcode. */
    public static Post of(WrOpcode opcode, @Nullable Place remote, Element... local) {
        Draft draft = new Draft(opcode);
        draft.remote = remote;
        draft.local = List.of(local);
        return draft.post();
    }

    /** A signaled BIND_MW; the window gets the variant of {@code rkey}, or the next one if that is null. */
    public static Post bind(Bind bind, @Nullable KeyRef rkey) {
        return of(WrOpcode.BIND_MW, null).binding(bind, rkey);
    }

    /** A signaled LOCAL_INV. */
    public static Post localInvalidate(KeyRef key) {
        return of(WrOpcode.LOCAL_INV, null).invalidating(key);
    }

    /** A signaled SEND_WITH_INV. */
    public static Post sendWithInvalidate(KeyRef key, Element... local) {
        return of(WrOpcode.SEND_WITH_INV, null, local).invalidating(key);
    }

    /** A signaled FLUSH. */
    public static Post flush(Place remote, FlushTarget target) {
        return of(WrOpcode.FLUSH, remote).with(PostExtra.NONE.with(target));
    }

    private Post with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.post();
    }

    /** The same that binds that; the window gets the variant of {@code key}, or the next one if that is null. */
    Post binding(@Nullable Bind what, @Nullable KeyRef key) {
        return with(draft -> {
            draft.bind = what;
            draft.rkey = key;
        });
    }

    /** The same that invalidates that key. */
    Post invalidating(@Nullable KeyRef key) {
        return with(draft -> draft.invalidates = key);
    }

    /** The same with these extras. */
    public Post with(PostExtra other) {
        return with(draft -> draft.extra = other);
    }

    /** The same on that queue pair. */
    public Post on(String queuePair) {
        return with(draft -> draft.qp = queuePair);
    }

    /** The same with these flags added. */
    public Post plus(int more) {
        return with(draft -> draft.flags |= more);
    }

    /** The same without these flags. */
    public Post minus(int fewer) {
        return with(draft -> draft.flags &= ~fewer);
    }

    /** The same with another opcode. */
    public Post as(WrOpcode other) {
        return with(draft -> draft.opcode = other);
    }

    /** The same without a completion on success. */
    public Post unsignaled() {
        return with(draft -> draft.flags &= ~SendFlags.SIGNALED);
    }

    /** The same under another number. */
    Post id(long number) {
        return with(draft -> draft.id = number);
    }

    /** The same with other operands of an atomic. */
    public Post operands(long compareOrAddend, long swapped) {
        return with(draft -> {
            draft.compareOrAdd = compareOrAddend;
            draft.swap = swapped;
        });
    }

    /** The same with immediate data; the opcode must be one that has it. */
    public Post immediate(int value) {
        return with(draft -> draft.immediate = value);
    }

    @Override
    public void check(NameScope scope) {
        scope.qp(qp);
        boolean swapped = remote != null && scope.areSwapped("remote", qp, remote, local);
        for (Element element : local) {
            if (element instanceof Place place && !swapped) {
                scope.local("local", place);
            }
        }
        if (remote != null && !swapped) {
            scope.remote("remote", qp, remote);
            if (remote.lengthBytes() != null && extra.flush() == null) {
                scope.problem("remote", remote + " names a length; leave it out, the local elements say how much");
            }
        }
        if (extra.destination() != null) {
            extra.destination().check(scope);
        }
        if (extra.srq() != null) {
            scope.peerSrq("remote_srq", qp, extra.srq());
        }
        if (bind != null) {
            bind.check(scope, "mw");
        }
        if (rkey != null) {
            scope.key("rkey", rkey);
        }
        if (invalidates != null && opcode == WrOpcode.LOCAL_INV) {
            scope.key(INVALIDATE, invalidates);
        } else if (invalidates != null) {
            scope.peerKey(INVALIDATE, qp, invalidates);
        }
    }

    @Override
    public List<Long> literals() {
        return local.stream()
                .filter(Literal.class::isInstance)
                .map(element -> ((Literal) element).value())
                .toList();
    }

    @Override
    public void run(StepContext context) {
        SendWorkRequest request = request(context);
        if (request != null && context.verb(error, () -> context.node().qp(qp).postSend(request))) {
            posted(context, request);
        }
    }

    /** What is posted; takes a number if it has none of its own. Null, and a failure of the step, if it lacks an object. */
    @Nullable
    SendWorkRequest request(StepContext context) {
        long number = context.node().freshId();
        long chosen = id == null ? number : id;
        SendWorkRequest request = bind == null ? request(context, chosen) : bindRequest(context, bind, chosen);
        return request == null ? null : addressed(context, request.withFlags(flags));
    }

    private SendWorkRequest addressed(StepContext context, SendWorkRequest request) {
        String sender = context.node().qpName(qp);
        Destination to = extra.destination() == null ? peerOf(context, sender) : extra.destination();
        SendWorkRequest sent = to == null ? request : to.of(request, context, sender);
        return extra.srq() == null ? sent : sent.toSrq(numberOf(extra.srq(), context.peer(qp)));
    }

    /** The number of a shared receive queue, as the peer has it. */
    private static int numberOf(SrqRef srq, NodeState peer) {
        return srq.name() == null ? srq.number() : peer.srqs().get(srq.name()).number();
    }

    /** Datagrams go to the other end of the connection unless they say otherwise; null if it is none. */
    private static @Nullable Destination peerOf(StepContext context, String sender) {
        QpSpec spec = context.node().names().qps().get(sender);
        QpRef peer = context.node().names().peer(sender);
        return spec == null || spec.type() != QpType.UD || peer == null ? null : Destination.to(peer);
    }

    private @Nullable SendWorkRequest bindRequest(StepContext context, Bind binding, long number) {
        MemoryWindow window = context.window(binding.window());
        BindInfo info = binding.info(context);
        if (window == null || info == null) {
            return null;
        }
        KeyRef key = rkey == null ? KeyRef.of(binding.window()).twisted(KeyRef.Twist.NEXT, 0) : rkey;
        return SendWorkRequest.bindWindow(number, window, context.key(key, context.node(), true), info);
    }

    private SendWorkRequest request(StepContext context, long number) {
        Sge[] elements = new Sge[local.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = context.sge(local.get(i));
        }
        NodeState there = remote == null ? context.node() : there(context, remote.name(), remote.key());
        long address = remote == null ? 0 : there.memory().address(remote);
        int key = remote == null ? 0 : context.key(remote, there, true);
        if (extra.flush() != null) {
            int length = remote == null ? 0 : there.names().lengthOf(remote);
            FlushTarget target =
                    new FlushTarget(extra.flush().type(), extra.flush().level(), length);
            return SendWorkRequest.flush(number, address, key, target);
        }
        return SendWorkRequest.of(
                number,
                opcode,
                address,
                key,
                compareOrAdd,
                swap,
                invalidates == null ? immediate : invalidated(context, invalidates),
                elements);
    }

    private int invalidated(StepContext context, KeyRef key) {
        return context.key(key, opcode == WrOpcode.LOCAL_INV ? context.node() : there(context, null, key), true);
    }

    /** Whose things are named; where nothing is, there need not be a peer. */
    private NodeState there(StepContext context, @Nullable String place, @Nullable KeyRef key) {
        boolean isBare = place == null && (key == null || key.name() == null);
        return isBare ? context.node() : context.peer(qp);
    }

    void posted(StepContext context, SendWorkRequest request) {
        if (bind != null) {
            context.node().bindPosted(bind.window(), request.boundKey());
        }
        context.node().posted(qp, request.id(), request.has(SendFlags.SIGNALED));
    }

    /** The values of a request that are set one by one. */
    private static final class Draft {

        private WrOpcode opcode;
        private @Nullable String qp;
        private List<Element> local = List.of();
        private @Nullable Place remote;
        private long compareOrAdd;
        private long swap;
        private int immediate;
        private @Nullable Bind bind;
        private @Nullable KeyRef rkey;
        private @Nullable KeyRef invalidates;
        private PostExtra extra = PostExtra.NONE;
        private int flags = SendFlags.SIGNALED;
        private @Nullable Long id;
        private @Nullable ExpectedError error;

        /** A signaled request of which nothing else is said. */
        Draft(WrOpcode opcode) {
            this.opcode = opcode;
        }

        Draft(Post from) {
            opcode = from.opcode;
            qp = from.qp;
            local = from.local;
            remote = from.remote;
            compareOrAdd = from.compareOrAdd;
            swap = from.swap;
            immediate = from.immediate;
            bind = from.bind;
            rkey = from.rkey;
            invalidates = from.invalidates;
            extra = from.extra;
            flags = from.flags;
            id = from.id;
            error = from.error;
        }

        Post post() {
            return new Post(
                    opcode,
                    qp,
                    local,
                    remote,
                    compareOrAdd,
                    swap,
                    immediate,
                    bind,
                    rkey,
                    invalidates,
                    extra,
                    flags,
                    id,
                    error);
        }
    }
}
