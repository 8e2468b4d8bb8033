// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.conformance.bench.plan.BenchFailure;
import dev.verbatim.conformance.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Gid;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A second JVM that does the passive part, told what to do line by line; see {@link PassiveMain}. */
public final class PassiveJvm implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;
    private static final String END = "end";

    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /** A device there with one queue pair. */
    final class Node implements Remote {

        private final int port;
        private final Endpoint endpoint;
        private final long address;
        private final int rkey;

        private Node(String... facts) {
            port = Integer.parseInt(facts[1]);
            endpoint = new Endpoint(Gid.parse(facts[2]), Integer.parseInt(facts[3]), Integer.parseInt(facts[4]));
            address = Long.parseLong(facts[5]);
            rkey = Integer.parseInt(facts[6]);
        }

        /** Where its fabric listens, on loopback. */
        int port() {
            return port;
        }

        Endpoint endpoint() {
            return endpoint;
        }

        void connect(Endpoint peer) {
            ask("connect", peer.gid(), peer.qpNumber(), peer.psn());
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public int rkey() {
            return rkey;
        }

        @Override
        public long peek(int offset) {
            return Long.parseLong(ask("peek", offset)[1]);
        }

        @Override
        public void poke(int offset, long value) {
            ask("poke", offset, value);
        }

        @Override
        public void drive() {
            ask("drive");
        }

        @Override
        public long rest() {
            return Long.parseLong(ask("rest")[1]);
        }

        @Override
        public void close() {
            ask("close");
        }
    }

    private PassiveJvm(Process process) {
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
        Thread reader = new Thread(this::read, "verbatim-bench-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it. */
    public static PassiveJvm start() {
        return new PassiveJvm(JavaProcess.start(PassiveMain.class));
    }

    /** Opens a device there; it is driven until {@link Remote#rest()}. */
    Node open(Setting setting, SocketTransport transport, int regionBytes, String address) {
        return new Node(ask("open", setting.name(), transport.name(), regionBytes, address));
    }

    /** Opens the passive end of a plain connection; one answer more comes when it was connected. */
    public int openPlain(Plain what, int bufferBytes) {
        return Integer.parseInt(ask("plain", what.name(), bufferBytes)[1]);
    }

    /** Lets the passive end do its part; an answer comes when it has. */
    public void beginPlain(Plain what, int operations) {
        tell("round", what.name(), operations);
    }

    public void closePlain(Plain what) {
        ask("unplain", what.name());
    }

    public int openEcho() {
        return Integer.parseInt(ask("echo")[1]);
    }

    public void closeEcho() {
        ask("unecho");
    }

    /** Opens so many devices there that wait for callers; where. */
    public List<Integer> listen(int count, SocketTransport transport) {
        return PassiveWork.numbers(ask("listen", count, transport.name()), 1);
    }

    /** Makes a queue pair of the first such device for each of ours and connects it; their numbers. */
    public List<Integer> manyQps(Gid gid, List<Integer> numbers) {
        Object[] words = new Object[numbers.size() + 2];
        words[0] = "many-qps";
        words[1] = gid;
        for (int i = 0; i < numbers.size(); i++) {
            words[i + 2] = numbers.get(i);
        }
        return PassiveWork.numbers(ask(words), 1);
    }

    /** Lets each queue pair that was made last there post a receive; where their memory is, address and key. */
    public ManyQps.Place receiveAll() {
        String[] facts = ask("receive");
        return new ManyQps.Place(Long.parseLong(facts[1]), Integer.parseInt(facts[2]));
    }

    /** Waits until each of them there has received, and looks at what came. */
    public void checkAll() {
        ask("check");
    }

    /** Lets a device there accept whoever connects; the port. */
    public int answer(SocketTransport transport) {
        return Integer.parseInt(ask("answer", transport.name())[1]);
    }

    /** Ends that; how many connections stood there. */
    public long closeAnswerer() {
        return Long.parseLong(ask("unanswer")[1]);
    }

    public void closeListeners() {
        ask("unlisten");
    }

    private String[] ask(Object... words) {
        tell(words);
        return awaitAnswer();
    }

    private void tell(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        orders.println(line);
    }

    /** The words of an answer, the first of which is {@code ok}. */
    public String[] awaitAnswer() {
        String line = null;
        try {
            line = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (line == null) {
            throw new BenchFailure("the second JVM, process " + process.pid() + ", is silent for " + PATIENCE_SECONDS
                    + " s; see whether the machine is overloaded, or stay in one JVM by --fabric in-process");
        }
        if (line.equals(END)) {
            throw new BenchFailure(
                    "the second JVM, process " + process.pid() + ", ended too early; its own message says why");
        }
        String[] words = line.split(" ", -1);
        if (words[0].equals(PassiveMain.FAILED)) {
            throw new BenchFailure("the second JVM:" + line.substring(PassiveMain.FAILED.length()));
        }
        return words;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A JVM may have words of its own there.
                if (line.startsWith(PassiveMain.OK) || line.startsWith(PassiveMain.FAILED)) {
                    answers.add(line);
                }
            }
        } catch (IOException e) {
            // It was closed: nothing more can be learned from it.
            process.destroy();
        } finally {
            answers.add(END);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
