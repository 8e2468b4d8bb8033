// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLedger;
import dev.verbatim.conformance.oracle.key.KeyVariants;
import dev.verbatim.conformance.oracle.memory.MemoryModel;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.verbs.Gid;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One device as the trace has it. */
public final class DeviceModel {

    private final String name;
    private final Findings findings;
    private final MemoryModel memory;
    private final KeyLedger keys;
    private final KeyUse keyUse;
    private final WindowLedger windows;
    private final Map<Integer, SharedReceiveModel> sharedReceives = new LinkedHashMap<>();
    private final Map<Integer, QueuePairModel> queuePairs = new LinkedHashMap<>();
    private @Nullable QueuePairModel last;
    private int lastNumber = -1;
    private final Set<Gid> gids = new HashSet<>();

    public DeviceModel(String name, MemoryModel memory, Findings findings) {
        this.name = name;
        this.memory = memory;
        this.findings = findings;
        KeyVariants variants = new KeyVariants(name, findings);
        this.keys = new KeyLedger(name, findings, variants);
        this.windows = new WindowLedger(name, findings, keys, variants);
        this.keyUse = new KeyUse(name, memory, windows, findings);
    }

    public String name() {
        return name;
    }

    public MemoryModel memory() {
        return memory;
    }

    public KeyLedger keys() {
        return keys;
    }

    public KeyUse keyUse() {
        return keyUse;
    }

    public WindowLedger windows() {
        return windows;
    }

    /** Whether one of its ports has that GID. */
    boolean isAt(Gid gid) {
        return gids.contains(gid);
    }

    /** One of its ports has that GID. */
    public void hasGid(Gid source) {
        gids.add(source);
    }

    public SharedReceiveModel sharedReceives(int srq) {
        return sharedReceives.computeIfAbsent(srq, key -> new SharedReceiveModel(name, key, findings));
    }

    public QueuePairModel queuePair(int number) {
        QueuePairModel queuePair = last;
        if (queuePair == null || lastNumber != number) {
            queuePair = queuePairs.computeIfAbsent(number, key -> new QueuePairModel(this, key, findings));
            last = queuePair;
            lastNumber = number;
        }
        return queuePair;
    }

    /** A queue pair is in RESET: nothing of it matters any more. */
    public void forget(int number) {
        queuePairs.remove(number);
        last = null;
    }

    public void settle() {
        queuePairs.values().forEach(QueuePairModel::settle);
    }

    public void atEnd(Findings verdict) {
        queuePairs.values().forEach(queuePair -> queuePair.atEnd(verdict));
        sharedReceives.values().forEach(queue -> queue.atEnd(verdict));
    }
}
