// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.Verbatim;
import dev.verbatim.cli.demo.DemoCarrier;
import dev.verbatim.cli.demo.DemoScript;
import dev.verbatim.cli.demo.DemoServer;
import dev.verbatim.cli.demo.DemoStep;
import dev.verbatim.cli.demo.ExpectedMemory;
import dev.verbatim.cli.demo.PrintedReport;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both commands in this JVM, each on a thread of its own. */
@Tag("smoke")
@Timeout(600)
class ServeAndConnectTest {

    /** {@code serve --once} under way: the port that it has got, and how it ends. */
    private record Serving(int port, CompletableFuture<Integer> exitCode, StringWriter err) {

        static Serving once(String... options) throws IOException {
            PipedReader pipe = new PipedReader(1 << 20);
            PrintWriter out = new PrintWriter(new PipedWriter(pipe), true);
            StringWriter err = new StringWriter();
            CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(
                    () -> Main.commandLine()
                            .setOut(out)
                            .setErr(new PrintWriter(err, true))
                            .execute(joined(List.of("serve", "--once", "--json", "--port=0"), options)),
                    ServeAndConnectTest::onItsOwnThread);
            String listening = new BufferedReader(pipe).readLine();
            int port = (Integer) JSON.std.mapFrom(listening).get("port");
            return new Serving(port, exitCode, err);
        }

        String address() {
            return "127.0.0.1:" + port;
        }

        /** It ends with 1 and one line that has these words. */
        void fails(String... words) {
            assertThat(exitCode.join()).isEqualTo(1);
            assertThat(err.toString().lines()).hasSize(1);
            assertThat(err.toString())
                    .startsWith("{\"kind\":\"error\",\"text\":")
                    .contains(words);
        }
    }

    @Test
    void bothSucceedAndEachTellsItsOwnSide() throws IOException {
        Serving serving = Serving.once();
        String told = Invocation.of("connect", serving.address()).succeeded().out();
        assertThat(told).contains("REM_ACCESS_ERR").endsWith("All steps ended as expected.\n");
        assertThat(serving.exitCode.join()).isZero();
        assertThat(serving.err.toString()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("protections")
    void bothSucceedWhenTheyProveThemselves(String[] serve, String[] connect) throws IOException {
        Serving serving = Serving.once(serve);
        String told = Invocation.of(joined(List.of("connect", serving.address()), connect))
                .succeeded()
                .out();
        assertThat(told).endsWith("All steps ended as expected.\n");
        assertThat(serving.exitCode.join()).isZero();
        assertThat(serving.err.toString()).isEmpty();
    }

    static Stream<Arguments> protections() {
        String[] secret = {"--secret-file=" + pem("server.key")};
        String[] server = {
            "--tls-trust=" + pem("trusted.pem"), "--tls-cert=" + pem("server.pem"), "--tls-key=" + pem("server.key")
        };
        String[] client = {
            "--tls-trust=" + pem("trusted.pem"), "--tls-cert=" + pem("client.pem"), "--tls-key=" + pem("client.key")
        };
        String[] oneSided = {server[0], server[1], server[2], "--no-tls-mutual"};
        String[] nameless = {client[0], "--tls-host=localhost"};
        return Stream.of(Arguments.of(secret, secret), Arguments.of(server, client), Arguments.of(oneSided, nameless));
    }

    @Test
    void connectWithoutTheSecretFailsInOneLineAndServeGoesOnWaiting() throws IOException {
        String secret = "--secret-file=" + pem("server.key");
        Serving serving = Serving.once(secret);
        Invocation.of("connect", serving.address()).failed(1, "EACCES", serving.address(), "secret");
        Invocation.of("connect", serving.address(), secret).succeeded();
        assertThat(serving.exitCode.join()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void serveWhereStrangersComeByMustBeToldWhomToLetIn(String address) {
        Invocation.of("serve", "--port=0", "--bind=" + address)
                .failed(1, "would accept peers without authentication", "--secret-file", "--tls-trust", "--open");
    }

    @Test
    void certificateWithoutItsKeyOrTrustIsAMistake() {
        Invocation.of("serve", "--tls-cert=" + pem("server.pem"))
                .failed(2, "--tls-cert and --tls-key must be specified together", "see verbatim serve --help");
        Invocation.of("connect", "127.0.0.1:1", "--tls-host=here").failed(2, "TLS requires --tls-trust");
    }

    @Test
    void fileThatIsNoCertificateIsNamedInOneLine() {
        Invocation.of("serve", "--tls-trust=" + pem("server.key")).failed(1, "server.key has no certificate");
    }

    @Test
    void connectWhereNobodyListensFailsInOneLine() throws IOException {
        try (Socket nobody = TcpPorts.withoutListener()) {
            String address = "127.0.0.1:" + nobody.getLocalPort();
            Invocation.of("connect", address).failed(1, address, "refused", "start the other process first");
        }
    }

    @Test
    void connectToADeviceThatTakesNoConnectionsThereFailsInOneLine() {
        try (Verbatim rdma = Verbatim.over(NettyFabric.open())) {
            ListeningEndpoint former = Endpoint.listen(rdma.open("busy elsewhere"), loopback(), 0);
            int port = former.localAddress().getPort();
            former.close();
            Invocation.of("connect", "127.0.0.1:" + port)
                    .failed(
                            1,
                            "127.0.0.1:" + port,
                            "no program accepts connections",
                            "start verbatim serve there first");
        }
    }

    @Test
    void connectToAnotherProgramThatRefusesShowsWhatItSays() {
        refusedWith("closed on Sundays", "refused with the message: closed on Sundays");
        refusedWith("", "REJECTED", "CONSUMER_DEFINED");
    }

    private static void refusedWith(String text, String... words) {
        try (Verbatim rdma = Verbatim.over(NettyFabric.open());
                ListeningEndpoint other = Endpoint.listen(rdma.open("other"), loopback(), 0)) {
            CompletableFuture<Void> refused = CompletableFuture.runAsync(
                    () -> Objects.requireNonNull(other.getRequest(Await.LIMIT))
                            .reject(text.getBytes(StandardCharsets.US_ASCII)),
                    ServeAndConnectTest::onItsOwnThread);
            Invocation.of("connect", "127.0.0.1:" + other.localAddress().getPort())
                    .failed(1, words);
            refused.join();
        }
    }

    @Test
    void connectToAnotherProgramThatAcceptsFailsInOneLine() {
        try (Verbatim rdma = Verbatim.over(NettyFabric.open())) {
            Device device = rdma.open("other");
            ProtectionDomain pd = device.allocatePd();
            QpInitAttributes attributes = QpInitAttributes.rc(device.createCq(1));
            try (ListeningEndpoint other = Endpoint.listen(device, loopback(), 0)) {
                CompletableFuture<Endpoint> accepted = CompletableFuture.supplyAsync(
                        () -> Objects.requireNonNull(other.getRequest(Await.LIMIT))
                                .accept(pd, attributes, ConnectionParameters.USUAL, Await.LIMIT),
                        ServeAndConnectTest::onItsOwnThread);
                Invocation.of("connect", "127.0.0.1:" + other.localAddress().getPort())
                        .failed(1, "is no verbatim");
                assertThat(accepted.handle((end, failure) -> true).join()).isTrue();
            }
        }
    }

    @Test
    void connectToAnUnknownHostFailsInOneLine() {
        Invocation.of("connect", "nowhere.invalid:7471")
                .failed(1, "nowhere.invalid cannot be resolved", "check its spelling");
    }

    @Test
    void connectToSomethingElseFailsInOneLine() throws IOException {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = answer(web, "HTTP/1.1 400 Bad Request\r\n\r\n");
            Invocation.of("connect", "127.0.0.1:" + web.getLocalPort()).failed(1, "only Verbatim fabrics connect here");
            answered.join();
        }
    }

    @Test
    void connectToSomebodyWhoVanishesFailsInOneLine() throws IOException {
        try (ServerSocket vanishing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = answer(vanishing, "");
            Invocation.of("connect", "127.0.0.1:" + vanishing.getLocalPort())
                    .failed(1, "127.0.0.1:" + vanishing.getLocalPort(), "look into its log");
            answered.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", ":7471"})
    void connectToWhatIsNoAddressIsAMistake(String address) {
        Invocation.of("connect", address)
                .failed(2, "'" + address + "' is not HOST:PORT", "see verbatim connect --help");
    }

    @Test
    void connectWithoutAnAddressIsAMistake() {
        Invocation.of("connect").failed(2, "HOST:PORT", "see verbatim connect --help");
    }

    @Test
    void connectFailsWhenRightFindsSomethingElse() {
        DemoStep other = changed(DemoScript.steps().get(0), ExpectedMemory.word("right", 0, 1));
        StringWriter told = new StringWriter();
        PrintedReport report =
                new PrintedReport(new Output(new PrintWriter(told), new PrintWriter(Writer.nullWriter()), true), true);
        try (DemoServer host = new DemoServer(loopback(), tcp(), List.of(other), event -> {}, report)) {
            CompletableFuture<Boolean> asExpected =
                    CompletableFuture.supplyAsync(host::converse, ServeAndConnectTest::onItsOwnThread);
            Invocation invocation = Invocation.of("connect", address(told));
            assertThat(invocation.exitCode()).isEqualTo(1);
            assertThat(invocation.err())
                    .isEqualTo(
                            "verbatim: a step did not end as it should; the last step shown says" + " which and how\n");
            assertThat(invocation.out()).contains("NOT AS EXPECTED: right: received SUCCESS;", "instead of 1");
            assertThat(asExpected.join()).isFalse();
        }
    }

    @Test
    void serveHangsUpOnSomethingElseAndGoesOnWaiting() throws IOException {
        Serving serving = Serving.once();
        try (Socket browser = new Socket(InetAddress.getLoopbackAddress(), serving.port)) {
            browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            browser.setSoTimeout((int) Await.LIMIT.toMillis());
            assertThat(browser.getInputStream().read()).isEqualTo(-1);
        }
        Invocation.of("connect", serving.address()).succeeded();
        assertThat(serving.exitCode.join()).isZero();
    }

    @Test
    void anotherProgramIsRefusedWithAReason() {
        StringWriter told = new StringWriter();
        PrintedReport report =
                new PrintedReport(new Output(new PrintWriter(told), new PrintWriter(Writer.nullWriter()), true), true);
        try (DemoServer host = new DemoServer(loopback(), tcp(), DemoScript.steps(), event -> {}, report)) {
            CompletableFuture<Boolean> conversed =
                    CompletableFuture.supplyAsync(host::converse, ServeAndConnectTest::onItsOwnThread);
            String address = address(told);
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            assertThatThrownBy(() -> connect(port, ConnectionParameters.USUAL, other -> {}))
                    .isInstanceOfSatisfying(ConnectionException.class, refused -> {
                        assertThat(refused.errno()).isEqualTo(Errno.ECONNREFUSED);
                        assertThat(new String(refused.privateData(), StandardCharsets.US_ASCII))
                                .startsWith("the other side is no verbatim; run verbatim serve and verbatim connect");
                    });
            assertThat(catchThrowable(conversed::join)).hasMessageContaining("refused gid=");
        }
    }

    @Test
    void serveOnceFailsWhenTheCallerIsAnotherProgram() throws IOException {
        Serving serving = Serving.once();
        assertThatThrownBy(() -> connect(serving.port, ConnectionParameters.USUAL, other -> {}))
                .isInstanceOf(ConnectionException.class);
        serving.fails("refused gid=", "is no verbatim");
    }

    /** Another program connects, and goes away after this. */
    private static void connect(int port, ConnectionParameters parameters, Consumer<Endpoint> then) {
        try (Verbatim rdma = Verbatim.over(NettyFabric.open())) {
            Device device = rdma.open("other");
            then.accept(Endpoint.connect(
                    device,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    device.allocatePd(),
                    QpInitAttributes.rc(device.createCq(1)),
                    parameters,
                    Await.LIMIT));
        }
    }

    @Test
    void serveOnceFailsWhenTheCallerVanishes() throws IOException {
        Serving serving = Serving.once();
        byte[] greeting = HexFormat.of().parseHex("7662746d0003" + "00".repeat(26));
        connect(serving.port, ConnectionParameters.USUAL.withPrivateData(greeting), caller -> {
            int linePort = ByteBuffer.wrap(caller.privateData()).getShort(6) & 0xffff;
            OutOfBand.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), linePort), Await.LIMIT.toNanos())
                    .close();
            serving.fails("is gone");
        });
    }

    @Test
    void serveOnceFailsWhenTheLineIsOfSomebodyElse() throws IOException {
        Serving serving = Serving.once();
        byte[] greeting = HexFormat.of().parseHex("7662746d0003" + "00".repeat(26));
        connect(serving.port, ConnectionParameters.USUAL.withPrivateData(greeting), caller -> {
            int linePort = ByteBuffer.wrap(caller.privateData()).getShort(6) & 0xffff;
            InetSocketAddress lines = new InetSocketAddress(InetAddress.getLoopbackAddress(), linePort);
            try (OutOfBand line = OutOfBand.connect(lines, Await.LIMIT.toNanos())) {
                line.send(dev.verbatim.transport.netty.ConnectionData.empty().with("ready", 0));
                serving.fails("[verbatim ready=0x0] is not of qp");
            }
        });
    }

    @Test
    void serveAtATakenPortFailsInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Invocation.of("serve", "--port=" + taken.getLocalPort())
                    .failed(1, "127.0.0.1:" + taken.getLocalPort(), "a free port");
        }
    }

    @Test
    void serveAtAnUnknownHostFailsInOneLine() {
        Invocation.of("serve", "--bind=nowhere.invalid").failed(1, "--bind=nowhere.invalid", "such as 127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "x"})
    void serveAtWhatIsNoPortIsAMistake(String port) {
        Invocation.of("serve", "--port=" + port).failed(2, "--port", port, "see verbatim serve --help");
    }

    @Test
    void closedHostRefusesToWait() {
        DemoServer host = new DemoServer(
                loopback(),
                tcp(),
                DemoScript.steps(),
                event -> {},
                new PrintedReport(
                        new Output(new PrintWriter(new StringWriter()), new PrintWriter(Writer.nullWriter()), true),
                        true));
        host.close();
        assertThat(catchThrowable(host::converse)).isInstanceOf(VerbsException.class);
    }

    private static String[] joined(List<String> first, String... then) {
        return Stream.concat(first.stream(), Stream.of(then)).toArray(String[]::new);
    }

    /** A file that the transport's tests have. */
    private static Path pem(String name) {
        return Path.of("..", "transport-netty", "src", "test", "resources", "tls", name);
    }

    private static DemoCarrier tcp() {
        return DemoCarrier.tcp(NettyOptions.defaults());
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static String address(StringWriter report) {
        String listening = report.toString().lines().findFirst().orElseThrow();
        try {
            return "127.0.0.1:" + JSON.std.mapFrom(listening).get("port");
        } catch (IOException e) {
            throw new AssertionError(listening, e);
        }
    }

    private static DemoStep changed(DemoStep step, ExpectedMemory finding) {
        return new DemoStep(
                step.number(),
                step.actor(),
                step.title(),
                step.message(),
                step.work(),
                step.takesReceive(),
                step.status(),
                step.event(),
                List.of(finding));
    }

    /** Takes one caller, says this and hangs up once the caller has said something. */
    private static CompletableFuture<Void> answer(ServerSocket server, String text) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Socket caller = server.accept()) {
                        assertThat(caller.getInputStream().read()).isNotNegative();
                        caller.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                ServeAndConnectTest::onItsOwnThread);
    }

    /** The common pool has one thread on a small machine, and what runs here blocks. */
    private static void onItsOwnThread(Runnable work) {
        new Thread(work, "other-end").start();
    }
}
