// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The studio as a browser talks to it, and as others try to. */
@Timeout(600)
class StudioTest {

    /** More orders than can be walked through in the time of a test. */
    private static final String ENDLESS = """
            title: many orders
            nodes:
              a:
                words: {p: 0, q: 0, r: 0, s: 0}
                program: [{read: {x: p}}, {read: {y: q}}, {write: {x: 1}}, {write: {y: 1}}, {read: {x: r}}, {read: {y: s}}]
              b:
                words: {x: 0, y: 0}
                program: [{load: {x: v}}, {store: {y: 7}}, {load: {x: w}}, {store: {x: 9}}]
            """;

    @AutoClose
    private final Studio studio = Studio.open(0, List.of(), 60);

    private final String host = "127.0.0.1:" + studio.port();
    private final String token = studio.address().replaceAll(".*token=", "");
    private final String cookie = "verbatim-studio-" + studio.port() + "=" + token;

    /** What came back: the line of the status, headers, and the body. */
    private record Answer(String head, String body) {

        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        Map<String, Object> json() throws IOException {
            return JSON.std.mapFrom(body);
        }
    }

    private Answer send(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", studio.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            return new Answer(text.substring(0, end), text.substring(end + 4));
        }
    }

    private Answer get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nCookie: " + cookie
                + "\r\nConnection: close\r\n\r\n");
    }

    private Answer post(String path, String body) throws IOException {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return send("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host + "\r\nCookie: "
                + cookie + "\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n" + body);
    }

    @Test
    void lessonsAreThoseOfTheDocument() throws IOException {
        String document = Files.readString(
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("docs/teaching.md"));
        assertThat(Lesson.all())
                .hasSize(7)
                .allSatisfy(lesson ->
                        assertThat(document).contains("title: Lesson " + lesson.title() + "\n", lesson.text()));
        assertThat(get("/api/start").json().get("lessons"))
                .isEqualTo(Lesson.all().stream().map(Lesson::json).toList());
    }

    @Test
    void lastRunIsThereForAPageThatIsOpenedAgain() throws IOException {
        assertThat(get("/api/start").json()).doesNotContainKey("last");
        String text = Lesson.all().get(0).text();
        Object id = post("/api/job?kind=run", text).json().get("id");
        Await.until("the run ends", () -> !state(id).equals("RUNNING"));
        assertThat(get("/api/start").json()).containsEntry("last", Map.of("id", id, "text", text));
    }

    private Object state(Object id) {
        try {
            return get("/api/job?id=" + id).json().get("state");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String shipped(String name) {
        return Objects.requireNonNull(ShippedScenarios.text(name));
    }

    private Map<String, Object> end(Answer begun) throws IOException {
        assertThat(begun.status()).as(begun.body).isEqualTo(200);
        Object id = begun.json().get("id");
        AtomicReference<Map<String, Object>> last = new AtomicReference<>(Map.of());
        Await.until("the job has ended", () -> {
            last.set(ask("/api/job?id=" + id));
            return !"RUNNING".equals(last.get().get("state"));
        });
        return last.get();
    }

    private Map<String, Object> ask(String path) {
        try {
            return get(path).json();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void tokenBecomesACookieAndLeavesTheAddress() throws IOException {
        Answer welcome = send("GET /?token=" + token + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        assertThat(welcome.status()).isEqualTo(303);
        assertThat(welcome.head)
                .containsIgnoringCase("Location: /\r\n")
                .contains(cookie + "; HttpOnly; SameSite=Strict; Path=/");
        Answer page = get("/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.head)
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'; script-src 'sha256-")
                .containsIgnoringCase("frame-ancestors 'none'")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Referrer-Policy: no-referrer");
        assertThat(page.body).doesNotContain(token).contains("<textarea");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/start", "/api/job?id=1", "/?token=", "/?token=00000000000000000000000000000000"})
    void withoutTheTokenNothingIsAnswered(String path) throws IOException {
        Answer refused = send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body).contains("open the address");
        Answer wrong = send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nCookie: verbatim-studio-"
                + studio.port() + "=wrong\r\nConnection: close\r\n\r\n");
        assertThat(wrong.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1", "evil.example:80\r\nHost: 127.0.0.1:1", "[::1]:1"})
    void otherHostsAreRefused(String other) throws IOException {
        Answer refused = send("GET /api/start HTTP/1.1\r\nHost: " + other + "\r\nCookie: " + cookie
                + "\r\nConnection: close\r\n\r\n");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body).contains("answers to 127.0.0.1 and localhost only");
    }

    @ParameterizedTest
    @CsvSource({"POST, http://evil.example", "GET, http://evil.example", "POST, null", "POST, ''", "DELETE, ''"})
    void otherOriginsAreRefused(String method, String origin) throws IOException {
        Answer refused = send(method + " /api/check HTTP/1.1\r\nHost: " + host + "\r\nCookie: " + cookie
                + (origin.isEmpty() ? "" : "\r\nOrigin: " + origin)
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body).contains("does not come from the page of the studio");
    }

    @Test
    void onlyOfferedFilesAreRead(@TempDir Path directory) throws IOException {
        assertThat(get("/api/scenario?name=LT-02").body).isEqualTo(shipped("LT-02"));
        for (String name : List.of("/etc/passwd", "..%2F..%2Fpom.xml", "LT-02.yaml", "")) {
            assertThat(get("/api/scenario?name=" + name).status()).as(name).isEqualTo(409);
        }
        assertThat(get("/studio.mjs").status()).isEqualTo(404);
        Path own = Files.writeString(directory.resolve("own.yaml"), "title: own");
        try (Studio other = Studio.open(0, List.of(own), 1)) {
            assertThat(other.port()).isNotEqualTo(studio.port());
            assertThatThrownBy(() -> Studio.open(other.port(), List.of(), 1))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("choose another --port");
        }
    }

    @Test
    void problemsHaveTheirLine() throws IOException {
        assertThat(post("/api/check", shipped("TR-6")).json()).isEqualTo(Map.of("problems", List.of()));
        Answer bad = post("/api/check", shipped("LT-02").replace("- write:", "- wrte:"));
        assertThat(bad.body).contains("\"line\":8", "wrte");
        assertThat(post("/api/check", "title: [").body).contains("\"line\":1");
    }

    @Test
    void tooLongTextIsRefused() throws IOException {
        assertThat(post("/api/check", "#".repeat((256 << 10) + 1)).json().get("error"))
                .asString()
                .contains("more than 262144 bytes");
    }

    @Test
    void tooLargeMemoryIsRefused() throws IOException {
        String regions = "title: large\nnodes:\n  a:\n    regions: {m: {size: 67108864}, n: {size: 67108864}}\n";
        assertThat(post("/api/job?kind=run", regions).body).contains("more than 67108864; make them smaller");
    }

    @ParameterizedTest
    @CsvSource({
        "run, TR-6, '', DONE, As expected: ",
        "litmus, LT-02, '', DONE, As expected: 2 outcomes",
        "litmus, LT-02, freedom=none, DONE, Not as expected: 1 outcome",
        "run, TR-6, profile=RXE_LIKE&seed=3, DONE, xpected: "
    })
    void jobsEndWithASentenceAndADrawing(String kind, String scenario, String words, String state, String sentence)
            throws IOException {
        assertSentenceAndDrawing(kind, scenario, words, state, sentence);
    }

    @LongTest
    @Test
    void exploringEndsWithASentenceAndADrawing() throws IOException {
        assertSentenceAndDrawing("explore", "LT-02", "seed=7", "DONE", "1000 runs with random choices");
    }

    @Test
    void runThatWaitsForEverSaysForWhat() throws IOException {
        Map<String, Object> ended = end(post(
                "/api/job?kind=run",
                "{title: t, nodes: {a: {words: {data: 5}, program: [send: data]}, b: {words: {got: 0}}}}"));
        assertThat(ended.toString())
                .contains("nothing happens any more", "the oldest SEND wr_id=", "post a receive to qp ")
                .doesNotContain("mostEvents");
    }

    private void assertSentenceAndDrawing(String kind, String scenario, String words, String state, String sentence)
            throws IOException {
        String query = "/api/job?kind=" + kind + (words.isEmpty() ? "" : "&" + words);
        Map<String, Object> ended = end(post(query, shipped(scenario)));
        assertThat(ended).containsEntry("state", state).containsEntry("page", true);
        assertThat(ended.get("sentence")).asString().contains(sentence);
        Answer drawn = get("/api/page?id=" + ended.get("id"));
        assertThat(drawn.status()).isEqualTo(200);
        assertThat(drawn.head).containsIgnoringCase("Content-Security-Policy: sandbox allow-scripts");
        assertThat(drawn.body).contains("\"kind\":\"posted\"").endsWith("</html>\n");
    }

    @Test
    void oneJobRunsAtATimeAndIsStopped() throws IOException {
        Answer begun = post("/api/job?kind=litmus&freedom=legal", ENDLESS);
        assertThat(begun.status()).as(begun.body).isEqualTo(200);
        Object id = begun.json().get("id");
        Answer second = post("/api/job?kind=run", shipped("TR-6"));
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body).contains("something else still runs");
        assertThat(post("/api/stop?id=" + id, "").status()).isEqualTo(200);
        Await.until(
                "it has stopped",
                () -> "STOPPED".equals(ask("/api/job?id=" + id).get("state")));
        assertThat(end(post("/api/job?kind=run", shipped("TR-6")))).containsEntry("state", "DONE");
        assertThat(ask("/api/job?id=" + id).get("error")).asString().contains("there is no job " + id);
    }

    @Test
    void jobEndsWhenItsTimeIsOver(@TempDir Path directory) {
        AtomicLong nanos = new AtomicLong();
        for (String kind : List.of("run", "litmus", "explore")) {
            StudioJob job = new StudioJob(
                    1,
                    StudioRequest.of(Map.of("kind", kind, "freedom", "legal"), ENDLESS),
                    directory,
                    1_000_000,
                    () -> nanos.addAndGet(100_000));
            job.run();
            assertThat(job.state()).as(kind).isEqualTo(StudioJob.State.STOPPED);
        }
    }

    /** As when the browser's tab was closed. */
    @Test
    void jobEndsWhenNobodyAsksForItAnyMore(@TempDir Path directory) {
        AtomicLong nanos = new AtomicLong();
        StudioJob job = new StudioJob(
                1,
                StudioRequest.of(Map.of("kind", "litmus", "freedom", "legal"), ENDLESS),
                directory,
                TimeUnit.DAYS.toNanos(1),
                () -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(1)));
        job.run();
        assertThat(job.state()).isEqualTo(StudioJob.State.STOPPED);
        assertThat(nanos.get()).isLessThan(TimeUnit.MINUTES.toNanos(10));
    }

    @Test
    void wordsOfTheFormatAreOffered() throws IOException {
        assertThat(get("/api/start").json().get("words"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .contains("nodes", "program", "write", "read", "allowed", "canonical")
                .hasSizeGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource({
        "kind=what, what is not one of",
        "seed=x, seed=x is no number",
        "profile=none, profile=none is not one of"
    })
    void unknownWordsAreNamed(String query, String sentence) throws IOException {
        Answer refused = post("/api/job?" + query, shipped("TR-6"));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body).contains(sentence);
    }
}
