// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.page.TraceMerge;
import dev.verbatim.cli.page.TraceReader;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.page.RunRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The trace that the second JVM of the demo writes, and the run that it makes with that of the first. */
final class DemoRecord {

    private DemoRecord() {}

    static Path create() {
        try {
            return Files.createTempFile("verbatim-right", ".jsonl");
        } catch (IOException e) {
            throw new CommandFailure("cannot create a file for the trace of the second JVM: " + FileReason.of(e)
                    + "; use --fabric in-process");
        }
    }

    /** The events of both processes as one run. */
    static RunRecorder join(RunRecorder left, Path right) {
        RunRecorder whole = new RunRecorder();
        TraceMerge.of(List.of(TraceReader.lines(left.lines()), TraceReader.lines(right)))
                .forEach(line -> whole.line(line.text()));
        return whole;
    }

    static void delete(Path record) {
        try {
            Files.deleteIfExists(record);
        } catch (IOException e) {
            record.toFile().deleteOnExit();
        }
    }
}
