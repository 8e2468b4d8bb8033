// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.conformance.scenario.form.Problem;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A page on loopback for scenarios: an editor, what the parser says at its line, runs and explorations with progress, and the drawing.
 * See {@link StudioGate} for who is answered and {@link StudioJob} for what ends. One job runs at a time; no file is read but those
 * that were named, and none is written but drawings in a temporary directory.
 */
public final class Studio implements AutoCloseable {

    private static final int MOST_TEXT_BYTES = 256 << 10;
    private static final int THREADS = 4;
    private static final int MOST_WAITING = 64;
    private static final String JSON_TYPE = "application/json; charset=utf-8";
    private static final String HTML_TYPE = "text/html; charset=utf-8";
    private static final String TEXT_TYPE = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final StudioGate gate;
    private final StudioPage page = StudioPage.load();
    private final Map<String, Path> named;
    private final long mostNanos;
    private final Path directory;
    private final ExecutorService threads = new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(MOST_WAITING), Studio::daemon);
    private @Nullable StudioJob job;
    private int jobs;

    private Studio(HttpServer server, Map<String, Path> named, long mostNanos) throws IOException {
        this.server = server;
        this.gate = new StudioGate(server.getAddress().getPort());
        this.named = named;
        this.mostNanos = mostNanos;
        this.directory = Files.createTempDirectory("verbatim-studio");
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "verbatim-studio");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Begins to answer.
     *
     * @param port of 127.0.0.1; 0 for a free one
     * @param files scenarios that the page offers besides the shipped ones
     * @param mostSeconds for one run or exploration
     * @throws CommandFailure if the port is taken
     */
    public static Studio open(int port, List<Path> files, long mostSeconds) {
        // A request that does not come to its end is left; read once, by the first server of the process.
        System.setProperty("sun.net.httpserver.maxReqTime", "20");
        System.setProperty("sun.net.httpserver.maxRspTime", "60");
        Map<String, Path> named = new LinkedHashMap<>();
        files.forEach(file -> named.put(file.toString(), file));
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), MOST_WAITING);
            Studio studio = new Studio(server, named, TimeUnit.SECONDS.toNanos(mostSeconds));
            server.createContext("/", studio::answer);
            server.setExecutor(studio.threads);
            server.start();
            return studio;
        } catch (IOException e) {
            throw new CommandFailure(
                    "cannot listen on 127.0.0.1:" + port + ": " + e.getMessage() + "; choose another --port");
        }
    }

    /** The port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** What to open in the browser. It has the token, so it is not for others. */
    public String address() {
        return "http://127.0.0.1:" + port() + "/?token=" + gate.token();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                admit(exchange);
            } catch (CommandFailure e) {
                send(exchange, 409, JSON_TYPE, JSON.std.asString(Map.of("error", String.valueOf(e.getMessage()))));
            } catch (BadScenario e) {
                send(exchange, 200, JSON_TYPE, problems(e));
            } catch (RuntimeException e) {
                send(exchange, 500, TEXT_TYPE, "defect: " + e + "\n");
            }
        }
    }

    private void admit(HttpExchange exchange) throws IOException {
        String refusal = gate.refusal(exchange);
        if (refusal != null) {
            send(exchange, 403, TEXT_TYPE, refusal + "\n");
            return;
        }
        String path = exchange.getRequestURI().getPath();
        Map<String, String> words = words(exchange.getRequestURI().getRawQuery());
        if (path.equals("/") && words.containsKey("token")) {
            welcome(exchange, words.getOrDefault("token", ""));
        } else if (!gate.isKnown(exchange)) {
            send(exchange, 403, TEXT_TYPE, "open the address that verbatim studio has printed\n");
        } else {
            serve(exchange, exchange.getRequestMethod() + " " + path, words);
        }
    }

    /** Whoever has the token gets the cookie, and an address without the token. */
    private void welcome(HttpExchange exchange, String token) throws IOException {
        if (!gate.isToken(token)) {
            send(exchange, 403, TEXT_TYPE, "this token is of another studio; open the address that it has printed\n");
            return;
        }
        exchange.getResponseHeaders().set("Set-Cookie", gate.setCookie());
        exchange.getResponseHeaders().set("Location", "/");
        send(exchange, 303, TEXT_TYPE, "");
    }

    private void serve(HttpExchange exchange, String what, Map<String, String> words) throws IOException {
        switch (what) {
            case "GET /" -> {
                exchange.getResponseHeaders().set("Content-Security-Policy", page.policy());
                send(exchange, 200, HTML_TYPE, page.html());
            }
            case "GET /api/start" -> send(exchange, 200, JSON_TYPE, JSON.std.asString(start()));
            case "GET /api/scenario" -> send(exchange, 200, TEXT_TYPE, text(words.getOrDefault("name", "")));
            case "POST /api/check" -> {
                ScenarioReader.read("scenario.yaml", body(exchange));
                send(exchange, 200, JSON_TYPE, "{\"problems\":[]}");
            }
            case "POST /api/job" -> send(exchange, 200, JSON_TYPE, begin(StudioRequest.of(words, body(exchange))));
            case "GET /api/job" -> send(exchange, 200, JSON_TYPE, state(named(words)));
            case "POST /api/stop" -> {
                StudioJob running = named(words);
                running.stop();
                send(exchange, 200, JSON_TYPE, state(running));
            }
            case "GET /api/page" -> drawing(exchange, named(words));
            default -> send(exchange, 404, TEXT_TYPE, "there is nothing at " + what.replaceAll("[^ -~]", "?") + "\n");
        }
    }

    private synchronized Map<String, Object> start() {
        List<String> scenarios = new ArrayList<>(named.keySet());
        scenarios.addAll(ShippedScenarios.names());
        Map<String, Object> start = new LinkedHashMap<>();
        start.put("scenarios", scenarios);
        start.put("lessons", Lesson.all().stream().map(Lesson::json).toList());
        start.put("profiles", List.copyOf(ProfileSpec.PROFILES.keySet()));
        start.put("words", StudioWords.all());
        start.put("seconds", TimeUnit.NANOSECONDS.toSeconds(mostNanos));
        StudioJob last = job;
        if (last != null && last.page() != null && last.state() != StudioJob.State.RUNNING) {
            start.put("last", Map.of("id", last.number(), "text", last.text()));
        }
        return start;
    }

    /** Of a scenario that is offered, and of no other file. */
    private String text(String name) throws IOException {
        Path file = named.get(name);
        if (file != null) {
            if (Files.size(file) > MOST_TEXT_BYTES) {
                throw new CommandFailure(name + " has more than " + MOST_TEXT_BYTES + " bytes; choose a smaller file");
            }
            return Files.readString(file);
        }
        String shipped = ShippedScenarios.text(name);
        if (shipped == null) {
            throw new CommandFailure(
                    "there is no scenario " + name.replaceAll("[^ -~]", "?") + "; choose one of the list");
        }
        return shipped;
    }

    private static String body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_TEXT_BYTES + 1);
        if (bytes.length > MOST_TEXT_BYTES) {
            throw new CommandFailure("the scenario has more than " + MOST_TEXT_BYTES + " bytes; make it shorter");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private synchronized String begin(StudioRequest request) throws IOException {
        StudioJob before = job;
        if (before != null && before.state() == StudioJob.State.RUNNING) {
            throw new CommandFailure("something else still runs: " + before.sentence() + "; stop it, or wait");
        }
        if (before != null) {
            deleteDrawing(before);
        }
        StudioJob begun = new StudioJob(++jobs, request, directory, mostNanos, System::nanoTime);
        job = begun;
        daemon(begun).start();
        return state(begun);
    }

    private synchronized StudioJob named(Map<String, String> words) {
        StudioJob present = job;
        if (present == null || !String.valueOf(present.number()).equals(words.get("id"))) {
            throw new CommandFailure("there is no job "
                    + words.getOrDefault("id", "").replaceAll("[^0-9]", "?") + " any more; run it again");
        }
        present.asked();
        return present;
    }

    private static String state(StudioJob asked) throws IOException {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("id", asked.number());
        // The state first: a drawing is there before the job is done.
        state.put("state", asked.state().name());
        state.put("sentence", asked.sentence());
        state.put("page", asked.page() != null);
        return JSON.std.asString(state);
    }

    private static void drawing(HttpExchange exchange, StudioJob asked) throws IOException {
        Path file = asked.page();
        if (file == null) {
            throw new CommandFailure("nothing is drawn yet");
        }
        // The page has a policy of its own; whatever it is, it cannot ask the studio.
        headers(exchange, HTML_TYPE)
                .set("Content-Security-Policy", "sandbox allow-scripts allow-modals; frame-ancestors 'self'");
        exchange.sendResponseHeaders(200, Files.size(file));
        Files.copy(file, exchange.getResponseBody());
    }

    private static String problems(BadScenario bad) throws IOException {
        List<Map<String, Object>> problems = new ArrayList<>();
        for (Problem problem : bad.problems()) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("line", problem.mark().line());
            each.put("column", problem.mark().column());
            each.put("path", problem.path());
            each.put("message", problem.message());
            problems.add(each);
        }
        return JSON.std.asString(Map.of("problems", problems));
    }

    private static Map<String, String> words(@Nullable String query) {
        Map<String, String> words = new LinkedHashMap<>();
        if (query != null) {
            for (String each : query.split("&", -1)) {
                int equals = each.indexOf('=');
                if (equals > 0) {
                    words.put(each.substring(0, equals), decode(each.substring(equals + 1)));
                }
            }
        }
        return words;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("the address is not written as addresses are");
        }
    }

    private static com.sun.net.httpserver.Headers headers(HttpExchange exchange, String type) {
        com.sun.net.httpserver.Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        return headers;
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        headers(exchange, type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void deleteDrawing(StudioJob ended) {
        Path file = ended.page();
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops what runs, and answers no more; does nothing if that was done. */
    @Override
    public synchronized void close() {
        server.stop(0);
        threads.shutdownNow();
        StudioJob last = job;
        if (last != null) {
            last.stop();
            deleteDrawing(last);
        }
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // A job that is being stopped still writes its drawing; the system's temporary directory has it.
        }
    }
}
