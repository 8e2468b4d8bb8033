// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What one packet writes is one step for other accesses of devices, and several for all else. */
class OnePacketTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final OpenChoices TURNS = SourceSetsTest.withAllTurns(OpenChoices.NONE);

    private static void write(Simulation simulation, RcPeer peer, RcPeer target, long value, int lengthBytes) {
        peer.memory().buffer().putLong(0, value).putLong(8, value);
        simulation.node(peer.device().name(), node -> {
            for (int at = 0; at < 16; at += lengthBytes) {
                peer.qp()
                        .postSend(SendWorkRequest.write(
                                at, target.address(at), target.rkey(), peer.sge(at, lengthBytes)));
            }
            for (int at = 0; at < 16; at += lengthBytes) {
                assertThat(peer.sent().awaitCompletion(LONG).status()).isEqualTo(WcStatus.SUCCESS);
            }
        });
    }

    /** Two devices write both words, 1 and 2, each by requests of so many bytes. */
    private static Explored writes(int lengthBytes) {
        return new Exploration(TURNS).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                RcPeer target = RcPeer.open(simulation.open("owner"));
                QueuePair second = target.pd()
                        .createQp(QpInitAttributes.rc(target.sent(), target.received(), QpCapabilities.USUAL));
                RcPeer a = RcPeer.open(simulation.open("a"));
                RcPeer b = RcPeer.open(simulation.open("b"));
                RcConnection.connect(a.qp(), target.qp());
                RcConnection.connect(b.qp(), second);
                write(simulation, a, target, 1, lengthBytes);
                write(simulation, b, target, 2, lengthBytes);
                assertThat(simulation.run()).isTrue();
                ByteBuffer words = target.memory().buffer();
                return words.getLong(0) + " " + words.getLong(8);
            }
        });
    }

    @Test
    @Rule("ORD-37")
    void wordsOfOnePacketDoNotMixAndThoseOfTwoDo() {
        Explored one = writes(16);
        assertThat(one.isComplete()).isTrue();
        assertThat(one.outcomes()).containsOnlyKeys("1 1", "2 2");
        Explored two = writes(8);
        assertThat(two.outcomes()).containsOnlyKeys("1 1", "1 2", "2 1", "2 2");
    }
}
