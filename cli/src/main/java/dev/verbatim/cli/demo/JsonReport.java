// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints one JSON object per line; the field {@code kind} is the type of the line. */
public final class JsonReport implements DemoReport {

    private final PrintWriter out;

    /** Reports on {@code out}. */
    public JsonReport(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void listening(InetSocketAddress address, String arguments) {
        Map<String, Object> json = json("listening");
        json.put("host", address.getAddress().getHostAddress());
        json.put("port", address.getPort());
        print(json);
    }

    @Override
    public void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents) {
        step(0, DemoScript.CONNECTING);
        narratedEvents.forEach(narrated -> print(narrated.toJson()));
        sides.forEach(side -> print(side.toJson()));
    }

    @Override
    public void begun(DemoStep step) {
        step(step.number(), step.title());
    }

    private void step(int number, String title) {
        Map<String, Object> json = json("step");
        json.put("step", number);
        json.put("text", title);
        print(json);
    }

    @Override
    public void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes) {
        narratedEvents.forEach(narrated -> print(narrated.toJson()));
        outcomes.forEach(outcome -> print(outcome.toJson(step)));
    }

    @Override
    public void found(List<Finding> findings) {
        for (Finding finding : findings) {
            Map<String, Object> json = json(finding.isError() ? "failure" : "note");
            json.put("mistake", finding.mistake().name());
            json.put("text", finding.toString());
            print(json);
        }
    }

    @Override
    public void finished(DemoEnding ending) {
        Map<String, Object> json = json("result");
        json.put("asExpected", ending.isGood());
        print(json);
    }

    private static Map<String, Object> json(String kind) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind);
        return json;
    }

    private void print(Map<String, Object> json) {
        try {
            out.println(JSON.std.asString(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
