// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A thread that waits for long in real time is logged, once, with what it waits for and its line. */
class LongWaitTest {

    private static final Logger LOGGER = Logger.getLogger("dev.verbatim.fabric.LongWait");
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** All of them at once, as each takes the same two seconds. */
    @Test
    @LongTest
    @Rule({"WC-03", "RT-03", "RT-01", "NT-01"})
    void everyWaitOverTcpIsLoggedAfterTwoSeconds() {
        LOGGER.addHandler(handler);
        List<RcPair> pairs = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (Stuck stuck : Stuck.values()) {
                RcPair pair = FabricKind.TCP.openUnwatched(stuck.capabilities()).connect(stuck.connection());
                pairs.add(pair);
                stuck.prepare(pair);
                Thread thread = new Thread(() -> await(stuck, pair), "waits-" + stuck);
                threads.add(thread);
                thread.start();
            }
            Await.until("all are told", () -> logged.size() == Stuck.values().length);
        } finally {
            LOGGER.removeHandler(handler);
            pairs.forEach(RcPair::close);
            threads.forEach(Await::end);
        }
        for (Stuck stuck : Stuck.values()) {
            assertThat(logged)
                    .filteredOn(text -> text.contains("waits-" + stuck + " "))
                    .singleElement()
                    .satisfies(text -> {
                        assertThat(text).contains("LongWaitTest.java:");
                        if (stuck.kind != Standstill.Kind.COMPLETION) {
                            assertThat(text).contains(stuck.words);
                        }
                    });
        }
    }

    /** Completions that nobody polls are met by one who waits for an event of a queue that is not armed. */
    private static void await(Stuck stuck, RcPair pair) {
        try {
            switch (stuck.kind) {
                case COMPLETION -> pair.left.sendCq.channel().getEvent(HOUR);
                case RECEIVE -> {
                    pair.left.sendCq.poll(1);
                    pair.left.recvCq.awaitCompletion(HOUR);
                }
                default -> pair.left.sendCq.awaitCompletion(HOUR);
            }
        } catch (VerbsException closed) {
            // The test is over.
        }
    }
}
