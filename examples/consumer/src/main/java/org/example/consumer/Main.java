// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;

/** The first example of docs/java.md. */
public final class Main {
    private Main() {}

    /** Writes a number from one device's memory into another's. */
    public static void main(String[] args) {
        // README begins
        try (Verbatim rdma = Verbatim.inProcess()) {
            ProtectionDomain left = rdma.open("left").allocatePd();
            ProtectionDomain right = rdma.open("right").allocatePd();
            CompletionQueue done = left.device().createCq(16);
            QueuePair qp = left.createQp(QpInitAttributes.rc(done));
            RcConnection.connect(qp, right.createQp(QpInitAttributes.rc(right.device().createCq(16))));
            int writable = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
            MemoryRegion target = right.register(Memory.allocate(4096), writable);
            MemoryRegion source = left.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE);
            source.memory().buffer().putLong(0, 42);
            qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), source.sge(0, 8)));
            System.out.println(done.awaitCompletion(Duration.ofSeconds(1)));
            System.out.println(target.memory().buffer().getLong(0));
        }
        // README ends
    }
}
