// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.transport.netty.roce.RoceEnd.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceOptions.Peers;
import dev.verbatim.transport.netty.roce.socket.Platform;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of what each JDK and system can carry: what it says of a cell is what opening does. */
class RoceSupportTest {

    private static final Platform LINUX_17 = new Platform(true, true, false);
    private static final Platform LINUX_19 = new Platform(true, true, true);
    private static final Platform OTHER_17 = new Platform(false, false, false);
    private static final Platform OTHER_19 = new Platform(false, false, true);

    private record Cell(Platform platform, RoceSupport row) {}

    private static Stream<Cell> cells() {
        return Stream.of(LINUX_17, LINUX_19, OTHER_17, OTHER_19, Platform.here())
                .flatMap(platform -> RoceSupport.table(platform).stream().map(row -> new Cell(platform, row)));
    }

    private static RoceOptions options(RoceSupport row) {
        InetAddress address = row.ipv4() ? LoopbackAddress.of(61) : address("::1");
        return RoceOptions.at(address).withTransport(row.transport()).withPeers(row.peers());
    }

    @ParameterizedTest
    @MethodSource("cells")
    void cellThatCannotWorkIsRefusedOnOpeningWithWhatIsMissing(Cell cell) {
        RoceOptions options = options(cell.row());
        String obstacle = cell.row().obstacle();
        if (obstacle == null) {
            // Its loop can be made only where the sockets are.
            options.requirePossible(cell.platform());
            return;
        }
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RoceFabric.open(options, cell.platform()))
                .withMessageContaining(obstacle)
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP));
    }

    @ParameterizedTest
    @CsvSource({
        "NIO,      true,  ANY,      IP_DONTFRAGMENT,  '',               IP_DONTFRAGMENT,  ''",
        "NIO,      true,  VERBATIM, '',               '',               '',               ''",
        "NIO,      false, ANY,      UDP_NO_CHECK6_RX, UDP_NO_CHECK6_RX, UDP_NO_CHECK6_RX, UDP_NO_CHECK6_RX",
        "NIO,      false, VERBATIM, '',               '',               '',               ''",
        "EPOLL,    true,  ANY,      '',               '',               netty-transport-native-epoll, netty-transport-native-epoll",
        "EPOLL,    true,  VERBATIM, '',               '',               netty-transport-native-epoll, netty-transport-native-epoll",
        "EPOLL,    false, ANY,      '',               '',               netty-transport-native-epoll, netty-transport-native-epoll",
        "EPOLL,    false, VERBATIM, '',               '',               netty-transport-native-epoll, netty-transport-native-epoll",
        "IO_URING, true,  ANY,      io_uring, io_uring, io_uring, io_uring",
        "IO_URING, true,  VERBATIM, io_uring, io_uring, io_uring, io_uring",
        "IO_URING, false, ANY,      io_uring, io_uring, io_uring, io_uring",
        "IO_URING, false, VERBATIM, io_uring, io_uring, io_uring, io_uring",
    })
    void missingOptionOfEachCellIsNamed(
            SocketTransport transport,
            boolean ipv4,
            Peers peers,
            String onLinux17,
            String onLinux19,
            String elsewhere17,
            String elsewhere19) {
        List<String> missing = new ArrayList<>();
        for (Platform platform : List.of(LINUX_17, LINUX_19, OTHER_17, OTHER_19)) {
            missing.add(RoceSupport.of(transport, ipv4, peers, platform).obstacle());
        }
        List<String> named = List.of(onLinux17, onLinux19, elsewhere17, elsewhere19);
        for (int i = 0; i < named.size(); i++) {
            if (named.get(i).isEmpty()) {
                assertThat(missing.get(i)).isNull();
            } else {
                assertThat(missing.get(i)).contains(named.get(i));
            }
        }
    }

    /** Whoever demands identification 0 of others must send it. */
    @Test
    void strictIcrcOverIpv4NeedsTheOptionAlsoAmongDevicesOfVerbatim() {
        RoceOptions strict =
                RoceOptions.at(LoopbackAddress.of(61)).withPeers(Peers.VERBATIM).withStrictIcrc(true);
        strict.requirePossible(LINUX_19);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RoceFabric.open(strict, LINUX_17))
                .withMessageContaining("IP_DONTFRAGMENT");
        RoceOptions.at(address("::1"))
                .withPeers(Peers.VERBATIM)
                .withStrictIcrc(true)
                .requirePossible(LINUX_17);
    }

    @Test
    void tableSaysWhereNobodyHasTried() {
        assertThat(RoceSupport.of(SocketTransport.NIO, true, Peers.VERBATIM, OTHER_19)
                        .outcome(OTHER_19))
                .isEqualTo("not tried on this system");
        assertThat(RoceSupport.of(SocketTransport.NIO, true, Peers.VERBATIM, LINUX_17)
                        .outcome(LINUX_17))
                .isEqualTo("works");
    }

    /** What the table says of this machine, devices do. */
    @Test
    void everyCellOfThisMachineThatIsSaidToWorkOpensADevice() {
        for (RoceSupport row : RoceSupport.table()) {
            if (row.obstacle() == null && row.ipv4()) {
                try (RoceEnd end = RoceEnd.open(options(row))) {
                    assertThat(end.device.gid().toInetAddress()).isEqualTo(LoopbackAddress.of(61));
                }
            }
        }
    }
}
