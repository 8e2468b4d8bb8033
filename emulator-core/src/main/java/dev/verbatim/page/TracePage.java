// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page that draws one or several runs: one HTML file that opens from disk in any current browser and loads nothing. Text of
 * traces is shown as text, never as HTML.
 *
 * <pre>{@code
 * RunRecorder run = new RunRecorder();
 * try (Verbatim rdma = Verbatim.inProcess().tap(run)) {
 *     // open devices, and let them talk
 * }
 * new TracePage("My run").add(run).write(Path.of("run.html"));
 * }</pre>
 */
public final class TracePage {

    private static final Pattern RULE = Pattern.compile("\"(?:rule\":\")?([A-Z]+[0-9]*(?:-P?[0-9]+)?)\"");

    private final String title;
    private final List<RunRecorder> runs = new ArrayList<>();
    private final List<Map<String, Object>> outcomes = new ArrayList<>();
    private String about = "";
    private String figures = "";
    private Function<String, String> rules =
            id -> Rule.find(id).map(Rule::statement).orElse("");

    /** Creates a page without runs. */
    public TracePage(String title) {
        this.title = title;
    }

    /** Sets the paragraph below the title. */
    public TracePage about(String text) {
        about = text;
        return this;
    }

    /** Sets the line above the table of outcomes. */
    public TracePage figures(String text) {
        figures = text;
        return this;
    }

    /** Sets where the statements of rules come from: by id, empty for one that is unknown. Without it, they are those of the device. */
    public TracePage rules(Function<String, String> statements) {
        rules = statements;
        return this;
    }

    /** Adds a run; the first is drawn when the page opens. */
    public TracePage add(RunRecorder run) {
        runs.add(run);
        return this;
    }

    /**
     * Adds an outcome of an exploration, with the run that was added last as an example of it.
     *
     * @param values what was found
     * @param verdict in a word or two, such as "allowed"
     * @param bad whether it is not as it should be
     * @param executions in how many executions it was found
     */
    public TracePage outcome(String values, String verdict, boolean bad, long executions) {
        Map<String, Object> outcome = entry(values, verdict, bad);
        outcome.put("executions", executions);
        outcome.put("run", runs.size() - 1);
        return this;
    }

    /**
     * Adds an outcome that was not found.
     *
     * @param rule the rule that forbids it; empty if none does
     */
    public TracePage absent(String values, String verdict, boolean bad, String rule) {
        entry(values, verdict, bad).put("rule", rule);
        return this;
    }

    private Map<String, Object> entry(String values, String verdict, boolean bad) {
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("values", values);
        outcome.put("verdict", verdict);
        outcome.put("bad", bad);
        outcomes.add(outcome);
        return outcome;
    }

    /** Whether no run was added. */
    public boolean isEmpty() {
        return runs.isEmpty();
    }

    /**
     * Writes the page to a file, which is replaced if it exists.
     *
     * @throws IOException if the file cannot be written
     * @throws IllegalStateException if the page has no run
     */
    public void write(Path file) throws IOException {
        if (runs.isEmpty()) {
            throw new IllegalStateException("runs=0: add a run before writing the page");
        }
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            PageTemplate.load().write(out, title, this::writeData);
        }
    }

    private void writeData(Writer out) throws IOException {
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("title", title);
        head.put("about", about);
        head.put("figures", figures);
        head.put("outcomes", outcomes);
        String json = PageJson.of(head);
        out.write(json.substring(0, json.length() - 1));
        out.write(",\"runs\":[");
        Map<String, String> named = new LinkedHashMap<>();
        findRules(json, named, rules);
        for (int i = 0; i < runs.size(); i++) {
            String run = runs.get(i).toJson();
            findRules(run, named, rules);
            out.write(i == 0 ? "\n" : ",\n");
            out.write(run);
        }
        out.write("],\"rules\":");
        out.write(PageJson.of(named));
        out.write("}");
    }

    /** The statements of all rules that the text names. */
    private static void findRules(String json, Map<String, String> named, Function<String, String> statements) {
        Matcher matcher = RULE.matcher(json);
        while (matcher.find()) {
            String id = matcher.group(1);
            if (!named.containsKey(id)) {
                named.put(id, statements.apply(id));
            }
        }
        named.values().removeIf(String::isEmpty);
    }
}
