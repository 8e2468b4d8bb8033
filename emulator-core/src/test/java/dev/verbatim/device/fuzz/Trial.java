// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Script}. Whatever peer and program do:
 *
 * <ul>
 *   <li>Nothing is thrown but {@link VerbsException}, by verbs, with a sentence.
 *   <li>No byte changes but by a packet that may change it: in a region or window that gives the right to a peer of the queue pair,
 *       or in the elements of an open request for which the packet is.
 *   <li>No READ shows a byte that peers may not read, and no packet one that no region covers.
 *   <li>Each request completes at most once, in the order of its queue; once the queue pair has failed, exactly once.
 *   <li>A run of packets is as good as its packets one by one, for peer, program and memory.
 *   <li>What takes the fast path is as good as its packets.
 *   <li>What the device sends are packets, no longer than the path MTU, to its peer, and not without end.
 *   <li>Ordinary memory is never said to be unusable, and nothing is left behind when the device is closed.
 * </ul>
 */
final class Trial {

    private static final int MOST_PACKETS_OF_A_STEP = 2000;
    private static final int ALL = Integer.MAX_VALUE;
    private static final int LAZY_POLLS = 5;
    private static final int LAZY_PULLS = 6;

    private final Script script;
    private final Estate estate;
    private final Owner owner;
    private final Stranger stranger;
    private final Answerer answerer;

    private final List<Object> outcome = new ArrayList<>();

    private Trial(byte[] bytes, boolean inParts, boolean fastPath) {
        script = new Script(bytes);
        estate = new Estate(script, inParts, fastPath);
        owner = new Owner(estate, script);
        Wire wire = new Wire(estate);
        stranger = new Stranger(estate, script, wire);
        answerer = new Answerer(script, wire);
    }

    /** Runs a script; how many requests and answers took the fast path where they could. */
    static int run(byte[] bytes) {
        Trial trial = new Trial(bytes, false, false);
        trial.run();
        if (trial.estate.runs > 0) {
            Trial other = new Trial(bytes, true, false);
            other.run();
            trial.assertIsAs(other, "with runs, and packet by packet", !trial.estate.answersLanded);
        }
        Trial other = new Trial(bytes, false, true);
        other.run();
        trial.assertIsAs(other, "by packets, and on the fast path", true);
        assertThat(trial.estate.device.counters())
                .as("counters by packets, and on the fast path")
                .isEqualTo(other.estate.device.counters());
        return other.estate.fabric.plains();
    }

    private void assertIsAs(Trial other, String both, boolean inMemoryToo) {
        assertThat(outcome).as(both).isEqualTo(other.outcome);
        if (inMemoryToo) {
            estate.ground.assertIsAs(other.estate.ground, both);
        }
    }

    private void run() {
        while (script.next()) {
            step();
        }
        end();
    }

    private void step() {
        int what = script.value();
        Side side = estate.sides[what < 192 ? 0 : 1];
        switch (what % 16) {
            case 0, 1, 2 -> stranger.request(side);
            case 3, 4 -> stranger.message(side);
            case 5, 6 -> answerer.respond(side);
            case 7 -> answerer.respondToAll(side);
            case 8 -> owner.postReceive(side);
            case 9, 10 -> owner.postSend(side);
            case 11 -> owner.bind(side);
            case 12 -> owner.toggleRegion();
            case 13 -> passTime();
            case 14 -> changeSide(side);
            default -> {
                pull(script.pick(1, 2, 3, 8, ALL));
                poll();
            }
        }
        if (!script.setting(LAZY_PULLS)) {
            pull(ALL);
        }
        if (!script.setting(LAZY_POLLS)) {
            poll();
        }
        estate.ground.assertOnlyTheseChanged("a verb or the device's own sending", index -> false);
    }

    private void changeSide(Side side) {
        switch (script.pick(4)) {
            case 0 -> owner.toggleWindow();
            case 1 -> owner.renew(side);
            default -> owner.modify(side);
        }
    }

    private void passTime() {
        long now = estate.fabric.lane().nowNanos();
        long next = estate.fabric.lane().nextDeadlineNanos();
        int how = script.value();
        if (how < 4) {
            estate.fabric.reliable((how & 1) != 0);
            estate.fabric.keeping((how & 2) != 0);
        } else if (how >= 128) {
            estate.fabric.lane().advanceTo(now + how * 1_000L);
        } else if (next != Long.MAX_VALUE) {
            estate.fabric.lane().advanceTo(next);
        }
    }

    private void pull(int most) {
        int pulled = 0;
        PacketRecord packet = null;
        while (pulled < most && (packet = estate.fabric.take(Estate.PEER)) != null) {
            pulled++;
            assertThat(pulled).as("packets without a reason").isLessThan(MOST_PACKETS_OF_A_STEP);
            taken(packet);
        }
    }

    private void taken(PacketRecord packet) {
        outcome.add(packet);
        assertThat(PacketRecord.parse(packet.emit())).isEqualTo(packet);
        assertThat(packet.payload().lengthBytes()).as("%s", packet).isLessThanOrEqualTo(Estate.MTU);
        Side side = estate.sides[packet.bth().destQp() == Estate.PEER_QP ? 0 : 1];
        assertThat(packet.bth().destQp()).as("%s", packet).isEqualTo(side.peerNumber);
        byte[] payload = packet.payload().toBytes();
        String what = packet.toString();
        Ground.assertShowsNot(what, payload, Ground.FORBIDDEN);
        if (packet.opcode().isRequest()) {
            side.remember(packet);
            return;
        }
        Ground.assertShowsNot(what, payload, Ground.PRIVATE);
        if (packet.opcode() == Opcode.ACKNOWLEDGE) {
            int syndrome = packet.toPacket().syndrome();
            if (Syndrome.isRnr(syndrome) || syndrome == Syndrome.NAK_PSN_SEQUENCE) {
                side.psn = packet.psn();
                side.leftBytes = 0;
            }
        }
    }

    private void poll() {
        try {
            for (WorkCompletion completion : estate.cq.poll(ALL)) {
                completed(completion);
            }
        } catch (VerbsException broken) {
            assertThat(script.setting(4))
                    .as("overrun, though there was room: %s", broken)
                    .isTrue();
        }
        for (AsyncEvent event = estate.device.pollAsyncEvent(); event != null; event = poll(event)) {
            continue;
        }
    }

    private @Nullable AsyncEvent poll(AsyncEvent event) {
        outcome.add(event.type());
        judge(event.refusal());
        event.acknowledge();
        return estate.device.pollAsyncEvent();
    }

    private void completed(WorkCompletion completion) {
        Ledger.Entry entry = estate.ledger.completed(completion);
        outcome.add(List.of(
                completion.id(),
                completion.status(),
                completion.opcode(),
                completion.byteLength(),
                completion.immediate(),
                completion.flags()));
        judge(completion.refusal());
        assertThat(completion.isSuccess()).isEqualTo(completion.refusal() == null);
        for (Side side : estate.sides) {
            if (side.qp.number() == entry.qpNumber()) {
                estate.windowsAfter(side, entry, completion);
            }
        }
    }

    /** All memory here is as it should be: if the device could not use it, it is the device that is wrong. */
    private static void judge(@Nullable Refusal refusal) {
        if (refusal != null) {
            assertThat(refusal.toString()).isNotBlank().doesNotContain("cannot be used: ");
        }
    }

    private void end() {
        for (Side side : estate.sides) {
            estate.fail(side);
        }
        pull(ALL);
        poll();
        for (Side side : estate.sides) {
            estate.ledger.assertFlushed(side.qp.number());
        }
        estate.ground.assertOnlyTheseChanged("the end", index -> false);
        estate.close();
        assertThat(List.of(estate.fabric.lane().nextDeadlineNanos()))
                .as("timers of a closed device")
                .containsExactly(Long.MAX_VALUE);
    }
}
