// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.demo.DemoCarrier;
import dev.verbatim.cli.roce.DemoFabricOptions;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The switch of the commands reaches the carriers of both fabrics, and without it they are silent about reasons. */
@Timeout(600)
class RefusalReasonsOptionTest {

    /** As {@code serve} and {@code connect} have it. */
    @Command
    private static final class Demo {
        @Mixin
        private DemoFabricOptions fabrics;
    }

    private final Demo demo = new Demo();
    private final CommandLine command = new CommandLine(demo);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reasonsAreToldOverTcpIfTheSwitchIsThere(boolean wanted) {
        command.parseArgs(words(wanted));
        DemoCarrier carrier = DemoCarrier.tcp(demo.fabrics.tcp(NettyOptions.defaults()));
        assertThat(tellsReasons(carrier, Gid.ofGuid(1))).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reasonsAreToldByRoceIfTheSwitchIsThere(boolean wanted) {
        command.parseArgs(words(wanted));
        InetAddress address = LoopbackAddress.of(83);
        assertThat(tellsReasons(demo.fabrics.open(command, address, false), Gid.of(address)))
                .isEqualTo(wanted);
    }

    private static String[] words(boolean wanted) {
        List<String> words = wanted ? List.of("--refusal-reasons") : List.of();
        return words.toArray(String[]::new);
    }

    private static boolean tellsReasons(DemoCarrier carrier, Gid gid) {
        try (Fabric fabric = carrier.fabric()) {
            return fabric.attach(gid, (link, packet) -> {}).tellsReasons();
        }
    }
}
