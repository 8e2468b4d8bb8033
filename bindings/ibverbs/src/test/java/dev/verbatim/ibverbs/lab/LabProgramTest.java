// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram;
import dev.verbatim.ibverbs.CProgram.Outcome;
import dev.verbatim.live.ControlSocket;
import dev.verbatim.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C programs meet the faults that were wanted, and nothing else. */
class LabProgramTest {

    private static final Pattern PACKET = Pattern.compile(
            "\"kind\":\"(sent|fault)\".*?\"device\":\"(\\w+)\".*?\"opcode\":\"(\\w+)\".*?\"psn\":(\\d+)");

    private static CProgram program;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("lab.c");
    }

    private static String output(String what, String... faults) throws IOException, InterruptedException {
        Outcome outcome = program.run(Map.of("VERBATIM_FAULTS", String.join("\n", faults)), what);
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        return outcome.output();
    }

    @Test
    void callFailsAtItsNamedTimeByWhicheverFunctionOfTheHeaders() throws IOException, InterruptedException {
        // Two regions are registered before.
        assertThat(output("regions", "refuse call=ibv_reg_mr error=ENOMEM nth=4 times=2"))
                .isEqualTo("registered\nENOMEM\nENOMEM\nregistered\nregistered\n");
    }

    @Test
    void callsFailAfterSoMany() throws IOException, InterruptedException {
        assertThat(output("queues", "refuse call=ibv_create_qp error=EBUSY after=4"))
                .isEqualTo("created\ncreated\nEBUSY\nEBUSY\ndestroyed 0\nrefused\n");
    }

    @Test
    void limitCountsObjectsThatAreThere() throws IOException, InterruptedException {
        assertThat(output("queues", "limit objects=qp most=4 error=EBUSY"))
                .isEqualTo("created\ncreated\nEBUSY\nEBUSY\ndestroyed 0\ncreated\n");
    }

    @Test
    void completionHasTheStatusAndItsQueuePairIsInError() throws IOException, InterruptedException {
        assertThat(output("writes", "complete status=RETRY_EXC_ERR qp=1 nth=2"))
                .isEqualTo("1 success\n2 transport retry counter exceeded\n3 Work Request Flushed Error\n"
                        + "4 Work Request Flushed Error\nstate 6\n");
        assertThat(output(
                        "writes",
                        "complete status=RETRY_EXC_ERR qp=2 nth=2",
                        "complete status=LOC_LEN_ERR opcode=SEND"))
                .isEqualTo("1 success\n2 success\n3 success\n4 success\nstate 3\n");
    }

    @Test
    void faultIsTheCauseOfWhatItHasFlushed() throws IOException, InterruptedException {
        String fault = "complete status=RETRY_EXC_ERR qp=1 nth=2";
        String told = program.run(Map.of("VERBATIM_FAULTS", fault, "VERBATIM_EXPLAIN", "yes"), "writes")
                .errors();

        assertThat(told)
                .contains("wr_id=3")
                .contains("WR_FLUSH_ERR")
                .containsPattern("(?s)cause   the fault '" + fault + "' was wanted.*cause   the fault '" + fault)
                .doesNotContain("a program set");
    }

    @Test
    void postFailsAndNamesItsRequest() throws IOException, InterruptedException {
        assertThat(output("posts", "refuse call=ibv_post_send error=ENOMEM nth=2"))
                .isEqualTo("posted\nENOMEM, bad is the request\nposted\n1 success\n3 success\n");
    }

    @Test
    void eventsHappenAtACompletionAndAfterATime() throws IOException, InterruptedException {
        assertThat(output("event", "event type=PORT_ERR nth=1")).isEqualTo("1 success\nport error, port down\n");
        assertThat(output("event", "event type=GID_CHANGE after=100ms"))
                .isEqualTo("1 success\nGID table change, port active\n");
    }

    private static String ask(Process running, String command) {
        try {
            return ControlSocket.ask(running.pid(), command);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void eventsAreInjectedIntoARunningProgram() throws IOException, InterruptedException {
        Process running = program.begin(Map.of("VERBATIM_CONTROL", "yes"), "events");
        try (BufferedReader said = running.inputReader(StandardCharsets.UTF_8)) {
            // Only then the answer to the write does not meet the port that is down.
            assertThat(said.readLine()).isEqualTo("1 success");
            assertThat(ask(running, "stat")).matches("(?s).*sent_pkts [1-9].*");
            assertThat(ask(running, "inject event type=PORT_ERR")).isEqualTo("injected\n");
            assertThat(ask(running, "inject event type=PORT_EER"))
                    .isEqualTo("error event 'PORT_EER' is not known; did you mean PORT_ERR?\n");
            assertThat(ask(running, "inject drop nth=3")).startsWith("error fault 'drop nth=3' is of packets");
            assertThat(ask(running, "inject event type=PORT_ERR device=mlx5_0"))
                    .isEqualTo(
                            "error fault 'event type=PORT_ERR device=mlx5_0' names no open device; it is one of verbatim0\n");
            assertThat(ask(running, "inject event type=PORT_ACTIVE")).isEqualTo("injected\n");
            assertThat(said.readLine()).startsWith("port error, port ");
            assertThat(said.readLine()).isEqualTo("port active, port active");
            assertThat(said.readLine()).isNull();
            assertThat(running.waitFor()).isZero();
            assertThat(ControlSocket.isOpen(running.pid())).isFalse();
        } finally {
            running.destroyForcibly();
        }
    }

    /** What a program that writes until a completion fails says of it after a fault was injected. */
    private static String endOf(String fabric, String fault) throws IOException, InterruptedException {
        Process running = program.begin(Map.of("VERBATIM_CONTROL", "yes", "VERBATIM_FABRIC", fabric), "until");
        try {
            Await.until("the program's writes", () -> ask(running, "stat").matches("(?s).*sent_pkts [1-9].*"));
            assertThat(ask(running, "inject " + fault)).isEqualTo("injected\n");
            return new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            running.destroyForcibly();
        }
    }

    @Test
    void packetFaultsAreInjectedIntoARunningProgram() throws IOException, InterruptedException {
        assertThat(endOf("roce", "drop per_mille=1000")).isEqualTo("transport retry counter exceeded\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "roce"})
    void portThatIsDownPassesNoPackets(String fabric) throws IOException, InterruptedException {
        assertThat(endOf(fabric, "event type=PORT_ERR")).isEqualTo("transport retry counter exceeded\n");
    }

    @Test
    void receiverIsNotReadyForATime() throws IOException, InterruptedException {
        assertThat(output("waits", "rnr qp=2 lasts=200ms nth=1")).isEqualTo("1 success\n2 success\n");
        assertThat(output("sends", "rnr qp=2 lasts=3600s nth=1"))
                .isEqualTo("1 success\n2 RNR retry counter exceeded\n");
    }

    @Test
    void linkChangesAndBoundsThePathMtu() throws IOException, InterruptedException {
        assertThat(output("link", "link mtu=512 width=4 speed=HDR nth=1"))
                .isEqualTo("mtu 4096, width 1, speed 1\n1 success\nmtu 512, width 2, speed 64\nEINVAL\n");
        assertThat(output("link", "link speed=EDR after=0s"))
                .isEqualTo("mtu 4096, width 1, speed 32\n1 success\nmtu 4096, width 1, speed 32\nready\n");
    }

    @Test
    void packetsThatAreLongerThanTheMtuAreLost() throws IOException, InterruptedException {
        Outcome outcome =
                program.run(Map.of("VERBATIM_FAULTS", "link mtu=256 nth=1", "VERBATIM_FABRIC", "roce"), "long");
        assertThat(outcome.output()).isEqualTo("1 success\n2 success\n3 transport retry counter exceeded\n");
    }

    @Test
    void queuesTakeFewerRequestsThanPromised() throws IOException, InterruptedException {
        assertThat(output("promise", "limit objects=send_wr most=15", "limit objects=recv_wr most=7"))
                .isEqualTo("15 sends of 16\n7 receives of 16\n");
    }

    @Test
    void lastRequestOfASharedQueueIsReachedAtAStep() throws IOException, InterruptedException {
        assertThat(output("shared", "event type=QP_LAST_WQE_REACHED qp=2 nth=1"))
                .isEqualTo("1 success\nlast WQE reached, of the second\n");
        Outcome outcome = program.run(Map.of("VERBATIM_FAULTS", "event type=QP_LAST_WQE_REACHED qp=1 nth=1"), "writes");
        assertThat(outcome.errors()).contains("has no shared receive queue, so nothing raises the event");
    }

    /** Each packet of a run and how often it was sent by then, with what became of it. */
    private Map<String, String> fatesBySeed(int seed) throws IOException, InterruptedException {
        Path trace = directory.resolve("trace-" + seed + "-" + System.nanoTime() + ".jsonl");
        Outcome outcome = program.run(
                Map.of(
                        "VERBATIM_FAULTS",
                        "drop per_mille=30\nduplicate per_mille=100\nseed seed=" + seed,
                        "VERBATIM_FABRIC",
                        "roce",
                        "VERBATIM_DEVICES",
                        "2",
                        "VERBATIM_TRACE",
                        trace.toString()),
                "many");
        assertThat(outcome.output()).as(outcome.errors()).isEqualTo("30 good\n");
        Map<String, Integer> times = new HashMap<>();
        Map<String, String> fates = new LinkedHashMap<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher matcher = PACKET.matcher(line);
            if (matcher.find()) {
                // Of the faults, those of the sender: only its own events have the order in which it sent.
                String packet = matcher.group(3) + " " + matcher.group(4) + " of " + matcher.group(2);
                if (matcher.group(1).equals("sent")) {
                    fates.put(packet + " time " + times.merge(packet, 1, Integer::sum), "");
                } else if (times.containsKey(packet)) {
                    fates.put(
                            packet + " time " + times.get(packet), line.replaceAll(".*\"fault\":\"([^\"]*)\".*", "$1"));
                }
            }
        }
        return fates;
    }

    @Test
    void sameSeedHasTheSameFaultsAtTheSamePackets() throws IOException, InterruptedException {
        Map<String, String> first = fatesBySeed(7);
        Map<String, String> again = fatesBySeed(7);
        Map<String, String> other = fatesBySeed(8);

        assertThat(first.values()).filteredOn(fate -> !fate.isEmpty()).hasSizeGreaterThan(5);
        Set<String> inBoth = new TreeSet<>(first.keySet());
        inBoth.retainAll(again.keySet());
        assertThat(inBoth)
                .hasSizeGreaterThan(50)
                .allSatisfy(packet -> assertThat(again.get(packet)).as(packet).isEqualTo(first.get(packet)));
        inBoth.retainAll(other.keySet());
        assertThat(inBoth).anySatisfy(packet -> assertThat(other.get(packet)).isNotEqualTo(first.get(packet)));
    }

    @Test
    void explanationNamesTheFault() throws IOException, InterruptedException {
        Outcome outcome = program.run(
                Map.of("VERBATIM_FAULTS", "complete status=RETRY_EXC_ERR nth=2", "VERBATIM_EXPLAIN", "yes"), "writes");

        assertThat(outcome.errors())
                .contains("RDMA_WRITE wr_id=2 of qp ")
                .contains(
                        "cause   the fault 'complete status=RETRY_EXC_ERR nth=2' was wanted\n    posted  src/test/c/lab.c:");
    }

    private List<String> faultsOfPackets(String... faults) throws IOException, InterruptedException {
        Path trace = directory.resolve("trace.jsonl");
        Outcome outcome = program.run(
                Map.of(
                        "VERBATIM_FAULTS",
                        String.join("\n", faults),
                        "VERBATIM_FABRIC",
                        "roce",
                        "VERBATIM_DEVICES",
                        "2",
                        "VERBATIM_TRACE",
                        trace.toString()),
                "writes");
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        assertThat(outcome.output()).startsWith("1 ");
        return Files.readAllLines(trace).stream()
                .filter(line -> line.contains("\"fault\""))
                .map(line -> outcome.output().lines().findFirst().orElse("") + ": "
                        + line.replaceAll(".*\"fault\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    @Test
    void namedPacketIsLostAndSentAgain() throws IOException, InterruptedException {
        assertThat(faultsOfPackets("drop packet=RDMA_WRITE_ONLY nth=1"))
                .hasSize(1)
                .allMatch(fault -> fault.startsWith("1 success: "));
    }

    @Test
    void allPacketsOfAnOpcodeAreLost() throws IOException, InterruptedException {
        assertThat(faultsOfPackets("drop packet=RDMA_WRITE_ONLY times=1000"))
                .hasSizeGreaterThan(2)
                .allMatch(fault -> fault.startsWith("1 transport retry counter exceeded: "));
    }
}
