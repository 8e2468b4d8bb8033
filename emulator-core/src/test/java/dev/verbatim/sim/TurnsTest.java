// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Whether other programs can act between two verbs of a program. */
class TurnsTest {

    private static final String OUTCOMES_OF_A_TURN = "[0, 1]";

    /** A device with a queue and its channel, on which a receive has completed. */
    private record Ready(Device device, CompletionChannel channel, CompletionQueue queue) {}

    /** What another program had done when the verb was over: nothing, or its one step. */
    private static String outcomes(BiConsumer<Node, Ready> prepare, BiConsumer<Node, Ready> verb) {
        return new Exploration(OpenChoices.of(ChoicePoint.PROGRAM_STEP))
                // What programs share in Java is known to no footprint.
                .unreduced()
                .run(schedule -> {
                    int[] done = new int[1];
                    int[] seen = new int[1];
                    try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                        RcPeer sender = RcPeer.open(simulation.open("sender"));
                        RcPeer receiver = RcPeer.open(simulation.open("receiver"));
                        CompletionChannel channel = receiver.device().createCompletionChannel();
                        CompletionQueue queue = receiver.device().createCq(16, null, channel, 0);
                        QueuePair qp = receiver.pd()
                                .createQp(QpInitAttributes.rc(receiver.sent(), queue, QpCapabilities.USUAL));
                        RcConnection.connect(sender.qp(), qp);
                        qp.postRecv(receiver.receive(1, 0, 0));
                        Ready ready = new Ready(receiver.device(), channel, queue);
                        queue.requestNotify(false);
                        sender.qp().postSend(sender.send(1, 0, 0));
                        while (!channel.hasEvent()) {
                            simulation.lane().step();
                        }
                        simulation.node("caller", node -> {
                            prepare.accept(node, ready);
                            done[0] = 0;
                            verb.accept(node, ready);
                            seen[0] = done[0];
                        });
                        simulation.node("other", node -> {
                            for (int i = 0; i < 3; i++) {
                                node.others();
                                done[0]++;
                            }
                        });
                        simulation.run();
                    }
                    return Integer.toString(Math.min(1, seen[0]));
                })
                .outcomes()
                .keySet()
                .toString();
    }

    private static void nothing(Node node, Ready ready) {
        assertThat(node.name()).isEqualTo("caller");
        assertThat(ready.queue().entries()).isPositive();
    }

    @Test
    void othersActBetweenALookAndTheArming() {
        assertThat(outcomes(TurnsTest::nothing, (node, ready) -> ready.queue().requestNotify(false)))
                .isEqualTo(OUTCOMES_OF_A_TURN);
    }

    @Test
    void othersActAfterAPollThatFindsSomething() {
        assertThat(outcomes(
                        TurnsTest::nothing,
                        (node, ready) -> assertThat(ready.queue().poll(1)).hasSize(1)))
                .isEqualTo(OUTCOMES_OF_A_TURN);
    }

    @Test
    void othersActAfterAnEventThatWasThere() {
        assertThat(outcomes(
                        TurnsTest::nothing,
                        (node, ready) -> ready.channel().getEvent().acknowledge()))
                .isEqualTo(OUTCOMES_OF_A_TURN);
        assertThat(outcomes(
                        (node, ready) -> ready.device().inject(EventType.PORT_ERR),
                        (node, ready) ->
                                assertThat(ready.device().pollAsyncEvent()).isNotNull()))
                .isEqualTo(OUTCOMES_OF_A_TURN);
    }

    @Test
    void nobodyActsWhereNothingOfADeviceIsTouched() {
        assertThat(outcomes(TurnsTest::nothing, TurnsTest::nothing)).isEqualTo("[0]");
    }
}
