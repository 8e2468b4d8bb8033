// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The commands as people run them: each in a JVM of its own. */
@Tag("smoke")
@Timeout(600)
class CommandsIT {

    private static final String WELL_ENDED = "All steps ended as expected.";

    @Test
    @LongTest
    void demoShowsBothJvmsAndLeavesNoneBehind() {
        try (Jvm demo = Jvm.start(Main.class, "demo")) {
            long second = Long.parseLong(demo.await("right in process (\\d+)"));
            assertThat(second).isNotEqualTo(demo.pid());
            demo.ends(0);
            assertThat(demo.told()).last().isEqualTo(WELL_ENDED);
            assertThat(demo.told()).filteredOn(line -> line.matches("\\d+  .*")).hasSize(13);
            assertThat(demo.told())
                    .anyMatch(line -> line.matches(" +\\| +event +QP_ACCESS_ERR +\\|"))
                    .anyMatch(line -> line.contains("[KEY-04]"))
                    .anyMatch(line -> line.contains("REM_ACCESS_ERR"))
                    .anyMatch(line -> line.contains(" was window 1's 1st"))
                    .anyMatch(line -> line.contains("[WC-45]"));
            assertThat(demo.err()).isEqualTo("verbatim: starting a second JVM\n");
            ProcessHandle.of(second).ifPresent(handle -> Await.result("the end of the other", handle.onExit()));
        }
    }

    @Test
    @LongTest
    void demoTellsTheStoryInTheOrderOfTheOneThatHappensInOneProcess() {
        try (Jvm apart = Jvm.start(Main.class, "demo");
                Jvm together = Jvm.start(Main.class, "demo", "--fabric", "in-process")) {
            apart.ends(0);
            together.ends(0);
            assertThat(verbs(apart)).containsExactlyInAnyOrderElementsOf(verbs(together));
            // Up to the READ, whose two responses may be told before left has placed the first.
            assertThat(verbs(apart).subList(0, 13)).isEqualTo(verbs(together).subList(0, 13));
        }
    }

    @Test
    @LongTest
    void serveAndConnectHoldTheDialogueInTwoTerminals() {
        try (Jvm serve = Jvm.start(Main.class, "serve", "--port=0", "--once")) {
            String address = serve.await("^    verbatim connect (\\S+)$");
            try (Jvm connect = Jvm.start(Main.class, "connect", address)) {
                connect.ends(0);
                serve.ends(0);
                assertThat(connect.told()).last().isEqualTo(WELL_ENDED);
                assertThat(serve.told()).last().isEqualTo(WELL_ENDED);
                assertThat(connect.told()).anyMatch(line -> line.contains("posts      RDMA_WRITE"));
                assertThat(serve.told()).noneMatch(line -> line.contains("posts      RDMA_WRITE"));
                assertThat(connect.err() + serve.err()).isEmpty();
            }
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be asked to end there")
    @LongTest
    void serveGoesOnAfterAStrangerAndStopsCleanlyOnCtrlC() throws IOException {
        try (Jvm serve = Jvm.start(Main.class, "serve", "--port=0")) {
            String address = serve.await("^    verbatim connect (\\S+)$");
            try (Jvm connect = Jvm.start(Main.class, "connect", address)) {
                connect.ends(0);
            }
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                stranger.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                stranger.setSoTimeout(20_000);
                assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            }
            try (Jvm connect = Jvm.start(Main.class, "connect", address)) {
                connect.ends(0);
            }
            serve.interrupt();
            serve.isEnded();
            assertThat(serve.err())
                    .contains("only Verbatim fabrics connect here")
                    .hasLineCount(2);
        }
    }

    @Test
    @LongTest
    void serveThatADemoStartedEndsWithIt() {
        try (Jvm demo = Jvm.start(Victim.class)) {
            demo.await("port=");
            try (Jvm serve = Jvm.start(Main.class, "serve", "--port=0", "--json", "--parent=" + demo.pid())) {
                serve.await("\"listening\"");
                demo.kill();
                serve.isEnded();
            }
        }
    }

    /** What happened, without addresses and numbers, and without the peer's reasons, which it tells in its own JVM only. */
    private static List<String> verbs(Jvm demo) {
        return demo.told().stream()
                .filter(line -> line.startsWith("    |"))
                .map(line -> line.replaceAll("[-<>|]+", " ")
                        .replaceAll("0x[0-9a-f]+|fe80(:[0-9a-f]{4}){7}|psn=\\d+|port \\d+", "")
                        .trim())
                .collect(collectingAndThen(joining("\n"), CommandsIT::withoutReasons));
    }

    private static List<String> withoutReasons(String story) {
        return story.replaceAll("(?s);\\s+caused\\s+by:.*?\\[WC 45\\]", " [WC 45]")
                .lines()
                .toList();
    }
}
