// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A dial whose peer says nothing, and each way in which it ends. */
@Timeout(600)
class DialWaitsTest {

    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();

    private final AtomicReference<VerbsException> thrown = new AtomicReference<>();
    private boolean interrupted;

    /** Dials until somebody does something about it. */
    private Errno endOf(long timeoutNanos, Meanwhile meanwhile) throws Exception {
        NettyFabric fabric = NettyFabric.open(
                NettyOptions.defaults().withDialTimeoutNanos(timeoutNanos).withHelloTimeoutNanos(LONG_NANOS));
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Verbatim door = Verbatim.over(fabric)) {
            Device device = door.open("device");
            Thread dialling = new Thread(
                    () -> {
                        try {
                            fabric.dial(Node.loopback(silent.getLocalPort()));
                        } catch (VerbsException e) {
                            thrown.set(e);
                        }
                        interrupted = Thread.interrupted();
                    },
                    "dials");
            dialling.start();
            Await.state(dialling, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
            meanwhile.happens(fabric, door, device, dialling);
            Await.end(dialling);
        }
        asserted();
        return thrown.get().errno();
    }

    /** What somebody does about it. */
    private interface Meanwhile {
        void happens(NettyFabric fabric, Verbatim door, Device device, Thread dialling) throws IOException;
    }

    @Test
    @Rule("N-06")
    void timeIsOver() throws Exception {
        assertThat(endOf(1_000_000, (fabric, door, device, dialling) -> {})).isEqualTo(Errno.ETIMEDOUT);
    }

    @Test
    @Rule("N-06")
    void fabricIsClosed() throws Exception {
        assertThat(endOf(LONG_NANOS, (fabric, door, device, dialling) -> fabric.close()))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    @Rule("N-06")
    void everythingIsClosed() throws Exception {
        assertThat(endOf(LONG_NANOS, (fabric, door, device, dialling) -> door.close()))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    @Rule("PD-07")
    void deviceIsClosed() throws Exception {
        assertThat(endOf(LONG_NANOS, (fabric, door, device, dialling) -> device.closeAll()))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    @Rule("NT-06")
    void threadIsInterrupted() throws Exception {
        assertThat(endOf(LONG_NANOS, (fabric, door, device, dialling) -> dialling.interrupt()))
                .isEqualTo(Errno.EINTR);
        assertThat(interrupted).as("stays interrupted").isTrue();
    }
}
