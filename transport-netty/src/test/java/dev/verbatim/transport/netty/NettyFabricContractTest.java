// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricContract;
import dev.verbatim.transport.netty.lane.NettyLane;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;

/** Devices of one fabric: what holds in one JVM holds between them. */
@Timeout(60)
class NettyFabricContractTest extends FabricContract {

    private static final long GENEROUS_NANOS = 30_000_000_000L;

    @Override
    protected Fabric open() {
        return NettyFabric.open();
    }

    /** Whatever is under way is done in steps of the loop. */
    @Override
    protected void settle(Fabric fabric) {
        NettyLane lane = ((NettyFabric) fabric).lane();
        long deadlineNanos = System.nanoTime() + GENEROUS_NANOS;
        AtomicBoolean idle = new AtomicBoolean();
        while (!idle.get()) {
            assertThat(System.nanoTime()).as("waiting for an idle lane").isLessThan(deadlineNanos);
            lane.call(() -> idle.set(!lane.hasWork()));
            Thread.yield();
        }
    }
}
