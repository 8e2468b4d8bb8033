// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.cq.CompletionQueues;
import dev.verbatim.device.cq.UnfinishedWork;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.QueuePairs;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Standstill;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What of a device does not get on. Made when it is asked for; on the lane. */
final class Standstills {

    private static final int MOST = 64;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final String device;
    private final QueuePairs queuePairs;
    private final CompletionQueues completionQueues;

    Standstills(String device, QueuePairs queuePairs, CompletionQueues completionQueues) {
        this.device = device;
        this.queuePairs = queuePairs;
        this.completionQueues = completionQueues;
    }

    List<Standstill> all() {
        List<Standstill> all = new ArrayList<>();
        queuePairs.forEach(queuePair -> {
            UnfinishedWork work = queuePair.context().unfinished();
            Standstill.Kind kind = work.kind();
            if (kind != null) {
                Refusal what = Refusal.of(Rule.WC_03, "device %s: %s", device, work.text());
                all.add(new Standstill(kind, queuePair.number(), work.requestId(), what.causedBy(work.reason())));
            }
        });
        completionQueues.addUnpolled(all);
        all.sort(Comparator.comparing(Standstill::kind));
        return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
    }

    long progress() {
        long[] sum = {completionQueues.progress()};
        queuePairs.forEach(queuePair -> {
            QpContext qp = queuePair.context();
            sum[0] = sum[0] * SPREAD
                    + qp.sendQueue().posted()
                    + qp.sendQueue().completed()
                    + qp.engine().progress();
        });
        return sum[0];
    }
}
