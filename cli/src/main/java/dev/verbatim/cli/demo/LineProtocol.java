// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.transport.netty.ConnectionData;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the two sides tell each other besides RDMA, line by line: left asks, right answers by a line with the same word.
 * First {@code ready}, with the number of left's queue pair; for each step {@code prepare} and
 * {@code conclude} if left performs it, or {@code perform}, and the last of them is answered with the outcome; {@code bye}
 * at last.
 */
final class LineProtocol {

    static final String READY = "ready";
    static final String PREPARE = "prepare";
    static final String PERFORM = "perform";
    static final String CONCLUDE = "conclude";
    static final String BYE = "bye";

    /** How long an answer may take: longer than right waits for its own completion. */
    static final long PATIENCE_NANOS = DemoEndpoint.PATIENCE.plusSeconds(5).toNanos();

    private static final String CONTENT = "content";
    private static final String AS_EXPECTED = "asexpected";
    private static final String OBSERVED = "observed";
    private static final String SEPARATOR = "\n";

    private LineProtocol() {}

    static ConnectionData word(String word, long number) {
        return ConnectionData.empty().with(word, number);
    }

    /** Asks and waits for the answer, which repeats the word and its number. */
    static ConnectionData ask(OutOfBand line, String word, ConnectionData question) {
        ConnectionData answer = line.exchange(question, PATIENCE_NANOS);
        if (answer.number(word) != question.number(word)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "[%s] was answered by [%s]; run the same version of verbatim at both ends",
                    question,
                    answer);
        }
        return answer;
    }

    /** The question how a step ended. */
    static ConnectionData conclude(DemoStep step, boolean leftIsContent) {
        return word(CONCLUDE, step.number()).with(CONTENT, leftIsContent ? 1 : 0);
    }

    static boolean isLeftContent(ConnectionData conclude) {
        return conclude.number(CONTENT) == 1;
    }

    /** The answer to that question, or to the call to perform. */
    static ConnectionData ended(ConnectionData asked, StepOutcome outcome) {
        String observed = String.join(SEPARATOR, outcome.observed());
        return asked.with(AS_EXPECTED, outcome.asExpected() ? 1 : 0)
                .with(OBSERVED, URLEncoder.encode(observed, StandardCharsets.UTF_8));
    }

    static StepOutcome outcome(String side, ConnectionData ended) {
        String observed = URLDecoder.decode(ended.text(OBSERVED), StandardCharsets.UTF_8);
        return new StepOutcome(side, ended.number(AS_EXPECTED) == 1, List.of(observed.split(SEPARATOR)));
    }
}
