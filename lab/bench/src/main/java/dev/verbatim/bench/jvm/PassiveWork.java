// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.Verbatim;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the passive JVM has and does: at most one device, and the passive ends of yardsticks. */
final class PassiveWork {

    private final Allocation allocation;
    private final PrintStream answers;
    private final Map<Plain, PlainEnd> plainEnds = new EnumMap<>(Plain.class);
    private final Listeners listeners = new Listeners();
    private @Nullable EchoServer echo;
    private @Nullable ConnectionAcceptor answerer;
    private @Nullable Verbatim rdma;
    private @Nullable PassiveSide side;
    private boolean spinning;
    private boolean driving;
    private long allocatedBytes;

    /** @param reader the thread that reads orders, which takes no part in what is measured */
    PassiveWork(long reader, PrintStream answers) {
        this.allocation = new Allocation(reader);
        this.answers = answers;
    }

    /** Waits for an order and drives the device meanwhile, if it must be driven; the order. */
    String await(LinkedBlockingQueue<String> orders) throws InterruptedException {
        allocation.begin();
        while (spinning && driving && orders.isEmpty()) {
            side().progress();
        }
        String order = orders.take();
        allocatedBytes = allocation.end();
        return order;
    }

    /** Does what is said; what to answer. */
    String carryOut(String... words) throws IOException {
        String result = switch (words[0]) {
            case "open" ->
                open(
                        Setting.valueOf(words[1]),
                        SocketTransport.valueOf(words[2]),
                        number(words[3]),
                        number(words[4]),
                        words[5]);
            case "connect" -> connect(new Endpoint(Gid.parse(words[1]), number(words[2]), number(words[3])));
            case "post-receives" -> postReceives();
            case "received" -> " " + side().received();
            case "drive" -> drive();
            case "rest" -> rest();
            case "peek" -> " " + side().peek(number(words[1]));
            case "poke" -> poke(number(words[1]), Long.parseLong(words[2]));
            case "close" -> close();
            case "plain" -> plain(Plain.valueOf(words[1]), number(words[2]));
            case "round" -> round(Plain.valueOf(words[1]), number(words[2]));
            case "unplain" -> unplain(Plain.valueOf(words[1]));
            case "echo" -> echo();
            case "unecho" -> unecho();
            case "listen" -> listen(number(words[1]), SocketTransport.valueOf(words[2]));
            case "many-qps" -> joined(listeners.manyQps(Gid.parse(words[1]), numbers(words, 2)));
            case "receive" -> place(listeners.manyQps().receiveAll());
            case "check" -> check();
            case "unlisten" -> unlisten();
            case "answer" -> answer(SocketTransport.valueOf(words[1]));
            case "unanswer" -> unanswer();
            default -> throw new BenchFailure(words[0] + " is not a known command; run the same version in both JVMs");
        };
        return OrderedJvm.OK + result;
    }

    private String open(Setting setting, SocketTransport transport, int regionBytes, int depth, String address)
            throws IOException {
        Fabric fabric = MeasuredPair.fabric(setting, transport, InetAddress.getByName(address));
        Verbatim opened = Verbatim.over(fabric);
        rdma = opened;
        PassiveSide fresh = new PassiveSide(opened.open("passive"), regionBytes, depth);
        side = fresh;
        int port = fabric instanceof NettyFabric tcp ? tcp.listen(loopback()).getPort() : 0;
        spinning = setting.isSpinning();
        driving = true;
        Endpoint mine = fresh.endpoint();
        return " " + port + " " + mine.gid() + " " + mine.qpNumber() + " " + mine.psn() + " " + fresh.address() + " "
                + fresh.rkey();
    }

    private String connect(Endpoint peer) {
        side().connect(peer);
        driving = false;
        return "";
    }

    private String postReceives() {
        side().receive();
        return "";
    }

    private String drive() {
        driving = true;
        return "";
    }

    private String rest() {
        driving = false;
        return " " + allocatedBytes;
    }

    private String poke(int offset, long value) {
        side().poke(offset, value);
        return "";
    }

    private String close() {
        driving = false;
        Objects.requireNonNull(rdma, "nothing is open").close();
        rdma = null;
        side = null;
        return "";
    }

    /** Listens, says where, and waits for the caller. */
    private String plain(Plain what, int bufferBytes) throws IOException {
        if (what.isDatagrams()) {
            DatagramChannel waiting = DatagramChannel.open().bind(loopback());
            answers.println(OrderedJvm.OK + " " + ((InetSocketAddress) waiting.getLocalAddress()).getPort());
            waiting.connect(waiting.receive(ByteBuffer.allocate(1)));
            plainEnds.put(what, new PlainEnd(waiting, what.blocking(), bufferBytes));
            return "";
        }
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(loopback())) {
            answers.println(OrderedJvm.OK + " " + ((InetSocketAddress) listening.getLocalAddress()).getPort());
            plainEnds.put(what, new PlainEnd(listening.accept(), what.blocking(), bufferBytes));
        }
        return "";
    }

    private String round(Plain what, int operations) throws IOException {
        PlainEnd end = Objects.requireNonNull(plainEnds.get(what), "not connected");
        end.writeOne();
        what.passive(end, operations);
        return "";
    }

    private String unplain(Plain what) throws IOException {
        Objects.requireNonNull(plainEnds.remove(what), "not connected").close();
        return "";
    }

    private String echo() {
        EchoServer opened = new EchoServer();
        echo = opened;
        return " " + opened.port();
    }

    private String unecho() {
        Objects.requireNonNull(echo, "no echo").close();
        echo = null;
        return "";
    }

    private String listen(int count, SocketTransport transport) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(listeners.open(transport));
        }
        return joined(ports);
    }

    private static String place(ManyQps.Place place) {
        return " " + place.address() + " " + place.rkey();
    }

    private String check() {
        listeners.manyQps().checkAll();
        return "";
    }

    private String unlisten() {
        listeners.close();
        return "";
    }

    private String answer(SocketTransport transport) {
        ConnectionAcceptor opened = new ConnectionAcceptor(loopback(), transport);
        answerer = opened;
        return " " + opened.port();
    }

    private String unanswer() {
        ConnectionAcceptor present = Objects.requireNonNull(answerer, "no device listens");
        answerer = null;
        present.close();
        return " " + present.established();
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(number -> " " + number).collect(Collectors.joining());
    }

    /** The numbers among the words from there on. */
    static List<Integer> numbers(String[] words, int from) {
        return Arrays.stream(words, from, words.length).map(Integer::valueOf).toList();
    }

    private PassiveSide side() {
        return Objects.requireNonNull(side, "no device is open");
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
