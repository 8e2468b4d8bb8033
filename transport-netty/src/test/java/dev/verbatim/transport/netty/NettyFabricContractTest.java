// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricContract;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.lane.NettyLane;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;

/** Devices of one fabric: what holds in one JVM holds between them. */
@Timeout(600)
class NettyFabricContractTest extends FabricContract {

    @Override
    protected Fabric open() {
        return NettyFabric.open();
    }

    /** Whatever is under way is done in steps of the loop. */
    @Override
    protected void settle(Fabric fabric) {
        NettyLane lane = ((NettyFabric) fabric).lane();
        AtomicBoolean idle = new AtomicBoolean();
        Await.until("an idle lane", () -> {
            lane.call(() -> idle.set(!lane.hasWork()));
            return idle.get();
        });
    }
}
