// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import dev.verbatim.cli.Main;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What one part of a job came to, on its way from an executor to the driver.
 *
 * @param number from 1
 * @param exitCode 0 if nothing was found, 1 if something was, 2 if the command line is wrong
 * @param out the lines for {@code merge}
 * @param err messages
 * @param nanos how long it took
 */
record Part(int number, int exitCode, String out, String err, long nanos) implements Serializable {

    /** Runs a part within this JVM. */
    static Part run(List<String> command, int number, int count) {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("--json", "--shard", number + "/" + count));
        if (command.stream().noneMatch(word -> word.startsWith("--threads"))) {
            words.add("--threads=1"); // a task has one core of its executor
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        long began = System.nanoTime();
        int exitCode = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
        return new Part(number, exitCode, out.toString(), err.toString(), System.nanoTime() - began);
    }
}
