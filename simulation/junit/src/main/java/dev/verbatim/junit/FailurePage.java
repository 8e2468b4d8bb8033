// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws the run of a test that failed, in a file beside what the build makes. */
final class FailurePage {

    /** Names the directory of the pages; if it is empty, nothing is drawn. */
    static final String DIRECTORY = "verbatim.pages";

    private static final String PAGES = "verbatim-pages";

    private FailurePage() {}

    /** The file that was written; null if there is no place for it. */
    static @Nullable Path write(TestBody body, Throwable failure, Supplier<RunRecorder> recorded) {
        Path directory = directory();
        if (directory == null) {
            return null;
        }
        RunRecorder run = recorded.get();
        String test = body.method().getDeclaringClass().getSimpleName() + "."
                + body.method().getName();
        Path file = directory.resolve(test + ".html");
        run.caption("The test fails", body.place(failure) + ": " + failure);
        try {
            Files.createDirectories(directory);
            new TracePage(test).about(String.valueOf(failure)).add(run).write(file);
            return file;
        } catch (IOException e) {
            // The failure is what matters, and it is told without the page.
            return null;
        }
    }

    private static @Nullable Path directory() {
        String named = System.getProperty(DIRECTORY);
        if (named != null) {
            return named.isEmpty() ? null : Path.of(named);
        }
        for (String build : new String[] {"target", "build"}) {
            if (Files.isDirectory(Path.of(build))) {
                return Path.of(build, PAGES);
            }
        }
        return null;
    }
}
