// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.MadListener;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Devices that know all others: where they listen, and that they know when one goes. */
class KnownDevicesTest {

    private static final Octets MAD = new Rtu(1, 2, Octets.EMPTY).emit(7);

    @AutoClose
    private final Verbatim door = Verbatim.inProcess();

    private final ManagementPort left = ((ManagedDevice) door.open("left")).managementPort();
    private final Device device = door.open("right");
    private final ManagementPort right = ((ManagedDevice) device).managementPort();
    private final MadListener agent = new MadListener();

    @Test
    void wildcardAndOwnAddressAreListenedAt() throws UnknownHostException {
        InetSocketAddress any = new InetSocketAddress(7174);
        InetSocketAddress own = new InetSocketAddress(left.gid().toInetAddress(), 7174);
        assertThat(left.bind(any)).isEqualTo(any);
        assertThat(left.bind(own)).isEqualTo(own);
        InetSocketAddress any6 = new InetSocketAddress(InetAddress.getByName("::"), 7174);
        assertThat(left.bind(any6)).isEqualTo(any6);
    }

    @Test
    void addressOfAnotherIsNotListenedAt() {
        InetSocketAddress others = new InetSocketAddress(right.gid().toInetAddress(), 7174);
        assertRefused(
                Errno.EADDRNOTAVAIL, "N-05", () -> left.bind(others), left.gid().toString());
        assertRefused(
                Errno.EINVAL,
                "N-05",
                () -> left.bind(InetSocketAddress.createUnresolved("nowhere.invalid", 1)),
                "nowhere.invalid");
    }

    @Test
    void lastWordOfADeviceThatIsClosedArrives() {
        MadListener leaver = new MadListener();
        left.agent(port -> agent);
        right.agent(port -> leaver);
        leaver.lastWord(right, left.gid(), MAD);
        device.close();
        assertThat(leaver.heard()).containsExactly("closed");
        assertThat(agent.heard()).containsExactly(right.gid() + " " + MAD, "lost " + right.gid());
    }

    @Test
    void whoSpokeWithADeviceIsToldThatItLeftAndOthersAreNot() {
        MadListener bystander = new MadListener();
        ((ManagedDevice) door.open("bystander")).managementPort().agent(port -> bystander);
        left.agent(port -> agent);
        Gid gone = right.gid();
        left.lane().call(() -> left.send(gone, MAD));
        left.lane().progress();
        device.close();
        assertThat(agent.heard()).containsExactly("lost " + gone);
        assertThat(bystander.heard()).isEmpty();
    }
}
