// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram;
import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a C program is told of its failures, with the lines of its source. */
class ExplainedProgramTest {

    private static final Map<String, String> EXPLAINED = Map.of("VERBATIM_EXPLAIN", "yes");

    /** Words of first causes in refused.c. */
    private static final Map<String, String> CAUSES = Map.ofEntries(
            Map.entry("no_right_to_write", "RDMA_WRITE needs REMOTE_WRITE but key 0xN has only LOCAL_WRITE"),
            Map.entry("key_swapped", "its bytes in the other order, is a key of region"),
            Map.entry("key_cut", "is the lower half of a key of region"),
            Map.entry("address_swapped", "its bytes in the other order, is there"),
            Map.entry("address_cut", "without its upper half"),
            Map.entry("address_with_a_sign", "without its upper half"),
            Map.entry("address_halves_swapped", "its halves in the other order, is there"),
            Map.entry("address_swapped_and_cut", "with its bytes in the other order; an address has 64 bits"),
            Map.entry("offset", "looks like an offset"),
            Map.entry("address_never_set", "has a GID of zeros; was it ever set?"),
            Map.entry("beyond_the_end", "covers [0xN,0xN) [MR-22]"),
            Map.entry("rereg_nothing", "flags=0xN: choose some of"),
            Map.entry("rereg_unknown", "flags=0xN: choose some of"),
            Map.entry("rereg_no_domain", "ibv_pd is NULL"),
            Map.entry("rereg_to_null", "CHANGE_TRANSLATION to addr=0xN length=4096, which is no memory"),
            Map.entry("rereg_no_bytes", "CHANGE_TRANSLATION to addr=0xN length=0, which is no memory"),
            Map.entry("rereg_nobodys_memory", "is not mapped"),
            Map.entry("rereg_rights", "REMOTE_WRITE without LOCAL_WRITE"),
            Map.entry(
                    "too_many",
                    "more requests than max_send_wr=7, in request 8 of the batch, RDMA_WRITE wr_id=15 begun at"),
            Map.entry(
                    "too_long_inline",
                    "100 inline bytes do not fit max_inline_data=32 of the queue pair, in request 2"),
            Map.entry("too_long_inline_list", "30+30 inline bytes do not fit max_inline_data=32"),
            Map.entry("too_many_elements", "num_sge=3 > max_send_sge=2"),
            Map.entry("no_window", "ibv_mw at 0xN is none of this device, or was destroyed before, in request 2"),
            Map.entry("region_with_a_hole", "length=12288 is not mapped"),
            Map.entry("region_half_for_reading", "length=8192 is for reading only, and is to have LOCAL_WRITE"),
            Map.entry("region_without_rights", "cannot be read: it has no rights"),
            Map.entry("region_without_bytes", "length=0 at addr=0xN, where a page begins"),
            Map.entry("handle_overwritten", "handle=12345 of the ibv_mr at 0xN was overwritten"));

    private static CProgram program;
    private static List<String> source;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("causes.c");
        source = Files.readAllLines(Path.of("src/test/c/causes.c"));
    }

    /** The line with a comment, as messages name it. */
    private static String line(String comment, String function) {
        for (int i = 0; i < source.size(); i++) {
            if (source.get(i).endsWith("// " + comment)) {
                return "src/test/c/causes.c:" + (i + 1) + " (" + function + ")";
            }
        }
        throw new AssertionError("no line of causes.c has the comment " + comment);
    }

    private static String errors(String what) throws IOException, InterruptedException {
        Outcome outcome = program.run(EXPLAINED, what);
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        return outcome.errors();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-O0", "-O1", "-O2"})
    void failedRequestNamesLinesOfItsPostAndOfThePoll(String optimization) throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("causes.c", optimization, "-fno-inline-functions-called-once")
                .run(EXPLAINED, "key");

        // The request before it has the same wr_id.
        assertThat(outcome.errors())
                .startsWith("verbatim: RDMA_WRITE wr_id=5 of qp ")
                .contains(" failed: REM_ACCESS_ERR (status 10, vendor_err 4004)\n    cause   key 0x")
                .contains(
                        " names no memory, and its index was never given out [KEY-04]\n    then    the responder answered psn=1 ")
                .contains("    posted  " + line("wrong key", "wrong_key"))
                .contains("    seen    src/test/c/causes.c:")
                .contains(", by ibv_poll_cq\n")
                .hasLineCount(5);
        assertThat(outcome.output()).isEqualTo("5 remote access error 4004\n");
    }

    /** But for addresses and numbers, and the directory of the source. */
    @Test
    void documentShowsWhatIsPrinted() throws IOException, InterruptedException {
        String printed = program.run(EXPLAINED, "key").errors();
        String document = Files.readString(Path.of("../../docs/c-programs.md"));
        String begin = "$ ./verbatim exec --explain -- ./causes key\n";
        int from = document.indexOf(begin) + begin.length();
        assertThat(general(document.substring(from, document.indexOf("```", from))))
                .isEqualTo(general(printed));
    }

    private static String general(String output) {
        return output.replace("src/test/c/", "")
                .replaceAll("0x[0-9a-f]+", "0xN")
                .replaceAll("qp \\d+", "qp N")
                .replaceAll("c:\\d+", "c:N");
    }

    @Test
    void inlinedFunctionNamesTheLineThatCallsIt() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("causes.c", "-O2").run(EXPLAINED, "key");

        assertThat(outcome.errors())
                .containsPattern("    seen    " + Pattern.quote(line("poll", "next"))
                        + ", called at src/test/c/causes\\.c:\\d+ \\(wrong_key\\), by ibv_poll_cq\n");
    }

    @Test
    void flushedRequestsNameTheFirstCauseAndAreToldOnce() throws IOException, InterruptedException {
        assertThat(errors("flushed"))
                .containsOnlyOnce("RDMA_WRITE wr_id=6 of qp ")
                .contains("    then    qp ")
                .contains("RDMA_WRITE wr_id=6 was flushed [QP-22]\n    posted  " + line("behind it", "wrong_key"))
                .contains("verbatim: 3 more at the same lines: RDMA_WRITE of qp ")
                .endsWith(" failed: WR_FLUSH_ERR (status 5, vendor_err 4004)\n");
    }

    @Test
    void missingReceiveIsTold() throws IOException, InterruptedException {
        assertThat(errors("receiver"))
                .contains("failed: RNR_RETRY_EXC_ERR (status 13, vendor_err 15003)\n    cause   no receive at qp ")
                .contains("rnr_retry=1 is used up [RT-03]\n");
    }

    @Test
    void receiveThatIsTooShortNamesItsPost() throws IOException, InterruptedException {
        assertThat(errors("short"))
                .contains("verbatim: RECV wr_id=40 of qp ")
                .contains(
                        "message of at least 64 bytes does not fit the receive wr_id=40 of 8 bytes [WC-20]\n    posted  "
                                + line("too short", "main"))
                .contains("verbatim: SEND wr_id=41 of qp ");
    }

    @Test
    void asynchronousErrorIsTold() throws IOException, InterruptedException {
        assertThat(errors("event"))
                .contains("verbatim: asynchronous event QP_ACCESS_ERR of qp ")
                .contains(" names no memory, and its index was never given out [KEY-04]\n    seen    "
                        + line("event", "main") + ", by ibv_get_async_event\n");
    }

    @Test
    void refusedVerbsNameTheirCalls() throws IOException, InterruptedException {
        assertThat(errors("verbs"))
                .contains("verbatim: ibv_reg_mr was refused: EINVAL\n"
                        + "    cause   access=REMOTE_WRITE has REMOTE_WRITE without LOCAL_WRITE; add LOCAL_WRITE [MR-03]\n"
                        + "    called  " + line("no local write", "main"))
                .contains("verbatim: ibv_destroy_cq was refused: EBUSY\n")
                .contains("[PD-04]\n    called  " + line("in use", "main"));
    }

    @Test
    void fullQueueIsToldOnceWhereItHappens() throws IOException, InterruptedException {
        assertThat(errors("full"))
                .containsOnlyOnce("verbatim: ibv_post_send was refused: ENOMEM\n")
                // Under way, or executed: on a busy machine the first request fails before the last is posted.
                .containsPattern("\\[WR-1[14]]\n    called  " + Pattern.quote(line("post", "post")));
    }

    @Test
    void failureThatTheProgramNeverPolledIsToldAtItsEnd() throws IOException, InterruptedException {
        assertThat(errors("unseen"))
                .contains("verbatim: RDMA_WRITE wr_id=9 of qp ")
                .contains("    posted  " + line("post", "post") + "\n    seen    by no call until the program ended\n");
    }

    @Test
    void datagramOfRequestPostedByExtendedFunctionsNamesTheirLine() throws IOException, InterruptedException {
        assertThat(errors("extended")).contains("    posted  " + line("wr_rdma_write", "main"));
    }

    @Test
    void nothingIsToldOfWhatSucceedsOrWithoutTheVariable() throws IOException, InterruptedException {
        assertThat(errors("nothing")).isEmpty();
        assertThat(program.run("key").errors()).isEmpty();
    }

    @Test
    void fileHasLinesOfJson() throws IOException, InterruptedException {
        Path file = directory.resolve("causes-%p.jsonl");
        Outcome outcome = program.run(Map.of("VERBATIM_EXPLAIN", file.toString()), "flushed");

        assertThat(outcome.errors()).isEmpty();
        try (var files = Files.list(directory)) {
            List<Path> written = files.toList();
            assertThat(written).hasSize(1);
            List<String> lines = Files.readAllLines(written.get(0));
            assertThat(lines).hasSize(5);
            assertThat(lines.get(0))
                    .startsWith("{\"kind\":\"completion\",\"text\":\"RDMA_WRITE wr_id=5 ")
                    .contains(
                            "\"status\":\"REM_ACCESS_ERR\",\"vendor_err\":4004,\"rule\":\"KEY-04\",\"number\":4004,\"causes\":[\"key ")
                    .contains("\"call\":\"ibv_poll_cq\",\"posted\":{\"address\":\"causes+0x")
                    .endsWith("}}");
        }
    }

    /** Of each case of refused.c, the first causes, without what differs between runs. */
    private static Map<String, List<String>> causes(CProgram refused, Map<String, String> variables)
            throws IOException, InterruptedException {
        Outcome outcome = refused.run(variables);
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        Map<String, List<String>> byCase = new LinkedHashMap<>();
        List<String> causes = new ArrayList<>();
        for (String line : outcome.errors().lines().toList()) {
            if (line.startsWith("case ")) {
                causes = new ArrayList<>();
                byCase.put(line.substring("case ".length()), causes);
            } else if (line.startsWith("    cause   ")) {
                causes.add(line.substring("    cause   ".length())
                        .replaceAll("0x[0-9a-f]+", "0xN")
                        .replaceAll("(qp |psn=|for |RNR NAKs |, )\\d+", "$1N")
                        .replaceAll("[0-9a-f:]*:ffff:[0-9a-f:]*", "GID"));
            }
        }
        return byCase;
    }

    @Test
    void sanitizerChangesNoCause() throws IOException, InterruptedException {
        CProgram refused = CProgram.compile("refused.c");
        Map<String, List<String>> explained = causes(refused, EXPLAINED);

        assertThat(explained.remove("end")).isEmpty();
        assertThat(explained)
                .hasSizeGreaterThanOrEqualTo(40)
                .allSatisfy((name, causes) ->
                        assertThat(causes).as(name).hasSize(1).containsExactly(causeOf(name, causes.get(0))));
        for (Map<String, String> variables : List.of(
                Map.of("VERBATIM_SANITIZE", "yes"), Map.of("VERBATIM_SANITIZE", "yes", "VERBATIM_EXPLAIN", "yes"))) {
            Map<String, List<String>> sanitized = causes(refused, variables);
            sanitized.remove("end");
            assertThat(sanitized).isEqualTo(explained);
        }
    }

    /** The cause if it says what it has to; that otherwise. */
    private static String causeOf(String name, String told) {
        String wanted = CAUSES.getOrDefault(name, "");
        return told.contains(wanted) ? told : wanted;
    }
}
