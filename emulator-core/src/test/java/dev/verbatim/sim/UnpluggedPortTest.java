// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The cable of a simulated device is pulled out, and put back. */
class UnpluggedPortTest {

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final RcPair pair = RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL)
            .connect(RcConnection.USUAL.withRetries(10, 7, 7, 12));

    @Test
    @Rule({"AE-11", "QP-29"})
    void deviceIsToldAndItsQueuePairsAreNot() {
        Device device = pair.left.device;
        fabric.unplug(device.gid());
        fabric.unplug(device.gid());
        assertEvent(device, EventType.PORT_ERR);
        assertThat(device.queryPort(1).state()).isEqualTo(PortState.DOWN);
        assertThat(device.queryPort(1).physicalState()).isEqualTo(PortAttributes.DISABLED);
        pair.left.qp.postSend(write(1));
        fabric.passNanos(1_000_000);
        assertThat(pair.left.sendCq.poll(1)).isEmpty();
        assertState(pair.left.qp, QpState.RTS);

        fabric.plug(device.gid());
        fabric.plug(device.gid());
        assertEvent(device, EventType.PORT_ACTIVE);
        assertThat(device.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.right.device.pollAsyncEvent()).as("at the peer").isNull();
    }

    @Test
    @Rule("AE-11")
    void cutSomewhereBetweenTheDevicesIsNoMatterOfTheirPorts() {
        fabric.cut(pair.left.device.gid(), pair.right.device.gid());
        assertThat(pair.left.device.pollAsyncEvent()).isNull();
        assertThat(pair.left.device.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
        fabric.unplug(pair.right.device.gid());
        assertEvent(pair.right.device, EventType.PORT_ERR);
        asserted();
    }

    private static void assertEvent(Device device, EventType type) {
        AsyncEvent event = device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(type);
        assertThat(event.portNumber()).isEqualTo(1);
        event.acknowledge();
        assertThat(device.pollAsyncEvent()).isNull();
        asserted();
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
