// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** How far a command has come. */
class StatusLineTest {

    private static final String ERASE = "\r\033[K";

    @Command
    static final class Nothing {}

    private final StringWriter err = new StringWriter();
    private final CommandLine command = new CommandLine(new Nothing()).setErr(new PrintWriter(err));
    private long nowNanos;

    private StatusLine line(boolean json, boolean terminal) {
        return new StatusLine(command, json, terminal, 60, () -> nowNanos);
    }

    private void pass(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void onATerminalOneLineIsWrittenAgainAndErasedAtTheEnd() {
        StatusLine status = line(false, true);
        pass(100);
        status.tell(() -> "one");
        pass(50);
        status.tell(() -> "too soon");
        pass(50);
        status.tell(() -> "two");
        status.erase();
        status.erase();

        assertThat(err).hasToString(ERASE + "verbatim: one" + ERASE + "verbatim: two" + ERASE);
    }

    @Test
    void onATerminalTheLineIsNeverBroken() {
        StatusLine status = line(false, true);
        status.tellNow("word ".repeat(40));

        assertThat(err.toString()).hasSize(ERASE.length() + 59);
    }

    @Test
    void elsewhereThereIsALineNowAndThenAndNothingIsWrittenAgain() {
        StatusLine status = line(false, false);
        pass(4_999);
        status.tell(() -> "too soon");
        pass(1);
        status.tell(() -> "five seconds");
        pass(4_999);
        status.tell(() -> "too soon");
        status.tellNow("looking");
        status.erase();

        assertThat(err.toString().lines()).containsExactly("verbatim: five seconds", "verbatim: looking");
        assertThat(err.toString()).doesNotContain("\r\033");
    }

    @Test
    void programsGetALineOfJsonOnATerminalToo() {
        StatusLine status = line(true, true);
        status.tellNow("say \"half\"");
        status.erase();

        assertThat(err.toString().lines()).containsExactly("{\"kind\":\"progress\",\"text\":\"say \\\"half\\\"\"}");
    }
}
