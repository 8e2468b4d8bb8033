// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.page.TracePage;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command draws what its devices do, and into which file. */
final class PageFiles {

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = {
                "Draw what happened as a web page in FILE: one file, which opens in any browser without a network.",
                "See docs/page.md."
            })
    private @Nullable Path html;

    /** Whether a page is wanted. */
    boolean isWanted() {
        return html != null;
    }

    /** Writes the page if one is wanted. */
    void write(TracePage page) {
        if (html != null) {
            write(page, html);
        }
    }

    /** Writes a page with the statements of the rules that it names. */
    static void write(TracePage page, Path file) {
        if (page.isEmpty()) {
            throw new CommandFailure("nothing was run, so there is nothing to draw in " + file);
        }
        try {
            page.write(file);
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(file, e);
        }
    }
}
