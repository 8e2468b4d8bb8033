// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Req;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code roce check} says of the reasons for which a peer refuses. */
class RoceCheckTest {

    private static final int PORT = 4711;

    /** A connection manager that refuses every request for one reason. */
    private record Refusing(ManagementPort port, int reason) implements ManagementAgent {

        @Override
        public void received(Gid source, Octets datagram) {
            Mad mad = Mad.parse(datagram);
            if (CmMessage.parse(mad) instanceof Req req) {
                Rej rej = new Rej(0, req.localId(), Rej.MESSAGE_REQ, reason, Octets.EMPTY, Octets.EMPTY);
                port.send(source, rej.emit(mad.header().transactionId()));
            }
        }

        @Override
        public void deviceClosed() {
            // It has nothing.
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8, INVALID_SERVICE_ID, no program listens at port 4711",
        "12, INVALID_GID, the peer's device does not have that address",
        "26, INVALID_MTU, make the interfaces' MTUs equal",
        "28, CONSUMER_DEFINED, the program at port 4711 does not want this connection"
    })
    @Rule({"CM-04", "CM-21"})
    void reasonsOfThePeerHaveRemedies(int reason, String name, String remedy) {
        List<String> lines = new ArrayList<>();
        try (Verbatim rdma = Verbatim.inProcess()) {
            Device near = rdma.open("near");
            Device far = rdma.open("far");
            ManagementPort port = ((EmulatedDevice) far).managementPort();
            port.agent(ignored -> new Refusing(port, reason));

            boolean answered = new RoceCheck(near, lines::add)
                    .ask(new InetSocketAddress(far.gid().toInetAddress(), PORT), Await.LIMIT);

            assertThat(answered).isTrue();
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("REJ with reason " + reason + ", " + name)
                .contains(remedy);
    }
}
