// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * A device in a process of its own, which listens, has four queue pairs and a region, with numbers and keys that can be foretold, and
 * does what it is told, line by line: a {@link ConnectionData} each, and one for an answer.
 */
final class DeviceProcess implements AutoCloseable {

    /** What it writes. */
    static final long WORD = 0x5eed;

    private static final String DO = "do";
    private static final String QP = "qp";
    private static final String OWN_PSN = "own_psn";
    private static final String TIMEOUT = "timeout";
    private static final String RESULT = "result";
    private static final String ATOMICS = "atomics";
    private static final String ENDED = "";

    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final ConnectionData facts;

    private DeviceProcess(Process process) throws IOException, InterruptedException {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
        this.reader = new Thread(this::read, "device-process");
        reader.setDaemon(true);
        reader.start();
        this.facts = answer();
    }

    /** Starts it; it listens at a port of this machine, 0 for any. */
    static DeviceProcess start(long guid, int port, SocketTransport transport, int socketBufferBytes)
            throws IOException, InterruptedException {
        return new DeviceProcess(ChildJvm.of(DeviceProcess.class, guid, port, transport, socketBufferBytes)
                .start());
    }

    // At this end.

    /** Its GID, port and region, and the number of its first queue pair, behind which the others are numbered. */
    ConnectionData facts() {
        return facts;
    }

    int port() {
        return (int) facts.number(ConnectionData.FABRIC_PORT);
    }

    long address(int offset) {
        return facts.number(ConnectionData.ADDRESS) + offset;
    }

    int rkey() {
        return (int) facts.number(ConnectionData.RKEY);
    }

    /** Where one of its queue pairs is to be found. */
    RcConnection.Endpoint endpoint(int index, int psn) {
        return new RcConnection.Endpoint(
                facts.gid(ConnectionData.GID), (int) facts.number(ConnectionData.QPN) + index, psn);
    }

    /** Connects one of its queue pairs, whose first PSN is {@code psn}. */
    void connect(int index, int psn, RcConnection.Endpoint peer, RcConnection connection)
            throws IOException, InterruptedException {
        ask(order("connect")
                .with(QP, index)
                .with(OWN_PSN, psn)
                .with(TIMEOUT, connection.timeout())
                .with(ConnectionData.GID, peer.gid())
                .with(ConnectionData.QPN, peer.qpNumber())
                .with(ConnectionData.PSN, peer.psn()));
    }

    /** Connects a queue pair of ours and one of its, and numbers requests of either from 0 on. */
    void join(QueuePair ours, int index, RcConnection connection) throws IOException, InterruptedException {
        connect(index, 0, RcConnection.Endpoint.of(ours, 0), connection);
        connection.readyToReceive(ours, endpoint(index, 0));
        connection.readyToSend(ours, 0);
    }

    /** It writes {@link #WORD} to our region; how that ended. */
    String writes(int index, long address, int rkey) throws IOException, InterruptedException {
        return ask(order("write")
                        .with(QP, index)
                        .with(ConnectionData.ADDRESS, address)
                        .with(ConnectionData.RKEY, rkey))
                .text(RESULT);
    }

    /** Its first queue pair begins {@link RcTraffic} to our region. */
    void beginTraffic(long address, int rkey) throws IOException, InterruptedException {
        ask(order("begin").with(ConnectionData.ADDRESS, address).with(ConnectionData.RKEY, rkey));
    }

    /** Waits until its traffic has done a few rounds more. */
    void awaitTraffic() throws IOException, InterruptedException {
        ask(order("await"));
    }

    /** Ends its traffic; how many atomics it has done, each once as far as it can see. */
    long endTraffic() throws IOException, InterruptedException {
        return ask(order("end")).number(ATOMICS);
    }

    /** From now on it does nothing, and does not notice. */
    void suspend() throws IOException, InterruptedException {
        ChildJvm.signal(process, "STOP");
        Await.until("every thread has stopped", this::hasStopped);
    }

    /** A signal is on its way for as long as a busy processor does not run the thread. */
    private boolean hasStopped() {
        File[] threads = new File("/proc/" + process.pid() + "/task").listFiles();
        return threads == null || Stream.of(threads).allMatch(DeviceProcess::isStopped);
    }

    private static boolean isStopped(File thread) {
        try {
            String stat = Files.readString(thread.toPath().resolve("stat"));
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // It has ended.
            return true;
        }
    }

    /** It goes on as if nothing had been. */
    void resume() throws IOException, InterruptedException {
        ChildJvm.signal(process, "CONT");
    }

    /** Kills it as {@code kill -9} does. */
    void kill() {
        ChildJvm.kill(process);
        Await.end(reader);
    }

    @Override
    public void close() {
        kill();
    }

    private static ConnectionData order(String verb) {
        return ConnectionData.empty().with(DO, verb);
    }

    private ConnectionData ask(ConnectionData order) throws IOException, InterruptedException {
        orders.write(order + "\n");
        orders.flush();
        return answer();
    }

    private ConnectionData answer() throws InterruptedException {
        String line = Await.value("the answer of the device's process", answers::poll, Objects::nonNull);
        assertThat(line).as("answer of the device's process").isNotEqualTo(ENDED);
        return ConnectionData.parse(line);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            lines.lines().forEach(answers::add);
        } catch (IOException | java.io.UncheckedIOException e) {
            // It was killed in the middle of a line.
            return;
        } finally {
            answers.add(ENDED);
        }
    }

    // At its end.

    /** Guid, port, transport and size of the socket buffers. */
    public static void main(String... arguments) throws Exception {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults()
                .withTransport(SocketTransport.valueOf(arguments[2]))
                .withSocketBufferBytes(Integer.parseInt(arguments[3])));
        try (Verbatim rdma = Verbatim.over(fabric)
                .profile(DeviceProfile.STRICT_IBTA.toBuilder().sequentialKeys().build())) {
            Side side = new Side(rdma.open("child", Long.parseLong(arguments[0])), QpCapabilities.USUAL);
            List<QueuePair> queuePairs =
                    List.of(side.qp, side.newQueuePair(), side.newQueuePair(), side.newQueuePair());
            say(ConnectionData.empty()
                    .with(ConnectionData.GID, side.device.gid())
                    .with(
                            ConnectionData.FABRIC_PORT,
                            fabric.listen(Node.loopback(Integer.parseInt(arguments[1])))
                                    .getPort())
                    .with(ConnectionData.QPN, side.qp.number())
                    .with(ConnectionData.ADDRESS, side.address(0))
                    .with(ConnectionData.RKEY, side.rkey()));
            obey(side, queuePairs);
        }
    }

    /** Ends at the latest with the process that started this one. */
    private static void obey(Side side, List<QueuePair> queuePairs) throws Exception {
        List<RcTraffic> traffic = new ArrayList<>();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            ConnectionData order = ConnectionData.parse(line);
            switch (order.text(DO)) {
                case "connect" -> say(connect(queuePairs.get((int) order.number(QP)), order));
                case "write" -> say(write(side, queuePairs.get((int) order.number(QP)), order));
                case "begin" -> {
                    traffic.add(RcTraffic.begin(
                            side, order.number(ConnectionData.ADDRESS), (int) order.number(ConnectionData.RKEY)));
                    say(order("begun"));
                }
                case "await" -> {
                    traffic.get(0).awaitRounds(5);
                    say(order("awaited"));
                }
                case "end" ->
                    say(order("ended")
                            .with(ATOMICS, RcTraffic.atomics(traffic.get(0).end())));
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private static ConnectionData connect(QueuePair queuePair, ConnectionData order) {
        RcConnection connection = RcConnection.USUAL.withRetries((int) order.number(TIMEOUT), 7, 7, 12);
        connection.readyToReceive(
                queuePair,
                new RcConnection.Endpoint(order.gid(ConnectionData.GID), (int) order.number(ConnectionData.QPN), (int)
                        order.number(ConnectionData.PSN)));
        connection.readyToSend(queuePair, (int) order.number(OWN_PSN));
        return order("connected");
    }

    private static ConnectionData write(Side side, QueuePair queuePair, ConnectionData order) {
        int last = Side.REGION_BYTES - Long.BYTES;
        side.bytes().putLong(last, WORD);
        queuePair.postSend(SendWorkRequest.write(
                1,
                order.number(ConnectionData.ADDRESS),
                (int) order.number(ConnectionData.RKEY),
                side.sge(last, Long.BYTES)));
        return order("written").with(RESULT, side.sent().status().name());
    }

    private static void say(ConnectionData line) {
        PrintStream out = System.out;
        out.println(line);
        out.flush();
    }
}
