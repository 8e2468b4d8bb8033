// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.QpSpec;
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
        int flags,
        @Nullable Long id,
        @Nullable Refused error)
        implements Step {

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
        return new Post(opcode, null, List.of(local), remote, 0, 0, 0, SendFlags.SIGNALED, null, null);
    }

    /** The same on that queue pair. */
    public Post on(String queuePair) {
        return new Post(opcode, queuePair, local, remote, compareOrAdd, swap, immediate, flags, id, error);
    }

    /** The same with these flags added. */
    public Post plus(int more) {
        return new Post(opcode, qp, local, remote, compareOrAdd, swap, immediate, flags | more, id, error);
    }

    /** The same without a completion on success. */
    public Post unsignaled() {
        return new Post(
                opcode, qp, local, remote, compareOrAdd, swap, immediate, flags & ~SendFlags.SIGNALED, id, error);
    }

    /** The same with other operands of an atomic. */
    public Post operands(long compareOrAddend, long swapped) {
        return new Post(opcode, qp, local, remote, compareOrAddend, swapped, immediate, flags, id, error);
    }

    /** The same with immediate data; the opcode must be one that has it. */
    public Post immediate(int value) {
        return new Post(opcode, qp, local, remote, compareOrAdd, swap, value, flags, id, error);
    }

    /** The same under another number. */
    public Post id(long number) {
        return new Post(opcode, qp, local, remote, compareOrAdd, swap, immediate, flags, number, error);
    }

    /** The same, which must be refused. */
    public Post failing(Refused how) {
        return new Post(opcode, qp, local, remote, compareOrAdd, swap, immediate, flags, id, how);
    }

    @Override
    public void check(Scope scope) {
        scope.qp(qp);
        for (Element element : local) {
            if (element instanceof Place place) {
                scope.local("local", place);
            }
        }
        if (remote != null) {
            scope.remote("remote", qp, remote);
            if (remote.lengthBytes() != null) {
                scope.problem("remote", remote + " names a length; leave it out, the local elements say how much");
            }
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
        if (bench.verb(error, () -> bench.qp(qp).postSend(request))) {
            posted(bench, request);
        }
    }

    /** What is posted; takes a number if it has none of its own. */
    SendWorkRequest request(Workbench bench) {
        Sge[] elements = new Sge[local.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = bench.lands().sge(local.get(i));
        }
        boolean isBare = remote == null
                || (remote.name() == null
                        && remote.key() != null
                        && remote.key().region() == null);
        Lands there = isBare ? bench.lands() : bench.peer(qp).lands();
        long number = bench.freshId();
        return SendWorkRequest.of(
                        id == null ? number : id,
                        opcode,
                        remote == null ? 0 : there.address(remote),
                        remote == null ? 0 : there.key(remote, true),
                        compareOrAdd,
                        swap,
                        immediate,
                        elements)
                .withFlags(flags);
    }

    void posted(Workbench bench, SendWorkRequest request) {
        String name = bench.qpName(qp);
        QpSpec spec = bench.names().qps().get(name);
        boolean signaled = request.has(SendFlags.SIGNALED) || (spec != null && spec.signalAll());
        bench.outstanding().posted(name, request.id(), signaled);
    }
}
