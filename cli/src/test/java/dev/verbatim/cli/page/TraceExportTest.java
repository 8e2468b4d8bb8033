// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.testing.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Traces for other programs. */
class TraceExportTest {

    private static List<TraceLine> write() {
        RunRecorder run = new RunRecorder();
        try (Verbatim rdma = Verbatim.inProcess().tap(run)) {
            RcPair rc = RcPair.connect(rdma.open("a"), rdma.open("b"));
            rc.left().qp().postSend(rc.left().write(7, 0, 8, rc.right()));
            rc.left().sent().awaitCompletion(Await.LIMIT);
        }
        return TraceReader.lines(run.lines());
    }

    private static long count(List<TraceLine> lines, String kind) {
        return lines.stream().filter(line -> line.isOf(kind)).count();
    }

    @Test
    void shivizClocksCountTheirHostAndFollowPackets() throws IOException {
        List<TraceLine> lines = write();
        Matcher events = Pattern.compile(
                        ShivizLog.EXPRESSION.replace("{", "\\{").replace("}", "\\}"))
                .matcher(ShivizLog.of(lines));
        Map<String, Integer> last = new HashMap<>();
        List<Map<String, Object>> sent = new ArrayList<>();
        int received = 0;
        int all = 0;
        while (events.find()) {
            all++;
            String host = events.group("host");
            Map<String, Object> clock = JSON.std.mapFrom(events.group("clock"));
            assertThat(clock).containsEntry(host, last.merge(host, 1, Integer::sum));
            if (events.group("event").startsWith("sent")) {
                sent.add(clock);
            } else if (events.group("event").startsWith("received")) {
                Map<String, Object> cause = sent.get(received++);
                assertThat(cause)
                        .allSatisfy((name, time) ->
                                assertThat((Integer) clock.get(name)).isGreaterThanOrEqualTo((Integer) time));
            }
        }
        assertThat(all).isEqualTo(lines.size() - (int) count(lines, "decided"));
        assertThat(received).isEqualTo(2);
        assertThat(ShivizLog.of(lines)).containsPattern("\npolled 7 cq=\\d+ left=0\n");
    }

    /** Of before completions named their queue. */
    @Test
    void olderTraceHasNoCountersOfCompletionQueues() throws IOException {
        List<String> older = write().stream()
                .filter(line -> !line.isOf("polled"))
                .map(line -> line.text().replaceFirst("\"cq\":\\d+,", ""))
                .toList();
        assertThat(PerfettoTrace.of(TraceReader.lines(older)))
                .contains("\"posted\":0")
                .doesNotContain("\"completions\"");
        assertThat(ShivizLog.of(TraceReader.lines(older)))
                .contains("\ncompleted 7 ")
                .doesNotContain("polled");
    }

    @Test
    @SuppressWarnings("unchecked")
    void perfettoHasSpansArrowsAndCounters() throws IOException {
        List<TraceLine> lines = write();
        List<Map<String, Object>> events = (List<Map<String, Object>>)
                JSON.std.mapFrom(PerfettoTrace.of(lines)).get("traceEvents");
        Map<Object, Long> phases = new HashMap<>();
        events.forEach(event -> phases.merge(event.get("ph"), 1L, Long::sum));
        assertThat(phases)
                .containsEntry("M", 2L)
                .containsEntry("b", 1L)
                .containsEntry("e", 1L)
                .containsEntry("C", 4L)
                .containsEntry("X", count(lines, "sent") + count(lines, "received"))
                .containsEntry("s", count(lines, "sent"))
                .containsEntry("f", count(lines, "received"));
        assertThat(events)
                .filteredOn(event -> "C".equals(event.get("ph")))
                .extracting(event -> event.get("args"))
                .containsExactly(
                        Map.of("posted", 1), Map.of("posted", 0), Map.of("completions", 1), Map.of("completions", 0));
        for (String phase : List.of("s", "f")) {
            assertThat(events)
                    .filteredOn(event -> phase.equals(event.get("ph")))
                    .extracting(event -> event.get("id"))
                    .containsExactly(2, 3);
        }
    }
}
