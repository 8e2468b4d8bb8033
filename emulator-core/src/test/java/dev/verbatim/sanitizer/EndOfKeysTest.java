// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The end of a key is the end of all accesses by it (MW-92). So whoever knows that it has ended may use the bytes, though nothing tells it
 * what became of a single READ or WRITE of the peer.
 */
class EndOfKeysTest {

    private static final int SEEDS = 60;
    private static final int KEY = 0x41;
    private static final Duration LONG = Duration.ofSeconds(10);

    /** How the owner of the bytes ends the use of them by the peer. */
    private enum End {
        INVALIDATED_BY_OWNER,
        INVALIDATED_BY_PEER,
        DEREGISTERED,
        QUEUE_PAIR_DESTROYED
    }

    @Rule("MW-92")
    @ParameterizedTest
    @EnumSource(End.class)
    void bytesAreTheOwnersOnceItKnowsTheEnd(End end) {
        assertThat(found(end, true)).isEmpty();
    }

    @Rule("MW-92")
    @ParameterizedTest
    @EnumSource(End.class)
    void bytesAreNotTheOwnersBefore(End end) {
        assertThat(found(end, false)).containsExactly(Mistake.S4);
    }

    private static Set<Mistake> found(End end, boolean isRight) {
        Set<Mistake> all = EnumSet.noneOf(Mistake.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            Sanitizer sanitizer = Sanitizer.withSites();
            Schedule schedule = Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL);
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("peer"), simulation.open("owner"));
                pair.left().qp().postRecv(pair.left().receive(1, 0, 12));
                simulation.node("peer", node -> use(pair.left(), end, isRight));
                simulation.node("owner", node -> grantAndEnd(node, pair.right(), end, isRight));
                assertThat(simulation.run()).isTrue();
                sanitizer.errors().forEach(finding -> all.add(finding.mistake()));
            }
        }
        return all;
    }

    /** READs what it was granted, and does not tell the owner when it has. */
    private static void use(RcPeer peer, End end, boolean isRight) {
        peer.received().awaitCompletion(LONG);
        long address = peer.memory().buffer().getLong(0);
        int rkey = peer.memory().buffer().getInt(8);
        peer.qp().postSend(SendWorkRequest.read(1, address, rkey, peer.sge(16, 8)));
        if (end == End.INVALIDATED_BY_PEER) {
            peer.qp().postSend(isRight ? SendWorkRequest.sendWithInvalidate(2, rkey) : SendWorkRequest.send(2));
        }
        peer.sent().awaitCompletion(LONG).status();
    }

    private static void grantAndEnd(Node node, RcPeer owner, End end, boolean isRight) {
        boolean isWindow = end == End.INVALIDATED_BY_OWNER || end == End.INVALIDATED_BY_PEER;
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | (isWindow ? 0 : AccessFlags.REMOTE_READ);
        MemoryRegion region = owner.pd().register(Memory.allocate(8), access);
        int rkey = isWindow ? bind(owner, region) : region.rkey();
        owner.qp().postRecv(owner.receive(2, 0, 0));
        owner.memory().buffer().putLong(0, region.address()).putInt(8, rkey);
        owner.qp().postSend(owner.send(1, 0, 12));
        owner.sent().awaitCompletion(LONG).status();
        Memory memory = region.memory();
        switch (end) {
            case INVALIDATED_BY_OWNER -> {
                owner.qp().postSend(SendWorkRequest.localInvalidate(3, rkey));
                if (isRight) {
                    owner.sent().awaitCompletion(LONG).status();
                }
            }
            case INVALIDATED_BY_PEER -> owner.received().awaitCompletion(LONG).status();
            case DEREGISTERED -> {
                if (isRight) {
                    region.close();
                }
            }
            case QUEUE_PAIR_DESTROYED -> {
                if (isRight) {
                    owner.qp().close();
                }
            }
        }
        node.store(memory, 0, 7);
    }

    private static int bind(RcPeer owner, MemoryRegion region) {
        MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(
                4, window, KEY, new BindInfo(region, region.address(), 8, AccessFlags.REMOTE_READ));
        owner.qp().postSend(bind);
        owner.sent().awaitCompletion(LONG).status();
        return bind.boundKey();
    }

    private static final int VARIANTS = 256;

    /** A window has 256 keys: with the last of so many binds more the first key is valid again, of which its user has heard long ago. */
    @Rule({"MW-20", "MW-70"})
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keyThatComesAgainIsSaidToBeOneOfBefore(boolean isTold) {
        Sanitizer sanitizer = Sanitizer.withSites();
        Schedule schedule = Schedule.by(Choices.canonical(), OpenChoices.NONE);
        AtomicInteger binds = new AtomicInteger();
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
            simulation.inspect(sanitizer.inspector());
            RcPair pair = RcPair.connect(simulation.open("peer"), simulation.open("owner"));
            pair.left().qp().postRecv(pair.left().receive(1, 0, 12));
            pair.left().qp().postRecv(pair.left().receive(2, 64, 12));
            simulation.node("owner", node -> bindAllVariants(pair.right(), binds, isTold));
            simulation.node(
                    "peer", node -> useFirstKey(node, pair.left(), pair.right().address(0), binds, isTold));
            assertThat(simulation.run()).isTrue();
        }
        assertThat(sanitizer.findings())
                .filteredOn(finding -> finding.mistake() == Mistake.S19)
                .extracting(Finding::sentence)
                .allSatisfy(sentence -> assertThat(sentence)
                        .contains("; it knows the same key from BIND_MW wr_id=0 of qp")
                        .endsWith("the keys of a window come again after 256 binds, so forget a key that was revoked"))
                .hasSize(isTold ? 0 : 1);
    }

    private static void bindAllVariants(RcPeer owner, AtomicInteger binds, boolean isTold) {
        MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_1);
        BindInfo info = BindInfo.of(owner.region(), AccessFlags.REMOTE_READ);
        for (int bind = 0; bind <= VARIANTS; bind++) {
            owner.qp().bindWindow(window, WindowBind.signaled(bind, info));
            assertThat(owner.sent().awaitCompletion(LONG).isSuccess()).isTrue();
            if (bind == 0 || (bind == VARIANTS && isTold)) {
                owner.memory().buffer().putInt(64, window.rkey());
                owner.qp().postSend(owner.send(VARIANTS + 1, 64, 4));
                assertThat(owner.sent().awaitCompletion(LONG).isSuccess()).isTrue();
            }
            binds.set(bind);
        }
    }

    private static void useFirstKey(Node node, RcPeer peer, long address, AtomicInteger binds, boolean isTold) {
        assertThat(peer.received().awaitCompletion(LONG).isSuccess()).isTrue();
        int rkey = peer.memory().buffer().getInt(0);
        while (binds.get() < VARIANTS) {
            node.others();
        }
        if (isTold) {
            assertThat(peer.received().awaitCompletion(LONG).isSuccess()).isTrue();
        }
        peer.qp().postSend(SendWorkRequest.read(3, address, rkey, peer.sge(16, 8)));
        assertThat(peer.sent().awaitCompletion(LONG).isSuccess()).isTrue();
    }
}
