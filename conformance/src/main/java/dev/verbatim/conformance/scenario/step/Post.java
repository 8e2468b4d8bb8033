// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WrOpcode;
import java.util.List;
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
        @Nullable Refused error)
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

    /** A signaled RDMA_READ. */
    public static Post read(Place remote, Element... local) {
        return of(WrOpcode.RDMA_READ, remote, local);
    }

    /** A signaled ATOMIC_CMP_AND_SWP. */
    public static Post compareAndSwap(Place remote, Element local, long compare, long swap) {
        return of(WrOpcode.ATOMIC_CMP_AND_SWP, remote, local).operands(compare, swap);
    }

    /** A signaled ATOMIC_FETCH_AND_ADD. */
    public static Post fetchAndAdd(Place remote, Element local, long add) {
        return of(WrOpcode.ATOMIC_FETCH_AND_ADD, remote, local).operands(add, 0);
    }

    /** A signaled request of any opcode. */
    public static Post of(WrOpcode opcode, @Nullable Place remote, Element... local) {
        return new Post(
                opcode,
                null,
                List.of(local),
                remote,
                0,
                0,
                0,
                null,
                null,
                null,
                PostExtra.NONE,
                SendFlags.SIGNALED,
                null,
                null);
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

    private Post binding(@Nullable Bind what, @Nullable KeyRef key) {
        return new Post(
                opcode,
                qp,
                local,
                remote,
                compareOrAdd,
                swap,
                immediate,
                what,
                key,
                invalidates,
                extra,
                flags,
                id,
                error);
    }

    /** The same with these extras. */
    public Post with(PostExtra other) {
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
                other,
                flags,
                id,
                error);
    }

    private Post invalidating(KeyRef key) {
        return with(qp, key, flags, id, error);
    }

    /** The same on that queue pair. */
    public Post on(String queuePair) {
        return with(queuePair, invalidates, flags, id, error);
    }

    private Post with(int otherFlags, @Nullable Long number, @Nullable Refused how) {
        return with(qp, invalidates, otherFlags, number, how);
    }

    private Post with(
            @Nullable String queuePair,
            @Nullable KeyRef key,
            int otherFlags,
            @Nullable Long number,
            @Nullable Refused how) {
        return new Post(
                opcode,
                queuePair,
                local,
                remote,
                compareOrAdd,
                swap,
                immediate,
                bind,
                rkey,
                key,
                extra,
                otherFlags,
                number,
                how);
    }

    /** The same with these flags added. */
    public Post plus(int more) {
        return with(flags | more, id, error);
    }

    /** The same without a completion on success. */
    public Post unsignaled() {
        return with(flags & ~SendFlags.SIGNALED, id, error);
    }

    /** The same under another number. */
    public Post id(long number) {
        return with(flags, number, error);
    }

    /** The same, which must be refused. */
    public Post failing(Refused how) {
        return with(flags, id, how);
    }

    /** The same with other operands of an atomic. */
    public Post operands(long compareOrAddend, long swapped) {
        return new Post(
                opcode,
                qp,
                local,
                remote,
                compareOrAddend,
                swapped,
                immediate,
                bind,
                rkey,
                invalidates,
                extra,
                flags,
                id,
                error);
    }

    /** The same with immediate data; the opcode must be one that has it. */
    public Post immediate(int value) {
        return new Post(
                opcode, qp, local, remote, compareOrAdd, swap, value, bind, rkey, invalidates, extra, flags, id, error);
    }

    @Override
    public void check(Scope scope) {
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
    public void run(Workbench bench) {
        SendWorkRequest request = request(bench);
        if (request != null && bench.verb(error, () -> bench.qp(qp).postSend(request))) {
            posted(bench, request);
        }
    }

    /** What is posted; takes a number if it has none of its own. Null, and a failure of the step, if it lacks an object. */
    @Nullable
    SendWorkRequest request(Workbench bench) {
        long number = bench.freshId();
        long chosen = id == null ? number : id;
        SendWorkRequest request = bind == null ? request(bench, chosen) : bindRequest(bench, bind, chosen);
        return request == null ? null : addressed(bench, request.withFlags(flags));
    }

    private SendWorkRequest addressed(Workbench bench, SendWorkRequest request) {
        String sender = bench.qpName(qp);
        Destination to = extra.destination() == null ? peerOf(bench, sender) : extra.destination();
        SendWorkRequest sent = to == null ? request : to.of(request, bench, sender);
        return extra.srq() == null ? sent : sent.toSrq(extra.srq().numberAt(bench.peer(qp)));
    }

    /** Datagrams go to the other end of the connection unless they say otherwise; null if it is none. */
    private static @Nullable Destination peerOf(Workbench bench, String sender) {
        QpSpec spec = bench.names().qps().get(sender);
        End peer = bench.names().peer(sender);
        return spec == null || spec.type() != QpType.UD || peer == null ? null : Destination.to(peer);
    }

    private @Nullable SendWorkRequest bindRequest(Workbench bench, Bind binding, long number) {
        MemoryWindow window = bench.window(binding.window());
        BindInfo info = binding.info(bench);
        if (window == null || info == null) {
            return null;
        }
        KeyRef key = rkey == null ? KeyRef.of(binding.window()).twisted(KeyRef.Twist.NEXT, 0) : rkey;
        return SendWorkRequest.bindWindow(number, window, bench.key(key, bench, true), info);
    }

    private SendWorkRequest request(Workbench bench, long number) {
        Sge[] elements = new Sge[local.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = bench.sge(local.get(i));
        }
        Workbench there = remote == null ? bench : there(bench, remote.name(), remote.key());
        long address = remote == null ? 0 : there.lands().address(remote);
        int key = remote == null ? 0 : bench.key(remote, there, true);
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
                invalidates == null ? immediate : invalidated(bench, invalidates),
                elements);
    }

    private int invalidated(Workbench bench, KeyRef key) {
        return bench.key(key, opcode == WrOpcode.LOCAL_INV ? bench : there(bench, null, key), true);
    }

    /** Whose things are named; where nothing is, there need not be a peer. */
    private Workbench there(Workbench bench, @Nullable String place, @Nullable KeyRef key) {
        boolean isBare = place == null && (key == null || key.name() == null);
        return isBare ? bench : bench.peer(qp);
    }

    void posted(Workbench bench, SendWorkRequest request) {
        if (bind != null) {
            bench.bindPosted(bind.window(), request.boundKey());
        }
        bench.posted(qp, request.id(), request.has(SendFlags.SIGNALED));
    }
}
