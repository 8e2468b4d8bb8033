// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.SendWithoutReceive;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the story of a failed run leaves out. */
class StoryTest {

    private static final int OF_WINDOW = 0x0800_0041;
    private static final int OF_REGION = 0x0000_0102;

    private final Story story = new Story();

    private static TraceEvent window(WindowChange change) {
        return new TraceEvent.WindowChanged(
                1, "left", 17, change, 3, MemoryWindowType.TYPE_2, 1, OF_WINDOW, 0, 0, 8, AccessFlags.REMOTE_READ);
    }

    private static TraceEvent key(int key) {
        return new TraceEvent.KeyChanged(1, "left", key, true, 0, 0, 8, true, "something");
    }

    @Test
    void keyOfAWindowIsToldWithItsWindowAndThatOfARegionAlone() {
        story.on(window(WindowChange.ALLOCATED));
        story.on(key(OF_REGION));
        assertThat(story).hasToString("");

        story.on(new TraceEvent.SendPosted(1, "left", 17, SendWorkRequest.send(1), true));
        story.on(key(OF_WINDOW));
        story.on(window(WindowChange.BOUND));
        story.on(key(OF_REGION));

        assertThat(story.toString().lines().skip(2).map(line -> line.substring(line.lastIndexOf("  ") + 2)))
                .containsExactly(
                        "3 bound: key 0x08000041 on [0x0,0x8) access=REMOTE_READ, TYPE_2",
                        "0x00000102 valid: something");
    }

    private static TraceEvent posted(long nanos, long id) {
        return new TraceEvent.SendPosted(nanos, "left", 17, SendWorkRequest.send(id), true);
    }

    private List<String> storyLines() {
        return story.toString().lines().skip(1).map(String::strip).collect(Collectors.toList());
    }

    @Test
    void whatIsRepeatedIsToldOnceWithItsNumber() {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
        for (int i = 0; i < 10_000; i++) {
            story.on(new TraceEvent.ProgramTouched(1000 * i, "left", false, 0x1000, word));
            story.on(new TraceEvent.Decided(1000 * i, "left", 17, "WR-16"));
            story.on(new TraceEvent.ProgramTouched(1000 * i + 500, "left", false, 0x1008, word));
        }
        story.on(posted(1_000_000_000, 3));

        assertThat(storyLines())
                .hasSize(4)
                .element(2)
                .isEqualTo("again   the 2 events before this line, 9,999 times more until 9999.500 us");
        assertThat(story.run().lines())
                .hasSize(5)
                .element(3)
                .asString()
                .contains("\"the 3 events before this line, 9,999 times more\"", "\"untilNanos\":9999500")
                .contains("\"timeNanos\":9999500");
    }

    @Test
    void whatChangesAStateIsToldEachTime() {
        for (int i = 0; i < 16; i++) {
            story.on(posted(i, 0));
        }
        for (int i = 0; i < 16; i++) {
            story.on(
                    new TraceEvent.Completed(100 + i, "left", 17, 1, 0, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, 0, null));
        }

        assertThat(storyLines()).hasSize(32).noneMatch(line -> line.startsWith("again"));
        assertThat(story.run().size()).isEqualTo(32);
    }

    @Test
    void whatComesTwiceOrDiffersIsToldEachTime() {
        SendWorkRequest same = SendWorkRequest.send(1);
        story.on(new TraceEvent.SendPosted(1, "left", 17, same, true));
        story.on(new TraceEvent.SendPosted(2, "left", 17, same, true));
        for (int id = 2; id < 100; id++) {
            story.on(posted(id, id));
        }

        assertThat(storyLines()).hasSize(100).noneMatch(line -> line.startsWith("again"));
    }

    @Test
    void pollIsDrawnAndNotTold() {
        story.on(posted(1, 1));
        story.on(new TraceEvent.Polled(2, "left", 17, 1, 1, 0));

        assertThat(storyLines()).hasSize(1);
        assertThat(story.run().size()).isEqualTo(2);
    }

    @Test
    void longStoryShowsItsLastLinesAndHowManyWereBefore() {
        for (int id = 0; id < 10_000; id++) {
            story.on(posted(1000 * id, id));
        }

        assertThat(story.toString()).startsWith("(9600 lines before)\n");
        assertThat(storyLines()).hasSize(400).element(0).asString().startsWith("9600.000");
    }

    @Test
    void receiverWithoutAReceiveTakesFewLines() {
        SendWithoutReceive.run(story);
        assertThat(storyLines())
                .hasSizeLessThan(30)
                .anyMatch(
                        line -> line.matches("again .* (\\d+) times more until .* us: .* x SEND_ONLY, \\d+ x RNR NAK"));
    }

    /** The lines of choices of runs in which two devices write to and read from each other. */
    private static List<String> choiceLines(int seeds) {
        List<String> choices = new ArrayList<>();
        for (long seed = 0; seed < seeds; seed++) {
            Story story = new Story();
            ChoiceRecord record = Choices.recorded(Choices.seeded(seed));
            Schedule schedule = story.telling(Schedule.by(record, OpenChoices.LEGAL), record);
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
                simulation.tap(story);
                simulation.node("one", node -> rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right())));
                simulation.node(
                        "other", node -> rc.right().qp().postSend(rc.right().read(1, 0, 16, rc.left())));
                simulation.run();
            }
            story.toString().lines().filter(line -> line.contains("choice  ")).forEach(choices::add);
        }
        return choices;
    }

    @Test
    void choicesNameProgramsAndDevicesAsTheOtherLinesDo() {
        List<String> choices = choiceLines(40);

        assertThat(choices)
                .allSatisfy(line -> assertThat(line)
                        .doesNotContain("fe80:")
                        .doesNotContainPattern("(left|right)/")
                        .matches(" *choice  \\d+:[a-z-]+=\\d+/\\d+.*\\[.*\\]"));
        assertThat(choices)
                .anyMatch(line -> line.matches(".*: packet \\d+ from left to right 0x11, before .*"))
                .anyMatch(line -> line.matches(".*: (left|right) 0x11 request, before .*"))
                .anyMatch(line -> line.contains("program one"));
    }
}
