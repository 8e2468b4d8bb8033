// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.List;

/** S14: programs that change a word by the processor while peers change it by atomics. */
final class PlantedAtomics {

    private static final int ROUNDS = 12;

    private PlantedAtomics() {}

    static List<Planted> all() {
        return List.of(
                new Planted("S14", "a counter that its owner counts as well", PlantedAtomics::counter),
                new Planted("S14", "a lock that its owner takes by a store", PlantedAtomics::lock),
                new Planted("S14", "one step of the owner among many of two peers", PlantedAtomics::oneOfMany));
    }

    private static SendWorkRequest add(RcPeer from, RcPeer to, long id) {
        return SendWorkRequest.fetchAndAdd(id, to.address(0), to.rkey(), 1, from.sge(64, 8));
    }

    private static void counter(Simulation simulation, boolean isBroken) {
        RcPeer peer = RcPeer.open(simulation.open("peer"));
        RcPeer owner = RcPeer.open(simulation.open("owner"));
        Channel way = Channel.between(peer, owner);
        Channel own = Channel.between(owner, owner);
        way.far().receiveNothing(1);
        simulation.node("peer", node -> {
            way.near().qp().postSend(add(peer, owner, 1));
            way.near().awaitSent();
            way.near().qp().postSend(peer.send(2, 0, 0));
        });
        simulation.node("owner", node -> {
            if (isBroken) {
                node.store(owner.memory(), 0, node.load(owner.memory(), 0) + 1);
            } else {
                own.near().qp().postSend(add(owner, owner, 1));
                own.near().awaitSent();
            }
            way.far().awaitReceived();
            assertThat(node.load(owner.memory(), 0)).isEqualTo(2);
        });
    }

    private static void lock(Simulation simulation, boolean isBroken) {
        RcPeer peer = RcPeer.open(simulation.open("peer"));
        RcPeer owner = RcPeer.open(simulation.open("owner"));
        Channel way = Channel.between(peer, owner);
        Channel own = Channel.between(owner, owner);
        int[] inside = new int[1];
        simulation.node("peer", node -> {
            way.near().qp().postSend(lock(peer, owner));
            way.near().awaitSent();
            enter(inside, node.load(peer.memory(), 64) == 0);
        });
        simulation.node("owner", node -> {
            boolean isFree;
            if (isBroken) {
                isFree = node.load(owner.memory(), 0) == 0;
                if (isFree) {
                    node.store(owner.memory(), 0, 2);
                }
            } else {
                own.near().qp().postSend(lock(owner, owner));
                own.near().awaitSent();
                isFree = node.load(owner.memory(), 64) == 0;
            }
            enter(inside, isFree);
        });
    }

    /** Nobody ever leaves. */
    private static void enter(int[] inside, boolean isFree) {
        inside[0] += isFree ? 1 : 0;
        assertThat(inside[0]).as("programs that have the lock").isLessThan(2);
    }

    private static SendWorkRequest lock(RcPeer from, RcPeer to) {
        return SendWorkRequest.compareAndSwap(1, to.address(0), to.rkey(), 0, 1, from.sge(64, 8));
    }

    /** All three count, round by round; in one round the owner counts by itself. About twenty verbs in each round. */
    private static void oneOfMany(Simulation simulation, boolean isBroken) {
        RcPeer left = RcPeer.open(simulation.open("left"));
        RcPeer right = RcPeer.open(simulation.open("right"));
        RcPeer owner = RcPeer.open(simulation.open("owner"));
        Channel own = Channel.between(owner, owner);
        List<Channel> ways = List.of(Channel.between(left, owner), Channel.between(right, owner));
        for (Channel way : ways) {
            way.near().receiveNothing(ROUNDS);
            way.far().receiveNothing(ROUNDS);
            simulation.node(way.near().peer().device().name(), node -> {
                for (int i = 0; i < ROUNDS; i++) {
                    way.near().qp().postSend(add(way.near().peer(), owner, i));
                    way.near().awaitSent();
                    way.near().answer(i);
                    way.near().awaitReceived();
                }
            });
        }
        simulation.node("owner", node -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (isBroken && i == ROUNDS - 2) {
                    node.store(owner.memory(), 0, node.load(owner.memory(), 0) + 1);
                } else {
                    own.near().qp().postSend(add(owner, owner, i));
                    own.near().awaitSent();
                }
                ways.forEach(way -> way.far().awaitReceived());
                assertThat(node.load(owner.memory(), 0)).isEqualTo(3 * (i + 1));
                ways.forEach(way -> way.far().answer(0));
            }
        });
    }
}
