// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;

/** S9: programs that arm a queue and wait, without a look in between. */
final class PlantedWakeUps {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int ROUNDS = 12;

    private PlantedWakeUps() {}

    static List<Planted> all() {
        return List.of(
                new Planted("S9", "poll, arm, wait", PlantedWakeUps::once),
                new Planted("S9", "a queue that is emptied before it is armed again", PlantedWakeUps::emptied),
                new Planted("S9", "a server of two clients", PlantedWakeUps::server));
    }

    /** A queue with a channel. */
    private record Armed(CompletionChannel channel, CompletionQueue queue) {

        static Armed on(RcPeer peer) {
            CompletionChannel channel = peer.device().createCompletionChannel();
            return new Armed(channel, peer.device().createCq(256, null, channel, 0));
        }

        WorkCompletion next(boolean isBroken) {
            List<WorkCompletion> found = queue.poll(1);
            while (found.isEmpty()) {
                queue.requestNotify(false);
                found = isBroken ? List.of() : queue.poll(1);
                if (found.isEmpty()) {
                    channel.getEvent(FOREVER).acknowledge();
                    found = queue.poll(1);
                }
            }
            Channel.check(found.get(0));
            return found.get(0);
        }
    }

    private static void once(Simulation simulation, boolean isBroken) {
        RcPeer sender = RcPeer.open(simulation.open("sender"));
        RcPeer receiver = RcPeer.open(simulation.open("receiver"));
        Armed armed = Armed.on(receiver);
        Channel way = Channel.between(Channel.End.of(sender), Channel.End.of(receiver, receiver.sent(), armed.queue()));
        way.far().receiveNothing(1);
        simulation.node("sender", node -> way.near().qp().postSend(sender.send(1, 0, 0)));
        simulation.node("receiver", node -> armed.next(isBroken));
    }

    private static void emptied(Simulation simulation, boolean isBroken) {
        RcPeer sender = RcPeer.open(simulation.open("sender"));
        RcPeer receiver = RcPeer.open(simulation.open("receiver"));
        Armed armed = Armed.on(receiver);
        Channel way = Channel.between(Channel.End.of(sender), Channel.End.of(receiver, receiver.sent(), armed.queue()));
        way.far().receiveNothing(4);
        armed.queue().requestNotify(false);
        simulation.node("sender", node -> {
            for (int i = 0; i < 4; i++) {
                way.near().qp().postSend(sender.send(i, 0, 0));
            }
        });
        simulation.node("receiver", node -> {
            for (int seen = 0; seen < 4; ) {
                armed.channel().getEvent(FOREVER).acknowledge();
                if (!isBroken) {
                    armed.queue().requestNotify(false);
                }
                for (List<WorkCompletion> found = armed.queue().poll(4);
                        !found.isEmpty();
                        found = seen == 4 ? List.of() : armed.queue().poll(4)) {
                    seen += found.size();
                }
                if (isBroken) {
                    armed.queue().requestNotify(false);
                }
            }
        });
    }

    /** Two clients that wait for each answer; the server waits for the requests of both in one queue. */
    private static void server(Simulation simulation, boolean isBroken) {
        RcPeer left = RcPeer.open(simulation.open("left"));
        RcPeer right = RcPeer.open(simulation.open("right"));
        RcPeer server = RcPeer.open(simulation.open("server"));
        Armed armed = Armed.on(server);
        Channel ofLeft = Channel.between(Channel.End.of(left), Channel.End.of(server, server.sent(), armed.queue()));
        Channel ofRight = Channel.between(Channel.End.of(right), Channel.End.of(server, server.sent(), armed.queue()));
        for (Channel each : List.of(ofLeft, ofRight)) {
            each.far().receiveNothing(ROUNDS);
            each.near().receiveNothing(ROUNDS);
            simulation.node(each.near().peer().device().name(), node -> {
                for (int i = 0; i < ROUNDS; i++) {
                    each.near().qp().postSend(each.near().peer().send(i, 0, 0));
                    each.near().awaitSent();
                    each.near().awaitReceived();
                }
            });
        }
        simulation.node("server", node -> {
            for (int i = 0; i < 2 * ROUNDS; i++) {
                WorkCompletion request = armed.next(isBroken);
                Channel from = request.qpNumber() == ofLeft.far().qp().number() ? ofLeft : ofRight;
                from.far().qp().postSend(server.send(i, 0, 0).unsignaled());
            }
        });
    }
}
