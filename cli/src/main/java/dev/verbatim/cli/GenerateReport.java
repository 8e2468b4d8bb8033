// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.generate.GeneratedTest;
import dev.verbatim.conformance.scenario.generate.LitmusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Explores litmus tests, several at the same time, and writes them in their order. */
final class GenerateReport {

    private static final String ENDING = ".yaml";

    private final Output output;
    private final @Nullable Path directory;

    /**
     * Prepares to write.
     *
     * @param directory where files are to be; null to print them
     */
    GenerateReport(Output output, @Nullable Path directory) {
        this.output = output;
        this.directory = directory;
    }

    private record Generated(
            String file,
            String cycle,
            Map<String, String> condition,
            boolean permitted,
            List<String> rules,
            List<Map<String, String>> outcomes,
            long executions,
            @Nullable String text)
            implements Line {}

    /**
     * Writes all.
     *
     * @param jobs how many are explored at the same time
     * @param seconds how long each may take
     * @return whether each could be explored as a whole
     */
    boolean tell(List<LitmusTest> tests, int jobs, long seconds) {
        if (directory != null) {
            try {
                Files.createDirectories(directory);
            } catch (IOException e) {
                throw WriteFailures.cannotWrite(directory, e);
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<GeneratedTest>> explored = tests.stream()
                    .map(test -> threads.submit(
                            () -> GeneratedTest.of(test, System::nanoTime, TimeUnit.SECONDS.toNanos(seconds))))
                    .toList();
            boolean isGood = true;
            for (Future<GeneratedTest> each : explored) {
                isGood &= tell(each);
            }
            return isGood;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted");
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean tell(Future<GeneratedTest> explored) throws InterruptedException {
        try {
            tell(explored.get());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalStateException failed) {
                output.error(String.valueOf(failed.getMessage()));
                return false;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void tell(GeneratedTest test) {
        String name = test.test().name() + ENDING;
        if (directory != null) {
            Path file = directory.resolve(name);
            try {
                Files.writeString(file, test.yaml());
            } catch (IOException e) {
                throw WriteFailures.cannotWrite(file, e);
            }
        }
        List<Map<String, String>> outcomes =
                test.outcomes().stream().map(Outcome::values).toList();
        long executions = test.explored().executions();
        Line line = new Generated(
                name,
                test.test().cycle().toString(),
                test.test().condition(),
                test.isPermitted(),
                test.rules(),
                outcomes,
                executions,
                directory == null ? test.yaml() : null);
        String text = directory == null
                ? "# " + name + "\n" + test.yaml()
                : name + "  " + test.verdict() + ", " + outcomes.size() + " outcomes in " + executions + " executions";
        output.print(List.of(line), out -> out.println(text));
    }
}
