// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class InterleavingTest {

    @Example
    void requestAndResponseAreToldInTurn() {
        List<NarratedEvent> left = List.of(
                did("left", Kind.POSTED),
                packet("left", Kind.SENT, "request"),
                packet("left", Kind.RECEIVED, "response"),
                did("left", Kind.COMPLETED));
        List<NarratedEvent> right = List.of(
                did("right", Kind.POSTED),
                packet("right", Kind.RECEIVED, "request"),
                did("right", Kind.MEMORY),
                packet("right", Kind.SENT, "response"));
        assertThat(Interleaving.of(left, right))
                .extracting(narrated -> narrated.side() + " " + narrated.kind().verb())
                .containsExactly(
                        "right posts",
                        "left posts",
                        "left sends",
                        "right receives",
                        "right memory",
                        "right sends",
                        "left receives",
                        "left completes");
    }

    @Example
    void sideThatHearsFirstHasPreparedBefore() {
        List<NarratedEvent> left = List.of(did("left", Kind.POSTED), packet("left", Kind.RECEIVED, "request"));
        List<NarratedEvent> right = List.of(did("right", Kind.POSTED), packet("right", Kind.SENT, "request"));
        assertThat(Interleaving.of(left, right)).containsExactly(left.get(0), right.get(0), right.get(1), left.get(1));
    }

    @Example
    void packetThatIsSentTwiceIsReceivedTwiceAtMost() {
        List<NarratedEvent> left = List.of(packet("left", Kind.SENT, "same"), packet("left", Kind.SENT, "same"));
        List<NarratedEvent> right =
                List.of(packet("right", Kind.RECEIVED, "same"), packet("right", Kind.RECEIVED, "same"));
        assertThat(Interleaving.of(left, right))
                .extracting(NarratedEvent::side)
                .containsExactly("left", "left", "right", "right");
    }

    @Example
    void packetThatNobodySentIsToldAllTheSame() {
        List<NarratedEvent> left = List.of(packet("left", Kind.RECEIVED, "one"), did("left", Kind.COMPLETED));
        List<NarratedEvent> right = List.of(packet("right", Kind.RECEIVED, "other"));
        assertThat(Interleaving.of(left, right))
                .containsAll(left)
                .containsAll(right)
                .hasSize(3);
        assertThat(Interleaving.of(left, List.of())).isEqualTo(left);
        assertThat(Interleaving.of(List.of(), right)).isEqualTo(right);
    }

    /** A run of two sides as one list, in an order in which it may have happened. */
    @Provide
    Arbitrary<List<NarratedEvent>> runs() {
        return Arbitraries.integers().between(0, 5).list().ofMaxSize(60).map(InterleavingTest::run);
    }

    @Property(tries = 500)
    void eachSideKeepsItsOrderAndNothingIsReceivedBeforeItWasSent(@ForAll("runs") List<NarratedEvent> run) {
        List<NarratedEvent> left = of("left", run);
        List<NarratedEvent> right = of("right", run);
        List<NarratedEvent> merged = Interleaving.of(left, right);
        assertThat(of("left", merged)).isEqualTo(left);
        assertThat(of("right", merged)).isEqualTo(right);
        List<String> underWay = new ArrayList<>();
        for (NarratedEvent narrated : merged) {
            if (narrated.kind() == Kind.SENT) {
                underWay.add(narrated.side() + narrated.packet());
            } else if (narrated.kind() == Kind.RECEIVED) {
                assertThat(underWay.remove(other(narrated.side()) + narrated.packet()))
                        .isTrue();
            }
        }
    }

    private static List<NarratedEvent> run(List<Integer> moves) {
        List<NarratedEvent> run = new ArrayList<>();
        List<List<String>> underWay = List.of(new ArrayList<>(), new ArrayList<>());
        for (int move : moves) {
            int actor = move % 2;
            String side = actor == 0 ? "left" : "right";
            List<String> incoming = underWay.get(1 - actor);
            if (move < 2) {
                run.add(did(side, Kind.MEMORY));
            } else if (move < 4) {
                // Few names, so that packets repeat.
                String packet = "psn=" + run.size() % 3;
                underWay.get(actor).add(packet);
                run.add(packet(side, Kind.SENT, packet));
            } else if (!incoming.isEmpty()) {
                run.add(packet(side, Kind.RECEIVED, incoming.remove(0)));
            }
        }
        return run;
    }

    private static List<NarratedEvent> of(String side, List<NarratedEvent> narratedEvents) {
        return narratedEvents.stream()
                .filter(narrated -> narrated.side().equals(side))
                .toList();
    }

    private static String other(String side) {
        return side.equals("left") ? "right" : "left";
    }

    private static NarratedEvent did(String side, Kind kind) {
        return new NarratedEvent(1, side, 0, kind, "", null, null, Map.of());
    }

    private static NarratedEvent packet(String side, Kind kind, String packet) {
        return new NarratedEvent(1, side, 0, kind, packet, null, null, Map.of("packet", packet));
    }
}
