// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("smoke")
class DiagramTest {

    private static final int WIDTH_CHARS = 80;

    private final StringWriter drawn = new StringWriter();

    @Test
    void packetOfLeftPointsRightAndPacketOfRightPointsLeft() {
        draw(true, did("left", Kind.SENT, "REQUEST"), did("right", Kind.SENT, "RESPONSE"));
        assertThat(lines().get(1)).startsWith("    |--- REQUEST ---").endsWith("--->|");
        assertThat(lines().get(2)).startsWith("    |<---").endsWith("--- RESPONSE ---|");
    }

    @Test
    void labelThatIsLongerThanTheArrowGoesOnBelowIt() {
        draw(
                true,
                did("left", Kind.SENT, "SENTWORD ".repeat(14).trim()),
                did("right", Kind.SENT, "BACKWORD ".repeat(14).trim()));

        assertThat(lines().subList(1, 5))
                .allSatisfy(line -> assertThat(line)
                        .hasSize(WIDTH_CHARS - 4)
                        .startsWith("    |")
                        .endsWith("|"));
        assertThat(lines().get(1)).startsWith("    |- SENTWORD ").endsWith("-->|");
        assertThat(lines().get(2)).startsWith("    |  SENTWORD ");
        assertThat(lines().get(3)).startsWith("    |<--").endsWith(" -|");
        assertThat(lines().get(4)).endsWith(" BACKWORD  |");
    }

    @Test
    void withBothSidesAPacketIsDrawnOnceWhenItIsSent() {
        draw(true, did("left", Kind.SENT, "REQUEST"), did("right", Kind.RECEIVED, "REQUEST"));
        assertThat(lines()).hasSize(2);
    }

    @Test
    void withOneSidePacketsThatItReceivesPointToIt() {
        draw(false, did("right", Kind.RECEIVED, "REQUEST"), did("right", Kind.SENT, "RESPONSE"));
        assertThat(lines().get(1)).contains("--- REQUEST ---").endsWith(">|");
        assertThat(lines().get(2)).contains("|<---").contains("RESPONSE");
    }

    @Test
    void keysAndDecisionsAreNotDrawn() {
        draw(true, did("left", Kind.KEY, "valid"), did("left", Kind.DECIDED, "ORD-30"));
        assertThat(lines()).hasSize(1);
    }

    @Test
    void explanationThatFollowsFromOneBeforeIsNotRepeated() {
        draw(
                true,
                because("right", Kind.EVENT, "it was so"),
                because("right", Kind.STATE, "it was so"),
                because("left", Kind.COMPLETED, "it was otherwise"));
        assertThat(lines())
                .filteredOn(line -> line.contains("it was so [MR-22]"))
                .hasSize(1);
        assertThat(lines())
                .filteredOn(line -> line.contains("it was otherwise [MR-22]"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"left", "right"})
    void longExplanationIsBrokenBetweenWordsAndStaysBetweenTheLines(String side) {
        String sentence = "every word of this long sentence is to be found again "
                .repeat(6)
                .trim();
        draw(true, because(side, Kind.EVENT, sentence));
        assertThat(lines().subList(1, lines().size()))
                .hasSizeGreaterThan(4)
                .allSatisfy(line -> assertThat(line)
                        .hasSize(WIDTH_CHARS - 4)
                        .startsWith("    |")
                        .endsWith("|"));
        assertThat(String.join(" ", lines()).replaceAll("[|\\s]+", " ")).contains(sentence + " [MR-22]");
    }

    @Test
    void verdictThatIsNotAsExpectedSaysSoWithoutColours() {
        Diagram plain = new Diagram(new PrintWriter(drawn), false, WIDTH_CHARS, true);
        assertThat(plain.verdict("left: completed", true)).isEqualTo("left: completed");
        assertThat(plain.verdict("left: completed", false)).isEqualTo("NOT AS EXPECTED: left: completed");
    }

    private void draw(boolean bothSides, NarratedEvent... narratedEvents) {
        new Diagram(new PrintWriter(drawn, true), false, WIDTH_CHARS, bothSides).draw(List.of(narratedEvents));
    }

    private List<String> lines() {
        return drawn.toString().lines().toList();
    }

    private static NarratedEvent did(String side, Kind kind, String text) {
        return new NarratedEvent(1, side, 0, kind, text, null, null, Map.of());
    }

    private static NarratedEvent because(String side, Kind kind, String explanation) {
        return new NarratedEvent(1, side, 0, kind, "SOMETHING", "MR-22", explanation, Map.of());
    }
}
