// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.generate.GeneratedTest;
import dev.verbatim.conformance.scenario.generate.LitmusTest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Explores litmus tests, several at the same time, and writes them in their order. */
final class GenerateReport {

    private static final String ENDING = ".yaml";

    private final PrintWriter out;
    private final StandardError errors;
    private final boolean json;
    private final @Nullable Path directory;

    /**
     * Prepares to write.
     *
     * @param directory where files are to be; null to print them
     */
    GenerateReport(CommandLine command, boolean json, @Nullable Path directory) {
        this.out = command.getOut();
        this.errors = new StandardError(command, json);
        this.json = json;
        this.directory = directory;
    }

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
                errors.error(String.valueOf(failed.getMessage()));
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
        if (json) {
            print(toJson(test, name));
        } else if (directory != null) {
            out.println(name + "  " + test.verdict() + ", " + test.outcomes().size() + " outcomes in "
                    + test.explored().executions() + " executions");
        } else {
            out.println("# " + name + "\n" + test.yaml());
        }
        out.flush();
    }

    private Map<String, Object> toJson(GeneratedTest test, String name) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "generated");
        line.put("file", name);
        line.put("cycle", test.test().cycle().toString());
        line.put("condition", test.test().condition());
        line.put("permitted", test.isPermitted());
        line.put("rules", test.rules());
        line.put("outcomes", test.outcomes().stream().map(Outcome::values).toList());
        line.put("executions", test.explored().executions());
        if (directory == null) {
            line.put("text", test.yaml());
        }
        return line;
    }

    private void print(Map<String, Object> line) {
        out.println(JsonText.of(line));
    }
}
