// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;

/** Programs that show what may come of memory windows. */
final class WindowLitmus {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int BINDABLE = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;
    private static final int WRITABLE = AccessFlags.REMOTE_WRITE;
    private static final int KEY_VARIANT = 0x41;

    /** What ends a window. */
    enum End {
        DEALLOCATED,
        INVALIDATED
    }

    private WindowLitmus() {}

    /**
     * Left sends, and invalidates the key of a window behind it. Right writes by that key, and receives only then: so if the
     * key is dead, it was so before the SEND completed (N5).
     */
    static String invalidationBehindASend(LitmusPair pair) {
        boolean[] posted = new boolean[1];
        WcStatus[] written = new WcStatus[1];
        MemoryRegion region = pair.left.pd.register(pair.mine(), BINDABLE);
        MemoryWindow window = pair.left.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, KEY_VARIANT, BindInfo.of(region, WRITABLE));
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(bind);
            pair.sent();
            pair.left.qp.postSend(SendWorkRequest.send(2));
            pair.left.qp.postSend(SendWorkRequest.localInvalidate(3, bind.boundKey()));
            posted[0] = true;
        });
        pair.simulation.node("right", node -> {
            node.store(pair.theirs(), 0, 1);
            node.await(() -> posted[0]);
            Sge source = pair.right.sge(0, 8);
            pair.right.qp.postSend(SendWorkRequest.write(1, region.address(), bind.boundKey(), source));
            written[0] = pair.right.sendCq.awaitCompletion(LONG).status();
            pair.right.qp.postRecv(ReceiveWorkRequest.of(2));
        });
        return pair.run() + written[0] + " x=" + pair.mine().buffer().getLong(0);
    }

    /** Left writes two packets through a window of right, which ends meanwhile (N7). */
    static String endOfAWindow(LitmusPair pair, End end) {
        int mtuBytes = PathMtu.MTU_256.bytes();
        WcStatus[] written = new WcStatus[1];
        MemoryRegion region = pair.right.pd.register(pair.theirs(), BINDABLE);
        MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, KEY_VARIANT, BindInfo.of(region, WRITABLE));
        pair.right.qp.postSend(bind);
        pair.right.sendCq.awaitCompletion(LONG);
        pair.mine().buffer().putLong(0, 1).putLong(mtuBytes, 1);
        pair.simulation.node("left", node -> {
            Sge source = pair.left.sge(0, 2 * mtuBytes);
            pair.left.qp.postSend(SendWorkRequest.write(1, region.address(), bind.boundKey(), source));
            written[0] = pair.sent().status();
        });
        pair.simulation.node("right", node -> {
            if (end == End.DEALLOCATED) {
                window.close();
            } else {
                pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, bind.boundKey()));
            }
        });
        return pair.run()
                + written[0]
                + " x="
                + pair.theirs().buffer().getLong(0)
                + " y="
                + pair.theirs().buffer().getLong(mtuBytes);
    }
}
