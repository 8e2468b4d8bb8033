// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.QpSlot;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.Target;
import dev.verbatim.cli.soak.world.TrackedQp;
import dev.verbatim.cli.soak.world.TrackedRegion;
import dev.verbatim.cli.soak.world.TrackedWindow;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A kind of request: a new opcode is one row.
 *
 * @param opcode what it does
 * @param weight how often, relative to the others that the queue pair may do
 * @param types services that have it; on others it is posted seldom, to be refused
 * @param maker draws one
 */
record RequestKind(WrOpcode opcode, int weight, Set<QpType> types, Maker maker) {

    /** Makes a request. */
    interface Maker {
        SendWorkRequest make(Draw draw);
    }

    /** What there is to draw from. */
    record Draw(Worker worker, TrackedQp qp, ProtectionDomain pd, QpSlot peer, long id, int lengthBytes) {

        Sge[] local() {
            return RandomAddresses.local(worker, qp.side(), pd, lengthBytes);
        }

        Sge[] word() {
            return RandomAddresses.local(worker, qp.side(), pd, worker.chance(0.01) ? lengthBytes : Long.BYTES);
        }

        Target remote(int bytes) {
            return RandomAddresses.remote(worker, peer, bytes);
        }

        Target remote() {
            return remote(lengthBytes);
        }

        RandomGenerator random() {
            return worker.random();
        }

        int immediate() {
            return random().nextInt();
        }
    }

    private static final Set<QpType> CONNECTED = EnumSet.of(QpType.RC, QpType.UC, QpType.XRC_SEND);
    private static final Set<QpType> RELIABLE = EnumSet.of(QpType.RC, QpType.XRC_SEND);
    private static final Set<QpType> SENDING = EnumSet.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND);
    private static final Set<QpType> NONE = EnumSet.noneOf(QpType.class);

    static final List<RequestKind> TABLE = List.of(
            new RequestKind(WrOpcode.SEND, 200, SENDING, draw -> SendWorkRequest.send(draw.id(), draw.local())),
            new RequestKind(
                    WrOpcode.SEND_WITH_IMM,
                    60,
                    SENDING,
                    draw -> SendWorkRequest.sendWithImmediate(draw.id(), draw.immediate(), draw.local())),
            new RequestKind(WrOpcode.RDMA_WRITE, 250, CONNECTED, draw -> {
                Target to = draw.remote();
                return SendWorkRequest.write(draw.id(), to.address(), to.key(), draw.local());
            }),
            new RequestKind(WrOpcode.RDMA_WRITE_WITH_IMM, 80, CONNECTED, draw -> {
                Target to = draw.remote();
                return SendWorkRequest.writeWithImmediate(
                        draw.id(), to.address(), to.key(), draw.immediate(), draw.local());
            }),
            new RequestKind(WrOpcode.RDMA_READ, 150, RELIABLE, draw -> {
                Target from = draw.remote();
                return SendWorkRequest.read(draw.id(), from.address(), from.key(), draw.local());
            }),
            new RequestKind(WrOpcode.ATOMIC_CMP_AND_SWP, 50, RELIABLE, draw -> {
                Target word = draw.remote(Long.BYTES);
                return SendWorkRequest.compareAndSwap(draw.id(), word.address(), word.key(), 0, 1, draw.word());
            }),
            new RequestKind(WrOpcode.ATOMIC_FETCH_AND_ADD, 80, RELIABLE, draw -> {
                Target word = draw.remote(Long.BYTES);
                return SendWorkRequest.fetchAndAdd(draw.id(), word.address(), word.key(), 1, draw.word());
            }),
            new RequestKind(WrOpcode.ATOMIC_WRITE, 40, RELIABLE, draw -> {
                Target word = draw.remote(Long.BYTES);
                return SendWorkRequest.atomicWrite(draw.id(), word.address(), word.key(), draw.word());
            }),
            new RequestKind(WrOpcode.FLUSH, 30, RELIABLE, draw -> {
                Target range = draw.remote();
                FlushTarget what = new FlushTarget(
                        draw.worker().chance(0.95)
                                ? FlushTarget.GLOBAL
                                : draw.random().nextInt(8),
                        draw.random().nextInt(2),
                        draw.lengthBytes());
                return SendWorkRequest.flush(draw.id(), range.address(), range.key(), what);
            }),
            new RequestKind(WrOpcode.BIND_MW, 30, CONNECTED, RequestKind::bind),
            new RequestKind(
                    WrOpcode.LOCAL_INV,
                    4,
                    CONNECTED,
                    draw -> SendWorkRequest.localInvalidate(
                            draw.id(), keyOfWindow(draw, draw.qp().side()))),
            new RequestKind(
                    WrOpcode.SEND_WITH_INV,
                    4,
                    RELIABLE,
                    draw -> SendWorkRequest.sendWithInvalidate(
                            draw.id(), keyOfWindow(draw, draw.peer().side()), draw.local())),
            new RequestKind(WrOpcode.TSO, 2, NONE, draw -> plain(draw, WrOpcode.TSO)),
            new RequestKind(WrOpcode.DRIVER1, 2, NONE, draw -> plain(draw, WrOpcode.DRIVER1)));

    private static SendWorkRequest plain(Draw draw, WrOpcode opcode) {
        return SendWorkRequest.of(draw.id(), opcode, 0, 0, 0, 0, 0, draw.local());
    }

    private static int keyOfWindow(Draw draw, Side side) {
        TrackedWindow window = side.windows().any(draw.random());
        Target bound = window == null ? null : window.target();
        return bound == null ? draw.random().nextInt() : bound.key();
    }

    /** Of whichever window and region; where there is none, of something else. */
    private static SendWorkRequest bind(Draw draw) {
        TrackedWindow window = draw.qp().side().windows().any(draw.random());
        TrackedRegion under = draw.qp().side().regions().any(draw.random());
        if (window == null || under == null) {
            return SendWorkRequest.send(draw.id());
        }
        BindInfo info = bindInfo(draw.worker(), under.region());
        SendWorkRequest request = SendWorkRequest.bindWindow(
                draw.id(), window.window(), draw.random().nextInt(), info);
        boolean zeroBased = (info.access() & AccessFlags.ZERO_BASED) != 0;
        window.bound(new Target(zeroBased ? 0 : info.address(), info.lengthBytes(), request.boundKey()));
        return request;
    }

    /** What a window may be bound to, mostly. */
    static BindInfo bindInfo(Worker worker, MemoryRegion region) {
        RandomGenerator random = worker.random();
        if (worker.chance(0.02)) {
            return worker.oneOf(List.of(
                    BindInfo.NOTHING,
                    new BindInfo(region, region.address() - 1, 8, AccessFlags.REMOTE_READ),
                    new BindInfo(region, region.address(), Long.MAX_VALUE, AccessFlags.REMOTE_READ),
                    new BindInfo(region, region.address(), -1, AccessFlags.REMOTE_READ),
                    new BindInfo(region, region.address(), 8, AccessFlags.MW_BIND),
                    new BindInfo(null, 1, 1, 0)));
        }
        int offset = worker.chance(0.5) ? 0 : random.nextInt(1 + Math.toIntExact(region.lengthBytes())) & -Long.BYTES;
        int access = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
        int zeroBased = worker.chance(0.1) ? AccessFlags.ZERO_BASED : 0;
        return new BindInfo(region, region.address() + offset, region.lengthBytes() - offset, access | zeroBased);
    }
}
