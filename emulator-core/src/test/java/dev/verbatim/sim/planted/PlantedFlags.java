// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import java.util.List;

/** S6: programs that look at the last byte, or at a flag, instead of a completion. */
final class PlantedFlags {

    private static final int ROUNDS = 14;
    private static final int OF_RIGHT = 1024;

    private PlantedFlags() {}

    static List<Planted> all() {
        return List.of(
                new Planted("S6", "flag at the end of an entry", PlantedFlags::lastWord),
                new Planted("S6", "last word of what a READ brings", PlantedFlags::lastWordOfRead),
                new Planted("S6", "some flags among many entries of two producers", PlantedFlags::oneOfMany));
    }

    private static void lastWord(Simulation simulation, boolean isBroken) {
        RcPeer producer = RcPeer.open(simulation.open("producer"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        Channel way = Channel.between(producer, consumer);
        way.far().receiveNothing(1);
        producer.memory().buffer().putLong(0, 42).putLong(24, 1);
        simulation.node(
                "producer", node -> way.near().qp().postSend(producer.writeWithImmediate(1, 0, 0, 32, consumer)));
        simulation.node("consumer", node -> {
            if (isBroken) {
                node.loadUntil(consumer.memory(), 24, flag -> flag == 1);
            } else {
                way.far().awaitReceived();
            }
            assertThat(node.load(consumer.memory(), 0)).isEqualTo(42);
        });
    }

    private static void lastWordOfRead(Simulation simulation, boolean isBroken) {
        RcPeer reader = RcPeer.open(simulation.open("reader"));
        RcPeer owner = RcPeer.open(simulation.open("owner"));
        Channel way = Channel.between(reader, owner);
        owner.memory().buffer().putLong(0, 42).putLong(24, 1);
        simulation.node("reader", node -> {
            way.near().qp().postSend(reader.read(1, 0, 32, owner));
            if (isBroken) {
                node.loadUntil(reader.memory(), 24, flag -> flag == 1);
            } else {
                way.near().awaitSent();
            }
            assertThat(node.load(reader.memory(), 0)).isEqualTo(42);
        });
    }

    /**
     * Each entry is announced by a completion, and answered; of every fourth entry the consumer looks at the flag first. About sixteen verbs in each
     * round.
     */
    private static void oneOfMany(Simulation simulation, boolean isBroken) {
        RcPeer left = RcPeer.open(simulation.open("left"));
        RcPeer right = RcPeer.open(simulation.open("right"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        Channel fromLeft = Channel.between(left, consumer);
        Channel fromRight = Channel.between(right, consumer);
        for (Channel from : List.of(fromLeft, fromRight)) {
            from.near().receiveNothing(ROUNDS);
            from.far().receiveNothing(ROUNDS);
        }
        for (int i = 0; i < ROUNDS; i++) {
            left.memory().buffer().putLong(16 * i, 1 + i).putLong(16 * i + 8, 1);
            right.memory().buffer().putLong(OF_RIGHT + 16 * i, 1 + i).putLong(OF_RIGHT + 16 * i + 8, 1);
        }
        simulation.node("consumer", node -> {
            for (int i = 0; i < ROUNDS; i++) {
                int entry = 16 * i;
                fromLeft.far().awaitReceived();
                assertThat(node.load(consumer.memory(), entry)).isEqualTo(1 + i);
                if (isBroken && i % 4 == 2) {
                    node.loadUntil(consumer.memory(), OF_RIGHT + entry + 8, flag -> flag == 1);
                    assertThat(node.load(consumer.memory(), OF_RIGHT + entry)).isEqualTo(1 + i);
                }
                fromRight.far().awaitReceived();
                assertThat(node.load(consumer.memory(), OF_RIGHT + entry)).isEqualTo(1 + i);
                fromLeft.far().answer(i);
                fromRight.far().answer(i);
            }
        });
        simulation.node("left", node -> produce(fromLeft.near(), consumer, 0));
        simulation.node("right", node -> produce(fromRight.near(), consumer, OF_RIGHT));
    }

    private static void produce(Channel.End end, RcPeer consumer, int begin) {
        for (int i = 0; i < ROUNDS; i++) {
            end.qp().postSend(end.peer().writeWithImmediate(i, 0, begin + 16 * i, 16, consumer));
            end.awaitSent();
            end.awaitReceived();
        }
    }
}
