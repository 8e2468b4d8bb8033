// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.Gid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One device as the trace has it. */
final class DeviceModel {

    private final String name;
    private final Findings findings;
    private final MemoryModel memory;
    private final KeyLedger keys;
    private final KeyUse keyUse;
    private final WindowLedger windows;
    private final Map<Integer, SharedReceives> sharedReceives = new LinkedHashMap<>();
    private final Map<Integer, QueuePairModel> queuePairs = new LinkedHashMap<>();
    private @Nullable QueuePairModel last;
    private int lastNumber = -1;
    private @Nullable Gid gid;

    DeviceModel(String name, MemoryModel memory, Findings findings) {
        this.name = name;
        this.memory = memory;
        this.findings = findings;
        KeyVariants variants = new KeyVariants(name, findings);
        this.keys = new KeyLedger(name, findings, variants);
        this.windows = new WindowLedger(name, findings, keys, variants);
        this.keyUse = new KeyUse(name, memory, windows, findings);
    }

    String name() {
        return name;
    }

    MemoryModel memory() {
        return memory;
    }

    KeyLedger keys() {
        return keys;
    }

    KeyUse keyUse() {
        return keyUse;
    }

    WindowLedger windows() {
        return windows;
    }

    @Nullable
    Gid gid() {
        return gid;
    }

    void hasGid(Gid source) {
        gid = source;
    }

    SharedReceives sharedReceives(int srq) {
        return sharedReceives.computeIfAbsent(srq, key -> new SharedReceives(name, key, findings));
    }

    QueuePairModel queuePair(int number) {
        QueuePairModel queuePair = last;
        if (queuePair == null || lastNumber != number) {
            queuePair = queuePairs.computeIfAbsent(number, key -> new QueuePairModel(this, key, findings));
            last = queuePair;
            lastNumber = number;
        }
        return queuePair;
    }

    /** A queue pair is in RESET: nothing of it matters any more. */
    void forget(int number) {
        queuePairs.remove(number);
        last = null;
    }

    void settle() {
        queuePairs.values().forEach(QueuePairModel::settle);
    }

    void atEnd(Findings verdict) {
        queuePairs.values().forEach(queuePair -> queuePair.atEnd(verdict));
        sharedReceives.values().forEach(queue -> queue.atEnd(verdict));
    }
}
