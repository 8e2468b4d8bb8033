// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fabrics of one JVM whose devices dial each other, while some of them are closed. */
@Timeout(600)
class LocalFabricTest {

    private static final int ROUNDS = 100;

    private final LocalFabrics fabrics = new LocalFabrics();

    @Test
    void deviceThatWasClosedIsNotDialled() {
        try (Fabric one = fabrics.open(null);
                Fabric other = fabrics.open(one)) {
            attach(one, 1).close();
            attach(other, 2);
            attach(one, 1);
        }
    }

    @Test
    void deviceThatIsClosedWhileItIsDialledIsPassedOver() throws InterruptedException {
        try (Fabric one = fabrics.open(null);
                Fabric other = fabrics.open(one)) {
            for (int round = 0; round < ROUNDS; round++) {
                FabricPort closing = attach(one, 1);
                Thread closer = new Thread(closing::close, "closes");
                closer.start();
                attach(other, 2).close();
                closer.join();
            }
        }
    }

    @Test
    void openDeviceThatRefusesIsAnError() {
        try (Fabric one = fabrics.open(null);
                Fabric other = fabrics.open(one)) {
            attach(one, 1);
            NettyFabricTest.assertRefused(Errno.EINVAL, "both ends have this GID", () -> attach(other, 1));
        }
    }

    /** Who asked for it has nothing to close. */
    @Test
    void deviceThatCouldNotDialIsNotAttached() {
        try (Fabric one = fabrics.open(null);
                Fabric other = fabrics.open(one)) {
            FabricPort first = attach(one, 1);
            NettyFabricTest.assertRefused(Errno.EINVAL, "both ends have this GID", () -> attach(other, 1));
            first.close();
            attach(other, 1);
        }
    }

    private static FabricPort attach(Fabric fabric, long guid) {
        FabricPort port = fabric.attach(Gid.ofGuid(guid), (link, packet) -> {});
        assertThat(port.gid()).isEqualTo(Gid.ofGuid(guid));
        return port;
    }
}
