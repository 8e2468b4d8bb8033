// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram;
import dev.verbatim.ibverbs.CProgram.Outcome;
import dev.verbatim.testing.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A C program that waits for ever is told for what, once, and what would end it; and Ctrl-C leaves the page. */
class WaitingProgramTest {

    /** Of each line: the call with its function, and what is to be done. */
    private static final List<String[]> IN_CALLS = List.of(
            new String[] {
                "ibv_destroy_cq at ", "(destroy_cq)", "call ibv_ack_cq_events", "fetched at ", "(fetched_event)"
            },
            new String[] {"ibv_destroy_srq at ", "(destroy_srq)", "call ibv_ack_async_event", "(fetched_async)"},
            new String[] {"rdma_destroy_id at ", "(destroy_id)", "call rdma_ack_cm_event", "(resolved)"},
            new String[] {"rdma_migrate_id at ", "(migrate_id)", "call rdma_ack_cm_event", "(resolved)"},
            new String[] {"rdma_get_cm_event at ", "(unaccepted)", "CONNECT: the peer has neither accepted nor rejected"
            },
            new String[] {"an event of a connection waits", "no call of rdma_get_cm_event fetches it", "LISTEN"},
            new String[] {
                "ibv_get_cq_event at ", "(unarmed)", "none of the 1 completion queues", "call ibv_req_notify_cq"
            },
            new String[] {"ibv_start_poll at ", "(start_twice)", "call that first"},
            new String[] {"ibv_poll_cq at ", "(main)", "the oldest SEND wr_id=7", "RNR NAKs", "post a receive to qp "},
            new String[] {"ibv_poll_cq at ", "(main)", "timeout=0 waits for ever", "does not receive in RESET"},
            new String[] {"ibv_poll_cq at ", "(main)", "post what is waited for with IBV_SEND_SIGNALED"});

    private static CProgram waiting;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        waiting = CProgram.compile("waiting.c", "-lrdmacm");
    }

    @Test
    @Rule({"NT-06", "QP-06", "AE-20", "NT-01", "RT-03", "RT-01", "WC-03"})
    void eachWaitIsSaidOnceAndCtrlCLeavesThePage(@TempDir Path directory) throws IOException, InterruptedException {
        Path page = directory.resolve("run.html");

        Outcome outcome = waiting.interrupt(
                errors -> errors.lines().count() >= IN_CALLS.size(),
                Map.of("VERBATIM_HTML", page.toString()),
                "threads");

        for (String[] words : IN_CALLS) {
            assertThat(outcome.errors().lines())
                    .as(String.join(" ... ", words))
                    .filteredOn(line -> line.startsWith("verbatim: " + words[0])
                            && List.of(words).stream().allMatch(line::contains))
                    .hasSize(1);
        }
        assertThat(outcome.errors()).hasLineCount(IN_CALLS.size());
        assertThat(Files.readString(Path.of("../../docs/c-programs.md")).lines())
                .as("what docs/c-programs.md shows")
                .anyMatch(line -> outcome.errors()
                                .replace("at src/", "at bindings/ibverbs/src/")
                                .contains(line + "\n")
                        && line.startsWith("verbatim: ibv_destroy_cq at "));
        assertThat(outcome.status()).as("ended by SIGINT").isEqualTo(130);
        assertThat(page).isNotEmptyFile();
        assertThat(Files.readString(page)).contains("<html").contains("RNR NAK");
    }

    @Test
    @Rule("RT-03")
    void whereFailuresAreExplainedRequestsNobodyWaitsForAreToldWithTheirLine()
            throws IOException, InterruptedException {
        Outcome outcome = waiting.interrupt(
                errors -> errors.lines().filter(line -> line.contains("(post)")).count() >= 2,
                Map.of("VERBATIM_EXPLAIN", "yes"),
                "asleep");

        assertThat(outcome.errors())
                .contains("a request does not get on, and the program waits in no call for it")
                .containsPattern("cause   rnr_retry=7 asks for ever; post a receive to qp \\d+ of .* \\[RT-03]")
                .containsPattern("posted  .*waiting\\.c:\\d+ \\(post\\)");
        assertThat(outcome.status()).isEqualTo(130);
    }

    /** It begins first, and is ended when another that waits for the same was told. */
    @Test
    void quietProgramIsToldNothing() throws IOException, InterruptedException {
        AtomicBoolean isTold = new AtomicBoolean();
        Outcome outcome = CProgram.compile("waiting.c", "-lrdmacm")
                .interrupt(
                        errors -> isTold.get() || isTold.compareAndSet(false, tellsOfAnother()),
                        Map.of("VERBATIM_QUIET", "yes"),
                        "asleep");

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).isEqualTo(130);
    }

    private static boolean tellsOfAnother() {
        try {
            Outcome other = waiting.interrupt(errors -> errors.lines().count() >= 2, Map.of(), "asleep");
            return other.errors().contains("a request does not get on");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Of each line: the call with its function, and for what it waits. */
    private static final List<List<String>> IN_RSOCKETS = List.of(
            List.of("raccept at ", "(accepts)", "has waited for a connection; none was asked for at /127.0.0.1:"),
            List.of("rconnect at ", "(connecting)", "has neither accepted nor rejected it: is it in raccept?"),
            List.of("a call that reads an rsocket at ", "(reads)", "has waited for bytes; /127.0.0.1:"),
            List.of("a call that writes to an rsocket at ", "(writes)", "has not read what was written before"),
            List.of("rpoll or rselect at ", "(polls)", "has waited for events, and none of its descriptors has any"));

    @Test
    @Rule("CM-06")
    void eachWaitOfARsocketIsSaidOnce() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("rwaiting.c", "-lrdmacm")
                .interrupt(errors -> errors.lines().count() >= IN_RSOCKETS.size(), Map.of());

        for (List<String> words : IN_RSOCKETS) {
            assertThat(outcome.errors().lines())
                    .as(String.join(" ... ", words))
                    .filteredOn(line -> line.startsWith("verbatim: " + words.get(0))
                            && words.stream().allMatch(line::contains))
                    .hasSize(1);
        }
        assertThat(outcome.errors()).hasLineCount(IN_RSOCKETS.size());
    }
}
