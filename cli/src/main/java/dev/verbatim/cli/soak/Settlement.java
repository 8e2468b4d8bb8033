// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak;

import dev.verbatim.cli.soak.account.Ledger;
import dev.verbatim.cli.soak.world.MemoryBlock;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.SoakState;
import dev.verbatim.cli.soak.world.TrackedCq;
import dev.verbatim.cli.soak.world.TrackedQp;
import dev.verbatim.cli.soak.world.TrackedSrq;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The end, when no thread calls verbs any more: what is under way completes, what is left is flushed, every request is accounted for,
 * and everything is closed, which nothing may hinder.
 */
final class Settlement {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 200_000;

    private final SoakState world;
    private final WorkCompletion[] holders = new WorkCompletion[64];

    Settlement(SoakState world) {
        this.world = world;
        Arrays.setAll(holders, i -> new WorkCompletion());
    }

    void settle() {
        List<TrackedQp> qps = world.pairs().stream()
                .flatMap(pair -> Stream.of(pair.near(), pair.far()))
                .<TrackedQp>mapMulti((end, present) -> {
                    TrackedQp qp = end.qp();
                    if (qp != null) {
                        present.accept(qp);
                    }
                })
                .toList();
        await(() -> qps.stream().noneMatch(Settlement::isUnderWay));
        qps.stream().filter(Settlement::isUnderWay).forEach(this::findStuck);
        for (TrackedQp qp : qps) {
            qp.modify(new QpAttributes().state(QpState.ERR));
        }
        await(() -> qps.stream().noneMatch(Settlement::isWaiting));
        qps.forEach(qp -> qp.settle(qp.isOverrun()));
        world.sweepAll();
        world.sides().forEach(side -> side.srqs().all().forEach(TrackedSrq::audit));
        close(qps);
        if (world.totals().missing() != 0 && world.failures().isEmpty()) {
            world.failures()
                    .add(
                            List.of(),
                            "%d requests are not accounted for",
                            world.totals().missing());
        }
    }

    /** Whether requests of its are being done, which ends by itself: its timeouts and retries are finite. */
    private static boolean isUnderWay(TrackedQp qp) {
        return qp.qp().state() == QpState.RTS && !qp.isOverrun() && qp.sends().isWaiting();
    }

    private static boolean isWaiting(TrackedQp qp) {
        return !qp.isOverrun() && qp.ledgers().stream().anyMatch(Ledger::isWaiting);
    }

    private void findStuck(TrackedQp qp) {
        world.failures()
                .add(
                        qp.history().lines(),
                        "the send queue of qp 0x%x of %s is in RTS and has done nothing for %s, though its timeouts are"
                                + " finite: %s",
                        qp.qp().number(),
                        qp.side(),
                        PATIENCE,
                        qp.qp().query().timeout());
    }

    /** Polls everything until it is so, or for long enough. */
    private void await(BooleanSupplier so) {
        long beginNanos = System.nanoTime();
        while (System.nanoTime() - beginNanos < PATIENCE.toNanos()) {
            world.sides().forEach(this::takeAll);
            if (so.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void takeAll(Side side) {
        side.cqs().all().forEach(this::pollAll);
        side.channels().all().forEach(this::takeEvents);
        for (AsyncEvent event = side.device().pollAsyncEvent();
                event != null;
                event = side.device().pollAsyncEvent()) {
            world.figures().events.add(event.type().name());
            event.acknowledge();
        }
    }

    private void pollAll(TrackedCq cq) {
        try {
            int taken = cq.poll(holders);
            while (taken > 0) {
                taken = cq.poll(holders);
            }
        } catch (VerbsException overrun) {
            if (!cq.isBroken()) {
                world.failures().thrown("poll_cq", overrun);
            }
        }
    }

    private void takeEvents(CompletionChannel channel) {
        for (CompletionEvent event = channel.pollEvent(); event != null; event = channel.pollEvent()) {
            world.figures().events.add("completion event");
            event.acknowledge();
        }
    }

    private void close(List<TrackedQp> qps) {
        world.sides().forEach(this::takeAll);
        for (TrackedQp qp : qps) {
            close("destroy_qp", qp::close);
        }
        for (Side side : world.sides()) {
            side.srqs().all().forEach(srq -> close("destroy_srq", srq::close));
            side.windows().all().forEach(window -> close("dealloc_mw", window.window()::close));
            side.regions().all().forEach(region -> close("dereg_mr", region::close));
            side.blocks().forEach(MemoryBlock::checkIfSealed);
            takeAll(side);
            close("close_xrcd", side.xrcDomain()::close);
            side.addressHandles().all().forEach(handle -> close("destroy_ah", handle::close));
            side.cqs().all().forEach(cq -> close("destroy_cq", cq.cq()::close));
            side.channels().all().forEach(channel -> close("destroy_comp_channel", channel::close));
            side.domains().all().forEach(pd -> close("dealloc_pd", pd::close));
            close("close_device", side.device()::close);
        }
        world.sweepAll();
    }

    /** Nothing is left that it could be in the way of. */
    private void close(String verb, Runnable closing) {
        try {
            closing.run();
        } catch (VerbsException refused) {
            world.failures().add(List.of(), "%s was refused at the end: %s", verb, refused.getMessage());
        }
    }
}
