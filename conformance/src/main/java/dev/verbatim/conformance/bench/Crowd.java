// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** Many queue pairs of usual size that share a completion queue. */
final class Crowd {

    private static final QpCapabilities SIZE = new QpCapabilities(16, 16, 1, 1, 64);

    private final Device device;
    private final List<QueuePair> queuePairs = new ArrayList<>();

    Crowd(Device device, int count) {
        this.device = device;
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue shared = device.createCq(Wiring.CQ_ENTRIES);
        for (int i = 0; i < count; i++) {
            queuePairs.add(pd.createQp(QpInitAttributes.rc(shared, shared, SIZE)));
        }
    }

    Gid gid() {
        return device.gid();
    }

    List<Integer> numbers() {
        return queuePairs.stream().map(QueuePair::number).toList();
    }

    /** Connects each queue pair to that of the peer which stands at the same place. */
    void connect(Gid peer, List<Integer> numbers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            QueuePair qp = queuePairs.get(i);
            Wiring.CONNECTION.readyToReceive(qp, new Endpoint(peer, numbers.get(i), Wiring.FIRST_PSN));
            Wiring.CONNECTION.readyToSend(qp, Wiring.FIRST_PSN);
        }
    }
}
