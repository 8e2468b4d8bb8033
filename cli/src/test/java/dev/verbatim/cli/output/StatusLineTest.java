// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How far a command has come. */
class StatusLineTest {

    private static final String ERASE = "\r\033[K";

    private final StringWriter err = new StringWriter();
    private long nowNanos;

    private StatusLine line(boolean json, boolean terminal) {
        return new StatusLine(
                new Output(new PrintWriter(Writer.nullWriter()), new PrintWriter(err), json),
                terminal,
                60,
                () -> nowNanos);
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
