// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import java.util.List;

/** S17: programs that take requests of two queue pairs for ordered. */
final class PlantedOrders {

    private static final int ROUNDS = 20;

    private PlantedOrders() {}

    static List<Planted> all() {
        return List.of(
                new Planted("S17", "a message on another queue pair than its data", PlantedOrders::message),
                new Planted("S17", "a third node that is told of data", PlantedOrders::thirdNode),
                new Planted("S17", "one message among many of three nodes", PlantedOrders::oneOfMany));
    }

    private static void message(Simulation simulation, boolean isBroken) {
        RcPeer producer = RcPeer.open(simulation.open("producer"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        Channel data = Channel.between(producer, consumer);
        Channel flags = Channel.between(producer, consumer);
        // That the WRITE was acknowledged is not enough for the processor of the consumer: its bytes may be placed
        // later.
        Channel messages = isBroken ? flags : data;
        messages.far().receiveNothing(1);
        producer.memory().buffer().putLong(0, 42);
        simulation.node("producer", node -> {
            data.near().qp().postSend(producer.write(1, 0, 8, consumer));
            messages.near().qp().postSend(producer.send(2, 0, 0));
        });
        simulation.node("consumer", node -> {
            messages.far().awaitReceived();
            assertThat(node.load(consumer.memory(), 0)).isEqualTo(42);
        });
    }

    /** The producer writes to a store and tells the consumer, which reads there. */
    private static void thirdNode(Simulation simulation, boolean isBroken) {
        RcPeer producer = RcPeer.open(simulation.open("producer"));
        RcPeer store = RcPeer.open(simulation.open("store"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        Channel data = Channel.between(producer, store);
        Channel news = Channel.between(producer, consumer);
        Channel reads = Channel.between(consumer, store);
        news.far().receiveNothing(1);
        producer.memory().buffer().putLong(0, 42);
        simulation.node("producer", node -> {
            data.near().qp().postSend(producer.write(1, 0, 8, store));
            if (!isBroken) {
                data.near().awaitSent();
            }
            news.near().qp().postSend(producer.send(2, 0, 0));
        });
        simulation.node("consumer", node -> {
            news.far().awaitReceived();
            reads.near().qp().postSend(consumer.read(3, 0, 8, store));
            reads.near().awaitSent();
            assertThat(node.load(consumer.memory(), 0)).isEqualTo(42);
        });
    }

    /** In each round the producer writes by one queue pair, and tells by another; it forgets to wait in the last but one. */
    private static void oneOfMany(Simulation simulation, boolean isBroken) {
        RcPeer producer = RcPeer.open(simulation.open("producer"));
        RcPeer store = RcPeer.open(simulation.open("store"));
        RcPeer consumer = RcPeer.open(simulation.open("consumer"));
        Channel data = Channel.between(producer, store);
        Channel news = Channel.between(producer, consumer);
        Channel reads = Channel.between(consumer, store);
        Channel answers = Channel.between(consumer, producer);
        news.far().receiveNothing(ROUNDS);
        answers.far().receiveNothing(ROUNDS);
        simulation.node("producer", node -> {
            for (int i = 0; i < ROUNDS; i++) {
                node.store(producer.memory(), 0, i + 1);
                data.near().qp().postSend(producer.write(1, 0, 8, store));
                if (!isBroken || i != ROUNDS - 2) {
                    data.near().awaitSent();
                }
                news.near().qp().postSend(producer.send(2, 0, 0));
                news.near().awaitSent();
                answers.far().awaitReceived();
                if (isBroken && i == ROUNDS - 2) {
                    data.near().awaitSent();
                }
            }
        });
        simulation.node("consumer", node -> {
            for (int i = 0; i < ROUNDS; i++) {
                news.far().awaitReceived();
                reads.near().qp().postSend(consumer.read(3, 0, 8, store));
                reads.near().awaitSent();
                assertThat(node.load(consumer.memory(), 0)).isEqualTo(i + 1);
                answers.near().qp().postSend(consumer.send(4, 0, 0));
                answers.near().awaitSent();
            }
        });
    }
}
