// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters as they are seen from outside. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatServerTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static List<String> read(StatServer server) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(20_000);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @Test
    void eachOpenDeviceHasALine() throws IOException {
        try (RcPair pair = RcPair.inProcess();
                StatServer server = StatServer.open(ANY_PORT)) {
            pair.left.qp.postSend(
                    SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
            List<String> lines = read(server);
            assertThat(lines).anyMatch(line -> line.startsWith("link left/1 sent_pkts 1 rcvd_pkts 1 "));
            assertThat(lines).anyMatch(line -> line.startsWith("link right/1 sent_pkts 1 rcvd_pkts 1 "));
            pair.left.device.closeAll();
            assertThat(read(server))
                    .noneMatch(line -> line.startsWith("link left/1 sent_pkts 1 rcvd_pkts 1 "))
                    .anyMatch(line -> line.startsWith("link right/1 sent_pkts 1 rcvd_pkts 1 "));
        }
    }

    @Test
    void nameIsOneWordWhateverItIs() throws IOException {
        try (Verbatim rdma = Verbatim.inProcess();
                StatServer server = StatServer.open(ANY_PORT)) {
            rdma.open("two\nlines <b>" + "x".repeat(10_000));
            assertThat(read(server)).anyMatch(line -> line.matches("link two%0Alines\\+%3Cb%3Ex+/1 sent_pkts 0 .*"));
        }
    }

    @Test
    void peerThatStaysOrSendsIsLeft() throws IOException {
        try (StatServer server = StatServer.open(ANY_PORT);
                Socket silent = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            silent.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(read(server)).isNotNull();
        }
    }

    /** Each round reads once, so that the thread is back in accept, or on its way there, when the server is closed. */
    @Test
    void closedServerListensNoMore() throws IOException {
        for (int round = 0; round < 200; round++) {
            StatServer server = StatServer.open(ANY_PORT);
            read(server);
            server.close();
            assertThatIOException().isThrownBy(() -> read(server));
        }
    }

    /** The server's thread asks the device for its counters, which waits for the step to end. */
    @Test
    void serverMayBeClosedInAStepOfADeviceThatIsAsked() throws Exception {
        List<Socket> asking = new ArrayList<>();
        StatServer server = StatServer.open(ANY_PORT);
        try (Verbatim rdma = Verbatim.inProcess().tap(event -> {
            if (asking.isEmpty()) {
                asking.add(ask(server));
                server.close();
            }
        })) {
            Device device = rdma.open("asked");
            device.allocatePd().register(Memory.allocate(8), AccessFlags.LOCAL_WRITE);
            assertThat(asking).hasSize(1);
            asking.get(0).close();
        }
    }

    /** Comes back when the server's thread waits for a device, which is on the step of the calling thread. */
    private static Socket ask(StatServer server) {
        try {
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            Await.until(
                    "a thread that serves",
                    () -> Thread.getAllStackTraces().entrySet().stream()
                            .filter(each -> each.getKey().getName().equals("verbatim-stat"))
                            .anyMatch(each -> Stream.of(each.getValue())
                                    .anyMatch(frame -> frame.getMethodName().equals("lines"))));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void serverMayBeClosedTwice() {
        StatServer server = StatServer.open(ANY_PORT);
        server.close();
        server.close();
        assertThat(server.toString()).startsWith("127.0.0.1:");
    }

    @Test
    void propertyNamesAPortOfLoopbackOrAHost() {
        assertThat(StatServer.parse("7").getAddress().isLoopbackAddress()).isTrue();
        assertThat(StatServer.parse("[::1]:7")).isEqualTo(new InetSocketAddress("::1", 7));
        assertThat(StatServer.parse("0.0.0.0:0").getAddress().isAnyLocalAddress())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", ":1", "-1", "65536", "127.0.0.1:"})
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StatServer.parse(text))
                .withMessageContaining("-Dverbatim.stat=" + text);
    }

    @Test
    void beanShowsTheCountersUntilItIsClosed() throws Exception {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Device device = rdma.open("a \"quoted\" name");
            DeviceBean bean = DeviceBean.register(device);
            assertThatIllegalStateException()
                    .isThrownBy(() -> DeviceBean.register(device))
                    .withMessageContaining("close");
            var server = ManagementFactory.getPlatformMBeanServer();
            assertThat(server.getAttribute(bean.objectName(), "Name")).isEqualTo(device.name());
            assertThat(server.getAttribute(bean.objectName(), "Gid"))
                    .isEqualTo(device.gid().toString());
            TabularData counters = (TabularData) server.getAttribute(bean.objectName(), "Counters");
            CompositeData sent = counters.get(new Object[] {"sent_pkts"});
            assertThat(sent.get("value")).isEqualTo(0L);
            bean.close();
            bean.close();
            assertThat(server.isRegistered(bean.objectName())).isFalse();
        }
    }
}
