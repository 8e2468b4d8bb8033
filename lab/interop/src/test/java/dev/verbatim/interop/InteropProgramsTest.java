// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.PingPongOptions.Service;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.PathMtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each program with itself at the other side, between two devices of one JVM. */
@Timeout(600)
class InteropProgramsTest {

    private static final int SERVICE_PORT = 7471;

    /** What a server prints first says that a client can connect. */
    private final BlockingQueue<String> served = new LinkedBlockingQueue<>();

    private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();

    private interface Roles {
        void run(Device server, Device client);
    }

    /** Closing the devices fails if a program left something open. */
    private static void between(Roles roles) {
        try (Verbatim rdma = Verbatim.inProcess();
                Device server = rdma.open("server");
                Device client = rdma.open("client")) {
            roles.run(server, client);
        }
    }

    /** Runs the server beside the client, and returns when both have ended. */
    private void together(Runnable server, Runnable client) {
        CompletableFuture<Void> serving = CompletableFuture.runAsync(server);
        try {
            assertThat(served.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        client.run();
        serving.join();
    }

    private static InetSocketAddress serviceAt(Device device) {
        return new InetSocketAddress(device.gid().toInetAddress(), SERVICE_PORT);
    }

    private static InetSocketAddress freePort() {
        try {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), TcpPorts.unasked());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PingPongOptions pingPong(Service service, int size) {
        int pairs = service == Service.SRQ ? 4 : 1;
        return new PingPongOptions(service, size, PathMtu.MTU_1024, 20, pairs, true, Await.LIMIT);
    }

    private void pingPong(Device server, Device client, PingPongOptions options) {
        InetSocketAddress at = freePort();
        together(
                () -> assertThat(lastly(new PingPong(server, options, this::waiting).serve(at)))
                        .isEqualTo(2L * 20 * options.sizeBytes()),
                () -> assertThat(lastly(new PingPong(client, options, printed::add).dial(at)))
                        .isEqualTo(2L * 20 * options.sizeBytes()));
        assertThat(printed).anyMatch(line -> line.matches("local address: QPN 0x[0-9a-f]{6}, PSN .*, GID .*"));
    }

    private void waiting(String line) {
        whenWaiting(served::add).accept(line);
    }

    /** Takes of the lines of a server the one that says that it waits for a client. */
    private static Consumer<String> whenWaiting(Consumer<String> action) {
        return line -> {
            if (line.startsWith("waiting")) {
                action.accept(line);
            }
        };
    }

    private static long lastly(PingPong.Result result) {
        assertThat(result.iterations()).isEqualTo(20);
        return result.bytes();
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void messagesGoToAndFro(Service service) {
        between((server, client) -> pingPong(server, client, pingPong(service, 1000)));
    }

    @ParameterizedTest
    @CsvSource({"RC,1", "RC,1023", "RC,65536", "SRQ,1025", "UC,65536"})
    void messagesOfSizesAroundThePathMtu(Service service, int size) {
        between((server, client) -> pingPong(server, client, pingPong(service, size)));
    }

    @Test
    void aClientWithAnotherSizeIsNamed() {
        between((server, client) -> {
            InetSocketAddress at = freePort();
            FutureTask<Throwable> failure = new FutureTask<>(() ->
                    catchThrowable(() -> new PingPong(client, pingPong(Service.RC, 64), printed::add).dial(at)));
            Thread dialing = new Thread(failure);
            Consumer<String> listening = line -> dialing.start();
            assertThatThrownBy(() -> new PingPong(server, pingPong(Service.RC, 100), whenWaiting(listening)).serve(at))
                    .isInstanceOf(InteropException.class)
                    .hasMessageContaining("message 0 has 64 bytes instead of 100");
            // It waits for an answer that the server does not send.
            dialing.interrupt();
            assertThat(Await.result("the client", failure)).hasMessageContaining("EINTR");
        });
    }

    @ParameterizedTest
    @CsvSource({"32", "64", "4096", "65536"})
    void pingsComeBack(int size) {
        RpingOptions options = new RpingOptions(size, 5, true, true, Await.LIMIT);
        between((server, client) -> together(
                () -> assertThat(new Rping(server, options, served::add).serve(serviceAt(server)))
                        .isEqualTo(5),
                () -> new Rping(client, options, printed::add).ping(serviceAt(server))));
        assertThat(printed).hasSize(5).last().asString().startsWith("client ping data: rdma-ping-4: ");
    }

    @Test
    void messagesOfManyConnections() {
        MessageOptions options = new MessageOptions(3, 10, 100, Await.LIMIT);
        between((server, client) -> together(
                () -> new Cmatose(server, options, served::add).serve(serviceAt(server)),
                () -> new Cmatose(client, options, printed::add).connect(serviceAt(server))));
        assertThat(printed).containsExactly("connected 3", "transferred 10 messages each way on each connection");
    }

    @Test
    void datagramsOfAService() {
        MessageOptions options = new MessageOptions(2, 10, 100, Await.LIMIT);
        between((server, client) -> together(
                () -> new Udaddy(server, options, served::add).serve(serviceAt(server)),
                () -> new Udaddy(client, options, printed::add).connect(serviceAt(server))));
        assertThat(printed).containsExactly("received 10 answers of 2 peers");
    }

    @Test
    void stepsOfConnectionsAreMeasured() {
        between((server, client) -> together(
                () -> new CmTime(server, 20, Await.LIMIT, served::add).serve(serviceAt(server)),
                () -> new CmTime(client, 20, Await.LIMIT, printed::add).connect(serviceAt(server))));
        assertThat(List.copyOf(printed))
                .hasSize(4)
                .allMatch(line -> line.matches("[a-z ]{13}: +[0-9]+\\.[0-9]{2} ms, +[0-9]+ us each"));
    }

    @Test
    void programsRunOverRoce() throws IOException {
        InetAddress near = LoopbackAddress.of(61);
        InetAddress far = LoopbackAddress.of(62);
        RoceOptions options = RoceOptions.at(near, far).withPeers(RoceOptions.Peers.VERBATIM);
        try (Verbatim rdma = Verbatim.over(RoceFabric.open(options))) {
            Device server = rdma.open("server");
            Device client = rdma.open("client");
            for (Service service : Service.values()) {
                served.clear();
                pingPong(server, client, pingPong(service, 1024));
            }
            RpingOptions pings = new RpingOptions(60_000, 5, true, false, Await.LIMIT);
            Consumer<String> ignored = line -> {};
            served.clear();
            together(
                    () -> new Rping(server, pings, served::add).serve(serviceAt(server)),
                    () -> new Rping(client, pings, ignored).ping(serviceAt(server)));
        }
    }
}
