// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.account.Discards;
import dev.verbatim.cli.soak.account.Ledger;
import dev.verbatim.cli.soak.account.Posted;
import dev.verbatim.cli.soak.account.QueueHistory;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A queue pair whose every request is accounted for. */
public final class TrackedQp {

    private final Side side;
    private final ProtectionDomain pd;
    private final QueuePair qp;
    private final @Nullable TrackedCq sendCq;
    private final @Nullable TrackedCq recvCq;
    private final @Nullable TrackedSrq srq;
    private final Discards discards = new Discards();
    private final QueueHistory history;
    private final Ledger sends;
    private final Ledger receives;

    public TrackedQp(
            Side side,
            ProtectionDomain pd,
            QueuePair qp,
            @Nullable TrackedCq sendCq,
            @Nullable TrackedCq recvCq,
            @Nullable TrackedSrq srq) {
        this.side = side;
        this.pd = pd;
        this.qp = qp;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.srq = srq;
        SoakState world = side.world();
        this.history = world.history();
        String name = String.format(Locale.ROOT, "%s qp 0x%x of %s", type(), qp.number(), side);
        Ledger.Watch watch = new Ledger.Watch(discards, history);
        boolean failsForGood = type() != QpType.UC && type() != QpType.UD;
        this.sends = world.ledger(Ledger.Kind.SENDS, "send queue of " + name, qp.number(), failsForGood, watch);
        this.receives =
                world.ledger(Ledger.Kind.RECEIVES, "receive queue of " + name, qp.number(), failsForGood, watch);
        history.mark("created", qp.initAttributes().capabilities());
    }

    public Side side() {
        return side;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public QueuePair qp() {
        return qp;
    }

    public QpType type() {
        return qp.initAttributes().type();
    }

    public Ledger sends() {
        return sends;
    }

    public QueueHistory history() {
        return history;
    }

    public List<Ledger> ledgers() {
        return List.of(sends, receives);
    }

    public boolean isOverrun() {
        return (sendCq != null && sendCq.isBroken()) || (recvCq != null && recvCq.isBroken());
    }

    /** Makes and posts a chain of requests, or a single one. */
    public void postSends(Worker worker, int count, LongFunction<SendWorkRequest> maker) {
        List<SendWorkRequest> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(maker.apply(sends.nextId(worker.number())));
        }
        boolean all = qp.initAttributes().signalAll();
        List<Posted> posted = new ArrayList<>();
        for (SendWorkRequest request : chain) {
            posted.add(sends.posting(request.id(), all || request.has(SendFlags.SIGNALED), request));
        }
        post(sends, posted, () -> {
            if (count == 1) {
                qp.postSend(chain.get(0));
            } else {
                qp.postSend(chain);
            }
        });
    }

    /** Makes and posts a chain of receives, or a single one. */
    public void postReceives(Worker worker, int count, LongFunction<ReceiveWorkRequest> maker) {
        postReceives(receives, worker, count, maker, qp::postRecv, qp::postRecv);
    }

    static void postReceives(
            Ledger ledger,
            Worker worker,
            int count,
            LongFunction<ReceiveWorkRequest> maker,
            Consumer<ReceiveWorkRequest> one,
            Consumer<List<ReceiveWorkRequest>> several) {
        List<ReceiveWorkRequest> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(maker.apply(ledger.nextId(worker.number())));
        }
        List<Posted> posted = new ArrayList<>();
        for (ReceiveWorkRequest request : chain) {
            posted.add(ledger.posting(request.id(), true, request));
        }
        post(ledger, posted, () -> {
            if (count == 1) {
                one.accept(chain.get(0));
            } else {
                several.accept(chain);
            }
        });
    }

    /** Binds a window of type 1, which is a request too. */
    public void bind(Worker worker, boolean signaled, LongFunction<Object> described, Binder binder) {
        long id = sends.nextId(worker.number());
        boolean told = signaled || qp.initAttributes().signalAll();
        post(sends, List.of(sends.posting(id, told, described.apply(id))), () -> binder.bind(id));
    }

    /** Calls bind_mw. */
    public interface Binder {
        void bind(long id);
    }

    private static void post(Ledger ledger, List<Posted> posted, Runnable verb) {
        int accepted = posted.size();
        try {
            verb.run();
        } catch (VerbsException refused) {
            accepted = refused.badRequest();
            for (Posted each : posted.subList(accepted, posted.size())) {
                ledger.refused(each, refused.getMessage());
            }
            throw refused;
        } finally {
            posted.subList(0, accepted).forEach(ledger::accepted);
        }
    }

    /** It is about to lose what it has, in the shared receive queue too. */
    private void ending() {
        if (srq != null) {
            srq.userEnded();
        } else if (type() == QpType.XRC_RECV) {
            side.srqs().all().forEach(TrackedSrq::userEnded);
        }
    }

    public void modify(QpAttributes values, int mask) {
        boolean resets = (mask & QpAttributeMask.STATE) != 0 && values.state() == QpState.RESET;
        history.mark(
                "modify",
                QpAttributeMask.describe(mask) + ((mask & QpAttributeMask.STATE) != 0 ? " to " + values.state() : ""));
        if (resets) {
            ending();
        }
        long beginNanos = System.nanoTime();
        try {
            qp.modify(values, mask);
        } catch (VerbsException e) {
            history.mark("refused", e.getMessage());
            throw e;
        }
        if (resets) {
            discards.add(beginNanos, System.nanoTime());
        }
        history.mark("modified", qp.state());
    }

    public void modify(QpAttributes values) {
        modify(values, values.mask());
    }

    /** Destroys it, if the device lets it. */
    public void close() {
        ending();
        long beginNanos = System.nanoTime();
        qp.close();
        long closedNanos = System.nanoTime();
        discards.add(beginNanos, closedNanos);
        history.mark("destroyed", "");
        ledgers().forEach(ledger -> side.world().retire(ledger, closedNanos));
    }

    public void settle(boolean overrun) {
        sends.settle(overrun);
        receives.settle(overrun);
    }
}
