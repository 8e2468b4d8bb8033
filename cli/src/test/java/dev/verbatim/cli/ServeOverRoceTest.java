// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.LoopbackAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** {@code serve} and {@code connect} by RoCEv2, over the sockets that their own choice takes. */
@Tag("smoke")
@Timeout(600)
@EnabledOnOs(OS.LINUX)
class ServeOverRoceTest {

    private static final String HERE = LoopbackAddress.of(73).getHostAddress();
    private static final String THERE = LoopbackAddress.of(74).getHostAddress();

    private final StringWriter err = new StringWriter();

    /** Serves one {@code connect}, and returns what both print. */
    private List<String> demo(String[] connect, String... serve) throws IOException {
        PipedReader pipe = new PipedReader(1 << 20);
        PrintWriter out = new PrintWriter(new PipedWriter(pipe), true);
        String[] arguments = Stream.concat(
                        Stream.of("serve", "--once", "--json", "--fabric=roce", "--bind=" + HERE), Stream.of(serve))
                .toArray(String[]::new);
        CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(
                () -> {
                    try (out) {
                        return Main.commandLine()
                                .setOut(out)
                                .setErr(new PrintWriter(err, true))
                                .execute(arguments);
                    }
                },
                task -> new Thread(task, "serve").start());
        BufferedReader served = new BufferedReader(pipe);
        Map<String, Object> listening = JSON.std.mapFrom(served.readLine());
        String[] line = Stream.concat(
                        Stream.of("connect", HERE + ":" + listening.get("port"), "--fabric=roce", "--bind=" + THERE),
                        Stream.of(connect))
                .toArray(String[]::new);
        String told = Invocation.of(line).succeeded().out();
        assertThat(exitCode.join()).as(err.toString()).isZero();
        return List.of(told, String.join("\n", served.lines().toList()));
    }

    @Test
    void demoRunsBetweenTwoAddressesAndSaysSo() throws IOException {
        List<String> told = demo(new String[0]);
        assertThat(told.get(0).replaceAll("\\s+", " "))
                .contains("by RoCEv2, with the listener at " + HERE + ":7471")
                .contains("REM_ACCESS_ERR")
                .endsWith("All steps ended as expected. ");
    }

    /** The first acknowledgement of an atomic is lost on its way; it is asked for again and the atomic is done once. */
    @Test
    @LongTest
    void faultAtANamedPacketIsInjectedAndTold() throws IOException {
        List<String> told = demo(new String[0], "--fault=drop@ATOMIC_ACKNOWLEDGE=1");
        assertThat(told.get(0)).endsWith("All steps ended as expected.\n");
        assertThat(told.get(1)).contains("loses ATOMIC_ACKNOWLEDGE");
    }

    @Test
    void faultsByOddsOfTheCallerAreRepairedByTheTransport() throws IOException {
        List<String> told = demo(new String[] {"--fault=drop=50,duplicate=100,seed=3"});
        assertThat(told.get(0)).contains("duplicates").endsWith("All steps ended as expected.\n");
    }

    @Test
    void commandLinesThatMakeNoSenseAreMistakes() {
        Invocation.of("serve", "--fabric=ib").failed(2, "--fabric=ib is not one of tcp, roce");
        Invocation.of("serve", "--fault=drop=1").failed(2, "require --fabric roce");
        Invocation.of("serve", "--fabric=roce", "--bind=" + HERE, "--fault=lose=1")
                .failed(2, "--fault: ", "fault=lose=1");
        Invocation.of("serve", "--fabric=roce", "--bind=" + HERE, "--transport=udp")
                .failed(2, "--transport=udp is neither nio nor epoll");
        Invocation.of("serve", "--fabric=roce", "--secret-file=x").failed(2, "RoCEv2 has no authentication");
        Invocation.of("connect", HERE + ":7471", "--fabric=roce").failed(2, "requires --bind");
        Invocation.of("connect", HERE + ":7471", "--bind=" + THERE).failed(2, "--bind requires --fabric roce");
        Invocation.of("serve", "--fabric=roce", "--bind=0.0.0.0", "--open").failed(2, "wildcard");
    }

    @Test
    void addressThatOthersReachMustBeOpenedExpressly() {
        Invocation.of("serve", "--fabric=roce", "--bind=192.0.2.1")
                .failed(1, "would accept peers without authentication; specify --open");
    }
}
