// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteOrder;

/** Programs whose queue pair fails behind requests that were executed. */
final class FlushLitmus {

    private FlushLitmus() {}

    /** A READ that has landed, and perhaps not completed (QP-22). */
    static String errorBehindARead(LitmusPair pair) {
        pair.theirs().buffer().putLong(0, 1);
        return statusBehindAnError(pair, pair.read(1, 0, 0, 8)) + " r="
                + pair.mine().buffer().getLong(0);
    }

    /** An atomic that has been executed. */
    static String errorBehindAnAtomic(LitmusPair pair) {
        SendWorkRequest add =
                SendWorkRequest.fetchAndAdd(1, pair.right.address(0), pair.right.rkey(), 1, pair.left.sge(0, 8));
        return statusBehindAnError(pair, add) + " x="
                + pair.theirs().buffer().order(ByteOrder.nativeOrder()).getLong(0);
    }

    /** A WRITE that was acknowledged. */
    static String errorBehindAWrite(LitmusPair pair) {
        pair.mine().buffer().putLong(0, 1);
        return statusBehindAnError(pair, pair.write(1, 0, 8)) + " x="
                + pair.theirs().buffer().getLong(0);
    }

    /** Two WRITEs that were acknowledged, the second unsignaled: it has succeeded only if the first has. */
    static String errorBehindAnUnsignaledWrite(LitmusPair pair) {
        StringBuilder seen = new StringBuilder();
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.left.qp.postSend(pair.write(2, 0, 8).unsignaled());
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR));
            pair.left.qp.postSend(pair.write(3, 0, 8));
            WorkCompletion done;
            do {
                done = pair.sent();
                seen.append(done.id()).append(done.status() == WcStatus.SUCCESS ? "+" : "-");
            } while (done.id() < 3);
        });
        return pair.run() + seen;
    }

    private static String statusBehindAnError(LitmusPair pair, SendWorkRequest request) {
        String[] status = new String[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(request);
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR));
            status[0] = pair.sent().status().toString();
        });
        return pair.run() + status[0];
    }
}
