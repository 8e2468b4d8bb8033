// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code page} and {@code --html} write. */
@Tag("smoke")
class PageCommandTest {

    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"trace\">(.*?)</script>", Pattern.DOTALL);

    @TempDir
    private Path directory;

    private Path file(String name) {
        return directory.resolve(name);
    }

    private static Map<String, Object> data(Path page) throws IOException {
        Matcher matcher = DATA.matcher(Files.readString(page));
        assertThat(matcher.find()).isTrue();
        return JSON.std.mapFrom(matcher.group(1));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> of, String name) {
        return (List<Map<String, Object>>) of.get(name);
    }

    private static List<Map<String, Object>> ofKind(String kind, List<Map<String, Object>> events) {
        return events.stream().filter(event -> kind.equals(event.get("kind"))).toList();
    }

    @Test
    void pageHasEveryEventOfTheTrace() throws IOException {
        Path trace = file("demo.jsonl");
        Invocation.of("demo", "--fabric", "in-process", "--trace", trace.toString())
                .succeeded();
        Invocation page = Invocation.of("page", trace.toString()).succeeded();
        assertThat(page.out()).isEqualTo(file("demo.html") + "\n");
        List<Map<String, Object>> traced = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            traced.add(JSON.std.mapFrom(line));
        }
        assertThat(JSON.std.mapFrom(Invocation.of("page", trace.toString(), "--json")
                        .succeeded()
                        .out()))
                .isEqualTo(Map.of("kind", "page", "file", file("demo.html").toString()));
        Map<String, Object> data = data(file("demo.html"));
        assertThat(data).containsEntry("title", "demo.jsonl");
        assertThat(list(list(data, "runs").get(0), "events")).isEqualTo(traced);
        assertThat(data.get("rules").toString()).contains("MW-84=");
    }

    @Test
    void whatComesAgainAndAgainIsDrawnOnce() throws IOException {
        Path trace = file("rnr.jsonl");
        String nak = "\"packet\":{\"opcode\":\"ACKNOWLEDGE\",\"psn\":1,\"aeth\":{\"meaning\":\"RNR NAK\"}}";
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            lines.append("{\"kind\":\"sent\",\"timeNanos\":" + i + ",\"device\":\"right\"," + nak + "}\n");
        }
        Files.writeString(trace, lines);
        Path page = file("rnr.html");
        Invocation.of("page", trace.toString(), "-o", page.toString()).succeeded();
        assertThat(list(list(data(page), "runs").get(0), "events"))
                .hasSize(2)
                .last()
                .extracting(event -> event.get("title"))
                .isEqualTo("the event before this line, 99 times more: 100 x RNR NAK");
    }

    @Test
    void severalTracesAreSeveralRunsUnlessTheyBelongTogether() throws IOException {
        Path left = file("left.jsonl");
        Path right = file("right.jsonl");
        String way =
                "\"source\":\"s\",\"destination\":\"d\",\"packet\":{\"opcode\":\"SEND_ONLY\",\"psn\":1,\"destQp\":17}";
        Files.writeString(left, "{\"kind\":\"sent\",\"timeNanos\":900,\"device\":\"left\"," + way + "}\n");
        Files.writeString(right, "{\"kind\":\"received\",\"timeNanos\":5,\"device\":\"right\"," + way + "}\n\n");
        Path page = file("p.html");
        Invocation.of("page", left.toString(), right.toString(), "-o", page.toString())
                .succeeded();
        assertThat(list(data(page), "runs"))
                .extracting(run -> run.get("title"))
                .containsExactly("left.jsonl", "right.jsonl");
        Invocation.of("page", right.toString(), left.toString(), "--together", "-o", page.toString())
                .succeeded();
        assertThat(list(data(page), "runs")).hasSize(1);
        assertThat(list(list(data(page), "runs").get(0), "events"))
                .extracting(event -> event.get("kind"))
                .containsExactly("sent", "received");
    }

    @Test
    void devicesOfOneNameInTwoTracesAreTwo() throws IOException {
        Path client = file("client.jsonl");
        Path server = file("server.jsonl");
        Path page = file("both.html");
        Files.writeString(client, "{\"kind\":\"sent\",\"timeNanos\":7,\"device\":\"verbatim0\",\"qp\":17}\n");
        Files.writeString(
                server,
                "{\"kind\":\"received\",\"timeNanos\":9,\"device\":\"verbatim0\",\"qp\":18}\n"
                        + "{\"kind\":\"sent\",\"timeNanos\":10,\"device\":\"own\",\"qp\":18}\n");
        Invocation.of("page", client.toString(), server.toString(), "--together", "-o", page.toString())
                .succeeded();
        assertThat(list(list(data(page), "runs").get(0), "events"))
                .extracting(event -> event.get("device"))
                .containsExactly("verbatim0 of client", "verbatim0 of server", "own");
    }

    @Test
    void exportsAreWrittenBesideThePage() throws IOException {
        Path trace = file("demo.jsonl");
        Invocation.of("demo", "--fabric", "in-process", "--trace", trace.toString())
                .succeeded();
        Path perfetto = file("demo.perfetto.json");
        Path shiviz = file("demo.log");
        Invocation.of("page", trace.toString(), "--perfetto", perfetto.toString(), "--shiviz", shiviz.toString())
                .succeeded();
        assertThat(JSON.std.mapFrom(Files.readString(perfetto))).containsKey("traceEvents");
        assertThat(Files.readString(shiviz)).contains("left {\"left\":1}\nkey ");
        Invocation.of("page", trace.toString(), trace.toString(), "--shiviz", shiviz.toString())
                .failed(2, "--perfetto and --shiviz take one run");
        Invocation.of("page", trace.toString(), "--shiviz", file("no/x.log").toString())
                .failed(1, "cannot write");
    }

    @Test
    void whatIsNoTraceIsRefusedWithItsLine() throws IOException {
        Path trace = file("t.jsonl");
        Files.writeString(trace, "{\"kind\":\"sent\"}\n[1]\n");
        Invocation.of("page", trace.toString()).failed(1, trace + ":2 is no event", "--trace");
        Files.writeString(trace, "{\"kindly\":\"sent\"}\n");
        Invocation.of("page", trace.toString()).failed(1, trace + ":1 is no event");
        Files.writeString(trace, "\n");
        Invocation.of("page", trace.toString()).failed(1, trace + " has no events");
        Invocation.of("page", file("none").toString()).failed(1, "cannot read", ": no such file or directory;");
    }

    @Test
    void pageThatCannotBeWrittenIsAFailure() {
        Invocation run =
                Invocation.of("run", "TR-6", "--html", file("no/such/p.html").toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cannot write to", "p.html");
    }

    @Test
    @LongTest
    void demoOverTcpDrawsBothDevicesWithTheirPacketsInOrder() throws IOException {
        Path page = file("demo.html");
        Invocation demo = Invocation.of("demo", "--html", page.toString());
        assertThat(demo.exitCode()).isZero();
        List<Map<String, Object>> events = list(list(data(page), "runs").get(0), "events");
        for (String device : List.of("left", "right")) {
            assertThat(ofKind("received", events))
                    .filteredOn(event -> device.equals(event.get("device")))
                    .hasSizeGreaterThan(10);
        }
        assertThat(ofKind("caption", events)).hasSize(14);
        int sent = 0;
        for (Map<String, Object> event : events) {
            sent += "sent".equals(event.get("kind")) ? 1 : "received".equals(event.get("kind")) ? -1 : 0;
            assertThat(sent).isNotNegative();
        }
    }

    @Test
    void runDrawsNamesAndChoices() throws IOException {
        Path page = file("run.html");
        Invocation.of("run", "LT-02", "--seed", "3", "--html", page.toString()).succeeded();
        Map<String, Object> run = list(data(page), "runs").get(0);
        assertThat(run.get("names").toString()).contains("=x", "=r");
        assertThat(ofKind("choice", list(run, "events")))
                .isNotEmpty()
                .allSatisfy(choice -> assertThat(choice).containsKeys("point", "text", "rules"));
        assertThat(ofKind("caption", list(run, "events")))
                .extracting(caption -> caption.get("title"))
                .containsExactly(
                        "Setup",
                        "LT-02 A WRITE behind a READ may overtake its fetch",
                        "The programs have ended",
                        "As expected");
    }

    @Test
    void litmusDrawsEachOutcomeAndNamesWhatIsForbidden() throws IOException {
        Path page = file("litmus.html");
        Invocation.of("litmus", "LT-02", "LT-01", "--html", page.toString()).succeeded();
        Map<String, Object> data = data(page);
        assertThat(list(data, "outcomes"))
                .extracting(outcome -> outcome.get("values") + " " + outcome.get("verdict") + " " + outcome.get("run")
                        + " " + outcome.get("rule"))
                .containsExactly(
                        "LT-02.yaml: r=0 allowed 0 null",
                        "LT-02.yaml: r=1 allowed 1 null",
                        "LT-01.yaml: r=1 allowed 2 null",
                        "LT-01.yaml: r=0 forbidden, does not occur null ORD-11");
        assertThat(list(data, "runs")).hasSize(3);
        assertThat(data.get("figures").toString()).contains("LT-01.yaml: 3 executions");
    }

    @Test
    void exploreDrawsTheProgramThatIsNamed() throws IOException {
        Path page = file("explore.html");
        Invocation.of("explore", "--program", "3", "--seed", "5", "--html", page.toString())
                .succeeded();
        List<Map<String, Object>> events = list(list(data(page), "runs").get(0), "events");
        assertThat(ofKind("posted", events)).hasSizeGreaterThan(10);
        assertThat(ofKind("choice", events)).isNotEmpty();
        assertThat(Invocation.of(
                                "explore",
                                "--programs",
                                "1",
                                "--html",
                                file("none.html").toString())
                        .err())
                .contains("no program failed, so --html writes nothing");
    }
}
