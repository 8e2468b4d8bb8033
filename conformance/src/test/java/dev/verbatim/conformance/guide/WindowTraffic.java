// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.List;

/** Windows that are revoked while somebody uses them. */
final class WindowTraffic {

    private static final int FOUR_PACKETS = 4096;
    private static final int STEPS_UNTIL_TWO_PACKETS_ARE_PLACED = 10;

    private WindowTraffic() {}

    private static Stage stage() {
        return Stage.on(new LossyFabric(1, LinkFaults.NONE));
    }

    /** TR-8. */
    static String lateRead() {
        try (Stage stage = Stage.set()) {
            Side owner = stage.owner;
            Side user = stage.user;
            int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, 64));
            owner.done(SendWorkRequest.localInvalidate(2, key));
            stage.drawing();
            user.done(SendWorkRequest.read(3, owner.region().address(), key, user.sge(64)));
            return stage.drawing();
        }
    }

    static String deallocatedInTheMiddle() {
        try (Stage stage = stage()) {
            Side owner = stage.owner;
            Side user = stage.user;
            MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
            int key = owner.bound(window, 1, owner.part(0, FOUR_PACKETS));
            stage.drawing();
            user.qp().postSend(SendWorkRequest.write(2, owner.region().address(), key, user.sge(FOUR_PACKETS)));
            for (int step = 0; step < STEPS_UNTIL_TWO_PACKETS_ARE_PLACED; step++) {
                user.cq().poll(1); // virtual time: each call is one step
            }
            window.close();
            user.next();
            return stage.drawing();
        }
    }

    static String readBeforeInvalidate(int flags) {
        try (Stage stage = stage()) {
            Side owner = stage.owner;
            Side user = stage.user;
            int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, FOUR_PACKETS));
            owner.qp().postRecv(ReceiveWorkRequest.of(2));
            stage.drawing();
            user.qp()
                    .postSend(List.of(
                            SendWorkRequest.read(3, owner.region().address(), key, user.sge(FOUR_PACKETS)),
                            SendWorkRequest.sendWithInvalidate(4, key).plus(flags)));
            user.next();
            user.next();
            return stage.drawing();
        }
    }

    static String unfenced() {
        return readBeforeInvalidate(0);
    }

    static String fenced() {
        return readBeforeInvalidate(SendFlags.FENCE);
    }
}
