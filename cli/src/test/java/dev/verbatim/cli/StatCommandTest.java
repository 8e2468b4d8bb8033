// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.live.StatServer;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceCounter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StatCommandTest {

    private static final Path DOCUMENT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/live.md");
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void printsALineForEachDeviceAsRdmaStatisticDoes() {
        try (Verbatim rdma = Verbatim.inProcess();
                StatServer server = StatServer.open(ANY_PORT)) {
            Device left = rdma.open("stat left");
            Device right = rdma.open("stat right");
            write(left, right);
            assertThat(left.counters()).containsEntry(DeviceCounter.SENT_PKTS, 1L);
            assertThat(Invocation.of("stat", server.toString()).succeeded().out())
                    .contains("link stat left/1 " + named(left) + "\n", "link stat right/1 " + named(right) + "\n");
            assertThat(DOCUMENT)
                    .content()
                    .contains("link left/1 "
                            + named(left)
                                    .replaceFirst("(( ?\\S+ \\d+){4}).*", "$1")
                                    .replaceAll("[1-9]\\d*", "12"));
        }
    }

    private static void write(Device left, Device right) {
        RcPair pair = RcPair.connect(left, right);
        pair.left().qp().postSend(pair.left().write(1, 0, 8, pair.right()));
        assertThat(pair.left().sent().awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
    }

    private static String named(Device device) {
        return device.counters().entrySet().stream()
                .map(counter -> counter.getKey().statisticName() + " " + counter.getValue())
                .collect(Collectors.joining(" "));
    }

    @Test
    void jsonHasTheSameNumbers() throws IOException {
        try (Verbatim rdma = Verbatim.inProcess();
                StatServer server = StatServer.open(ANY_PORT)) {
            Device device = rdma.open("json\ndevice");
            write(device, rdma.open("peer"));
            String out = Invocation.of("stat", "--json", server.toString())
                    .succeeded()
                    .out();
            String line = out.lines()
                    .filter(each -> each.contains("json\\ndevice"))
                    .findFirst()
                    .orElseThrow();
            Map<String, Object> object = JSON.std.mapFrom(line);
            assertThat(object).containsEntry("kind", "counters").containsEntry("device", "json\ndevice");
            device.counters()
                    .forEach((counter, value) ->
                            assertThat(object).containsEntry(counter.statisticName(), value.intValue()));
            assertThat(object).containsEntry(DeviceCounter.SENT_PKTS.statisticName(), 1);
        }
    }

    @Test
    void addressThatNobodyListensOnIsNamed() {
        StatServer server = StatServer.open(ANY_PORT);
        server.close();
        Invocation.of("stat", server.toString())
                .failed(1, "no counters from", server.toString(), "-Dverbatim.stat=PORT");
    }

    @Test
    void whatIsNoCountersIsQuoted() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (Socket peer = other.accept()) {
                    peer.getOutputStream().write("SSH-2.0-none\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            Invocation.of("stat", "127.0.0.1:" + other.getLocalPort())
                    .failed(1, "shows no counters but \"SSH-2.0-none\"", "name the port of -Dverbatim.stat");
            answered.join();
        }
    }

    @Test
    void processesThatCannotBeAskedAreNamed() {
        long own = ProcessHandle.current().pid();
        Invocation.of("stat", Long.toString(own)).failed(1, "process " + own + " shows no counters");
        Invocation.of("stat", "999999999").failed(1, "cannot ask process 999999999", "HOST:PORT");
        Invocation.of("stat", "nothing").failed(2, "'nothing' is neither a process id nor HOST:PORT");
    }

    @Test
    void serveShowsItsCountersWithoutBeingAskedTo() {
        String before = System.getProperty(StatServer.PROPERTY);
        try {
            System.clearProperty(StatServer.PROPERTY);
            ServeCommand.showCounters();
            assertThat(System.getProperty(StatServer.PROPERTY)).isEqualTo("0");
            System.setProperty(StatServer.PROPERTY, "localhost:4711");
            ServeCommand.showCounters();
            assertThat(System.getProperty(StatServer.PROPERTY)).isEqualTo("localhost:4711");
        } finally {
            System.clearProperty(StatServer.PROPERTY);
            if (before != null) {
                System.setProperty(StatServer.PROPERTY, before);
            }
        }
    }
}
