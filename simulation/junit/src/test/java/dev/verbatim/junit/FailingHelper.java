// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;
import java.util.List;

/** What tests of {@link FailingPrograms} call, as in a project whose programs are in classes of their own. */
final class FailingHelper {

    private final Simulation simulation;
    private final RcPair pair;

    FailingHelper(Simulation simulation) {
        this.simulation = simulation;
        this.pair = RcPair.connect(simulation.open("left"), simulation.open("right"));
    }

    void runs(Runnable program) {
        simulation.node("left", node -> program.run());
        simulation.run();
    }

    void failsInAProgram() {
        runs(() -> assertThat(pair.left().memory().buffer().getLong(0)).isEqualTo(7));
    }

    void usesADeviceThatHasFailed() {
        pair.left().device().inject(EventType.DEVICE_FATAL);
        simulation.node("left", node -> pair.left().qp().postSend(pair.left().send(1, 0, 8)));
    }

    void spins() {
        simulation.node("left", this::spin);
    }

    private void spin(Node node) {
        while (true) {
            node.store(pair.left().memory(), 0, 1);
        }
    }

    void touchesASourceWithinLambdas() {
        RcPeer left = pair.left();
        simulation.node("left", node -> {
            List<SendWorkRequest> requests = List.of(left.write(1, 0, 8, pair.right()));
            requests.forEach(left.qp()::postSend);
            List.of(0).forEach(offset -> node.store(left.memory(), offset, 1));
            left.sent().awaitCompletion(Duration.ofSeconds(1)).status();
        });
    }
}
