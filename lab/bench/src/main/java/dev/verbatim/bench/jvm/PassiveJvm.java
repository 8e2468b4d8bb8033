// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Gid;
import java.util.List;

/** A second JVM that does the passive part, told what to do line by line; see {@link PassiveMain}. */
public final class PassiveJvm implements AutoCloseable {

    private final OrderedJvm jvm;

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
        public void receive() {
            ask("post-receives");
        }

        @Override
        public long received() {
            return Long.parseLong(ask("received")[1]);
        }

        /** Nothing to do: its own thread does it. */
        @Override
        public void progress() {}

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

    private PassiveJvm(OrderedJvm jvm) {
        this.jvm = jvm;
    }

    /** Starts it. */
    public static PassiveJvm start() {
        return new PassiveJvm(new OrderedJvm("the second JVM", JavaProcess.start(PassiveMain.class)));
    }

    /** Opens a device there; it is driven until {@link Remote#rest()}. */
    Node open(Setting setting, SocketTransport transport, int regionBytes, int depth, String address) {
        return new Node(ask("open", setting.name(), transport.name(), regionBytes, depth, address));
    }

    /** Opens the passive end of a plain connection; one answer more comes when it was connected. */
    public int openPlain(Plain what, int bufferBytes) {
        return Integer.parseInt(ask("plain", what.name(), bufferBytes)[1]);
    }

    /** Lets the passive end do its part; an answer comes when it has. */
    public void beginPlain(Plain what, int operations) {
        jvm.tell("round", what.name(), operations);
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
        return jvm.ask(words);
    }

    /** The words of an answer, the first of which is {@code ok}. */
    public String[] awaitAnswer() {
        return jvm.awaitAnswer();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
