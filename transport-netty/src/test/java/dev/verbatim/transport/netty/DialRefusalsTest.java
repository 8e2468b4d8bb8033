// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A dial that is refused for a reason which stays says that reason, and does not go on until its time is over. */
@Timeout(600)
class DialRefusalsTest {

    /** So long that a dial which is tried until its time is over ends in the timeout of the test. */
    private static final NettyOptions PATIENT = NettyOptions.defaults().withDialTimeoutNanos(3_600_000_000_000L);

    @Test
    @Rule("N-06")
    void gidThatIsConnectedIsNamedAfterAFewTries() throws IOException {
        try (Node server = Node.open(1);
                Node present = Node.open(2);
                Node late = Node.open(2, PATIENT);
                Relay relay = Relay.to(server.listen())) {
            present.fabric.dial(server.listen());
            assertRefused(
                    Errno.EBUSY,
                    "gid=" + server.gid + " refuses gid=" + late.gid
                            + ": another device of the same GID is connected; give"
                            + " one of them another GUID, or close the other first",
                    () -> late.fabric.dial(relay.address()));
            assertThat(relay.joined()).isEqualTo(TransportLimits.MOST_SHORT_TRIES);
            present.send(server, 0, 1);
            assertThat(server.inbox.await(1)).hasSize(1);
        }
    }

    @Test
    @Rule("N-06")
    void fullListenerSaysHowManyConnectionsItMayHave() throws IOException {
        try (Node server = Node.open(1, NettyOptions.defaults().withMaxConnections(1));
                Node present = Node.open(2);
                Node late = Node.open(3, PATIENT);
                Relay relay = Relay.to(server.listen())) {
            present.fabric.dial(server.listen());
            assertRefused(
                    Errno.EBUSY,
                    "raise its NettyOptions.withMaxConnections, or close some (maxConnections=1)",
                    () -> late.fabric.dial(relay.address()));
            assertThat(relay.joined()).isEqualTo(TransportLimits.MOST_SHORT_TRIES);
            present.port.close();
            late.fabric.dial(relay.address());
        }
    }

    @Test
    @Rule("N-06")
    void deviceOfAGidThatThisEndIsConnectedToIsNamedAfterAFewTries() throws IOException {
        try (Node one = Node.open(1);
                Node other = Node.open(1);
                Node client = Node.open(2, PATIENT);
                Relay relay = Relay.to(other.listen())) {
            client.fabric.dial(one.listen());
            assertRefused(
                    Errno.EBUSY,
                    "another device of gid=" + one.gid + " is connected already; give one of the two another GUID",
                    () -> client.fabric.dial(relay.address()));
            assertThat(relay.joined()).isEqualTo(TransportLimits.MOST_SHORT_TRIES);
        }
    }
}
