// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;

/** The example of memory windows in the README. */
public final class Window {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private Window() {}

    /** Opens a part of a region to a peer, which uses it, gives it back, and uses it once more. */
    public static void main(String[] args) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPair rc = RcPair.connect(rdma.open("user"), rdma.open("owner"));
            openUseAndClose(rc.left(), rc.right());
        }
    }

    private static void openUseAndClose(RcPeer user, RcPeer owner) {
        // README begins
        MemoryRegion region = owner.pd().register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        BindInfo part = new BindInfo(region, region.address(), 64, AccessFlags.REMOTE_WRITE);
        var bind = SendWorkRequest.bindWindow(1, owner.pd().allocateWindow(MemoryWindowType.TYPE_2), 0x41, part);
        owner.qp().postSend(bind); // grants remote write to 64 bytes of the region
        owner.qp().postRecv(ReceiveWorkRequest.of(2));
        System.out.println(owner.sent().awaitCompletion(SECOND));
        user.qp().postSend(SendWorkRequest.write(3, part.address(), bind.boundKey(), user.sge(0, 64)));
        user.qp().postSend(SendWorkRequest.sendWithInvalidate(4, bind.boundKey())); // invalidates the rkey
        System.out.println(owner.received().awaitCompletion(SECOND));
        user.qp().postSend(SendWorkRequest.write(5, part.address(), bind.boundKey(), user.sge(0, 64)));
        System.out.println(owner.device().getAsyncEvent(SECOND).refusal());
        // README ends
    }
}
