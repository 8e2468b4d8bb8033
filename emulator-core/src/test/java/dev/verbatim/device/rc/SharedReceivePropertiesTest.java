// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.asserted;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Several queue pairs on one shared receive queue, whose messages come packet by packet and interleaved as they like: who gets
 * which receive, what completes how, and which events there are, is what a model of a few lines says.
 */
class SharedReceivePropertiesTest {

    private static final int QUEUE_PAIRS = 3;
    private static final int ROOM = 6;

    private enum Verb {
        POST,
        BEGIN,
        GO_ON,
        END,
        WHOLE,
        WRITE_WITH_IMMEDIATE,
        AGAIN,
        FAIL,
        RECONNECT,
        ARM,
        RESIZE
    }

    private record Step(Verb verb, int qp, int value) {}

    /** What one queue pair is at. */
    private static final class Peer {
        private int psn;
        private @Nullable Long taken;
        private boolean failed;
    }

    private static final class World implements AutoCloseable {
        private final Dialogue dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);
        private final SharedReceiveQueue srq = dialogue.side.pd.createSrq(SrqInitAttributes.basic(ROOM));
        private final List<QueuePair> queuePairs = new ArrayList<>();
        private final List<Peer> peers = new ArrayList<>();

        // The model.
        private final ArrayDeque<Long> queue = new ArrayDeque<>();
        private final List<String> completions = new ArrayList<>();
        private final List<String> events = new ArrayList<>();
        private int room = ROOM;
        private int limit;
        private long nextId;

        World() {
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                queuePairs.add(dialogue.side.pd.createQp(
                        dialogue.side.qp.initAttributes().withSrq(srq)));
                peers.add(new Peer());
                connect(queuePairs.get(i));
            }
        }

        private static void connect(QueuePair qp) {
            Dialogue.USUAL.readyToReceive(qp, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0));
            Dialogue.USUAL.readyToSend(qp, 0);
        }

        void take(Step step) {
            QueuePair qp = queuePairs.get(step.qp);
            Peer peer = peers.get(step.qp);
            boolean between = peer.taken == null;
            switch (step.verb) {
                case POST -> post(step.value);
                case BEGIN -> {
                    if (between) {
                        sends(qp, peer, Opcode.SEND_FIRST, MTU, true, false);
                    }
                }
                case GO_ON -> {
                    if (!between) {
                        sends(qp, peer, Opcode.SEND_MIDDLE, MTU, false, false);
                    }
                }
                case END -> {
                    if (!between) {
                        sends(qp, peer, Opcode.SEND_LAST, 1 + step.value, false, true);
                    }
                }
                case WHOLE -> {
                    if (between) {
                        sends(qp, peer, Opcode.SEND_ONLY, step.value, true, true);
                    }
                }
                case WRITE_WITH_IMMEDIATE -> {
                    if (between) {
                        writes(qp, peer);
                    }
                }
                case AGAIN ->
                    dialogue.sends(packet(Opcode.SEND_ONLY, peer.psn - 1 & 0xffffff, new byte[4])
                            .destQp(qp.number()));
                case FAIL -> fail(qp, peer);
                case RECONNECT -> reconnect(qp, peer);
                case ARM -> arm(step.value);
                case RESIZE -> resize(1 + step.value);
            }
            compare();
        }

        private void post(int count) {
            List<ReceiveWorkRequest> chain = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                // Of any length: elements may name the same bytes.
                chain.add(ReceiveWorkRequest.of(
                        nextId + i, dialogue.side.sge(0, 1 << 16), dialogue.side.sge(0, 1 << 16)));
            }
            int fits = Math.min(count, room - queue.size());
            try {
                srq.postRecv(chain);
                assertThat(fits).isEqualTo(count);
            } catch (VerbsException full) {
                assertThat(full.badRequest()).isEqualTo(fits).isLessThan(count);
            }
            for (int i = 0; i < fits; i++) {
                queue.add(nextId + i);
            }
            nextId += count;
        }

        private void sends(QueuePair qp, Peer peer, Opcode opcode, int lengthBytes, boolean begins, boolean ends) {
            dialogue.sends(packet(opcode, peer.psn, new byte[lengthBytes]).destQp(qp.number()));
            if (peer.failed || begins && !begin(peer)) {
                return;
            }
            peer.psn++;
            if (ends) {
                completions.add(qp.number() + " " + peer.taken + " SUCCESS");
                peer.taken = null;
            }
        }

        private void writes(QueuePair qp, Peer peer) {
            dialogue.sends(write(Opcode.RDMA_WRITE_ONLY_WITH_IMM, peer.psn, 0, 0, 0, new byte[0])
                    .destQp(qp.number()));
            if (!peer.failed && begin(peer)) {
                peer.psn++;
                completions.add(qp.number() + " " + peer.taken + " SUCCESS");
                peer.taken = null;
            }
        }

        /** A message takes the oldest receive; without one it is turned away. */
        private boolean begin(Peer peer) {
            if (queue.isEmpty()) {
                return false;
            }
            peer.taken = queue.removeFirst();
            if (queue.size() < limit) {
                limit = 0;
                events.add("SRQ_LIMIT_REACHED srq");
            }
            return true;
        }

        private void fail(QueuePair qp, Peer peer) {
            qp.modify(new QpAttributes().state(QpState.ERR));
            if (peer.failed) {
                return;
            }
            peer.failed = true;
            if (peer.taken != null) {
                completions.add(qp.number() + " " + peer.taken + " WR_FLUSH_ERR");
                peer.taken = null;
            }
            events.add("QP_LAST_WQE_REACHED " + qp.number());
        }

        private void reconnect(QueuePair qp, Peer peer) {
            qp.modify(new QpAttributes().state(QpState.RESET));
            connect(qp);
            peer.psn = 0;
            peer.taken = null;
            peer.failed = false;
        }

        private void arm(int value) {
            try {
                srq.modify(SrqAttributes.ofLimit(value), SrqAttributes.LIMIT);
                assertThat(value).isLessThanOrEqualTo(room);
                limit = value;
            } catch (VerbsException beyond) {
                assertThat(value).isGreaterThan(room);
            }
        }

        private void resize(int value) {
            try {
                srq.modify(SrqAttributes.ofSize(value), SrqAttributes.MAX_WR);
                assertThat(value).isGreaterThanOrEqualTo(Math.max(queue.size(), limit));
                room = value;
            } catch (VerbsException cannot) {
                assertThat(value).isLessThan(Math.max(queue.size(), limit));
            }
        }

        private void compare() {
            dialogue.takeAll();
            List<String> completed = new ArrayList<>();
            for (WorkCompletion each : dialogue.side.recvCq.poll(ROOM * ROOM)) {
                completed.add(each.qpNumber() + " " + each.id() + " " + each.status());
            }
            assertThat(completed).isEqualTo(completions);
            completions.clear();
            List<String> raised = new ArrayList<>();
            for (AsyncEvent event = dialogue.event(); event != null; event = dialogue.event()) {
                QueuePair about = event.queuePair();
                raised.add(event.type() + " " + (about == null ? "srq" : about.number()));
                event.acknowledge();
            }
            assertThat(raised).isEqualTo(events);
            events.clear();
            assertThat(srq.query()).isEqualTo(new SrqAttributes(room, 4, limit));
        }

        /** Whatever is left is there, once, and in order. */
        void drain() {
            while (!queue.isEmpty()) {
                take(new Step(Verb.RECONNECT, 0, 0));
                take(new Step(Verb.WHOLE, 0, 0));
            }
        }

        @Override
        public void close() {
            dialogue.close();
        }
    }

    @Provide
    static Arbitrary<List<Step>> programs() {
        Arbitrary<Verb> verbs = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of(Verb.POST, Verb.BEGIN, Verb.END, Verb.WHOLE)),
                Tuple.of(2, Arbitraries.of(Verb.GO_ON, Verb.WRITE_WITH_IMMEDIATE, Verb.ARM)),
                Tuple.of(1, Arbitraries.of(Verb.AGAIN, Verb.FAIL, Verb.RECONNECT, Verb.RESIZE)));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, QUEUE_PAIRS - 1),
                        Arbitraries.integers().between(0, ROOM + 2))
                .as(Step::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(60);
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"SRQ-02", "SRQ-03", "SRQ-04", "SRQ-05", "SRQ-07", "QP-25", "T-15", "T-20"})
    void eachReceiveIsTakenOnceInOrderAndLimitsFireAsAModelSays(@ForAll("programs") List<Step> program) {
        try (World world = new World()) {
            program.forEach(world::take);
            world.drain();
            asserted();
        }
    }
}
