// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/** What a command says besides its result: a line each, for people, or for programs where it got {@code --json}. */
final class StandardError {

    private final PrintWriter err;
    private final boolean json;

    StandardError(CommandLine command, boolean json) {
        this.err = command.getErr();
        this.json = json;
    }

    /** Something was wrong. */
    void error(String message) {
        print("error", message);
    }

    /** The result may not be what it seems. */
    void warning(String message) {
        print("warning", message);
    }

    /** What is being done. */
    void progress(String message) {
        print("progress", message);
    }

    private void print(String kind, String message) {
        String text = message.replaceAll("\\s*\\R\\s*", " ");
        err.println(json ? toJson(kind, text) : "verbatim: " + text);
        err.flush();
    }

    private static String toJson(String kind, String text) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", kind);
        line.put("text", text);
        return JsonText.of(line);
    }
}
