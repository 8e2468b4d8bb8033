// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.account.Figures;
import dev.verbatim.cli.soak.account.Ledger;
import dev.verbatim.cli.soak.account.QueueHistory;
import dev.verbatim.cli.soak.account.RequestId;
import dev.verbatim.cli.soak.account.SoakFailures;
import dev.verbatim.cli.soak.account.Totals;
import dev.verbatim.cli.soak.plan.DevicePair;
import dev.verbatim.cli.soak.plan.SoakPlan;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Everything that the threads share. */
public final class SoakState {

    private final SoakPlan plan;
    private final SoakFailures failures;
    private final Figures figures;
    private final Totals totals;
    private final List<Side> sides = new ArrayList<>();
    private final List<QpSlotPair> pairs = new ArrayList<>();
    private final Map<Integer, Ledger> ledgers = new ConcurrentHashMap<>();
    private final Queue<Ledger> retiredLater = new ConcurrentLinkedQueue<>();
    private final Queue<Retired> retired = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ledgersMade = new AtomicInteger();
    private final long originNanos = System.nanoTime();

    public SoakState(SoakPlan plan, DevicePair pair, SoakFailures failures, Figures figures, Totals totals) {
        this.plan = plan;
        this.failures = failures;
        this.figures = figures;
        this.totals = totals;
        for (Device device : pair.devices()) {
            sides.add(new Side(this, device));
        }
        for (PairPlan pairing : PairPlan.TABLE) {
            for (int i = 0; i < pairing.pairs(); i++) {
                pairs.add(pairing.pair(sides));
            }
        }
    }

    SoakPlan plan() {
        return plan;
    }

    public SoakFailures failures() {
        return failures;
    }

    public Figures figures() {
        return figures;
    }

    public Totals totals() {
        return totals;
    }

    public List<Side> sides() {
        return sides;
    }

    public List<QpSlotPair> pairs() {
        return pairs;
    }

    QueueHistory history() {
        return new QueueHistory(originNanos);
    }

    Ledger ledger(Ledger.Kind kind, String name, int qpNumber, boolean failsForGood, Ledger.Watch watch) {
        int number = ledgersMade.incrementAndGet();
        Ledger ledger = new Ledger(number, kind, name, qpNumber, failsForGood, watch, failures, totals, plan.threads());
        ledgers.put(number, ledger);
        return ledger;
    }

    /** That of the queue to which a request was posted; null if there is no such queue, or it is no more. */
    @Nullable
    Ledger ledgerOf(long requestId) {
        return ledgers.get(RequestId.ledger(requestId));
    }

    private record Retired(Ledger ledger, long nanos) {}

    /** Its queue was destroyed; threads may still be about to tell of completions of its. */
    void retire(Ledger ledger, long nanos) {
        retired.add(new Retired(ledger, nanos));
    }

    /** The same for one whose completions may stay in a completion queue until the end. */
    void retireLater(Ledger ledger) {
        retiredLater.add(ledger);
    }

    /** Settles what is left, when nothing can complete any more. */
    public void sweepAll() {
        sweep(Long.MAX_VALUE);
        retiredLater.forEach(ledger -> ledger.settle(false));
        retiredLater.clear();
    }

    /** Settles the accounts of what was destroyed before this time, at which every thread was done with what it had polled. */
    public void sweep(long nanos) {
        for (Retired oldest = retired.peek(); oldest != null && oldest.nanos() < nanos; oldest = retired.peek()) {
            retired.remove();
            oldest.ledger().settle(false);
            ledgers.remove(oldest.ledger().number());
        }
    }
}
