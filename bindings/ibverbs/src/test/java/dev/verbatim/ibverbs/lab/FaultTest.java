// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.sim.Fate;
import dev.verbatim.testing.Packets;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading faults. */
class FaultTest {

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("faults.yaml"), text);
    }

    @Test
    void sectionOfAFileAndLinesSayTheSame() throws IOException {
        List<Fault> faults = FaultFile.read(file("""
                title: anything
                faults:
                  - seed: 7
                  - drop: {packet: ACKNOWLEDGE, from: peer, nth: 3}
                  - delay: {per_mille: 10, by: 5ms}
                  - refuse:
                      call: ibv_reg_mr
                      error: enomem
                      nth: 3
                  - limit: {objects: qp, most: 10, error: EBUSY}
                """));

        assertThat(faults.stream().map(Fault::toString))
                .containsExactly(
                        "seed seed=7",
                        "drop packet=ACKNOWLEDGE from=peer nth=3",
                        "delay per_mille=10 by=5ms",
                        "refuse call=ibv_reg_mr error=ENOMEM nth=3",
                        "limit objects=qp most=10 error=EBUSY")
                .allSatisfy(line -> assertThat(Fault.parse(line)).hasToString(line));
    }

    @Test
    void listAloneIsAFileToo() throws IOException {
        assertThat(FaultFile.read(file("- event: {type: PORT_ERR, after: 10ms}\n")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- refuze: {call: ibv_reg_mr}            | fault 'refuze' is not known; did you mean refuse?",
                "- refuse: {call: ibv_reg_mrs, error: ENOMEM} | call 'ibv_reg_mrs' is not known; did you mean ibv_reg_mr?",
                "- refuse: {call: ibv_reg_mr, error: ENOMEMORY} | error 'ENOMEMORY' is not known; did you mean ENOMEM?",
                "- refuse: {call: ibv_reg_mr}            | refuse call=ibv_reg_mr has no error",
                "- complete: {status: RETRY_ERR}         | status 'RETRY_ERR' is not known; did you mean RETRY_EXC_ERR?",
                "- complete: {status: FATAL_ERR, nht: 3} | value of complete 'nht' is not known; did you mean nth?",
                "- complete: {status: FATAL_ERR, nth: 0} | nth=0 is not a number in 1..",
                "- drop: {packet: ACK}                   | packet 'ACK' is not known; did you mean ACKNOWLEDGE?",
                "- drop: {packet: ACKNOWLEGE}            | packet 'ACKNOWLEGE' is not known; did you mean ACKNOWLEDGE?",
                "- drop: {from: here}                    | which packets? specify packet, nth or per_mille",
                "- drop: {packet: ACKNOWLEDGE, per_mille: 3} | specify one of them",
                "- drop: {per_mille: 1001}               | per_mille=1001 is not a number in 0..1000",
                "- delay: {nth: 3, by: soon}             | by=soon is not a time",
                "- event: {type: QP_FATAL}               | event 'QP_FATAL' is not known",
                "- limit: {objects: queues, most: 3}     | objects 'queues' is not known",
                "- limit: {objects: send_wr, most: 3, error: EBUSY} | a post to a full queue fails with ENOMEM; leave error out",
                "- event: {type: QP_LAST_WQE_REACHED}    | the event is of a queue pair; specify qp",
                "- event: {type: PORT_ERR, qp: 1}        | the event is of a port or device; specify device instead of qp",
                "- link: {nth: 3}                        | what changes? specify mtu, width or speed",
                "- link: {mtu: 1000}                     | mtu '1000' is not known; did you mean 1024?",
                "- link: {speed: XDR}                    | speed 'XDR' is not known; did you mean",
                "- rnr: {qp: 1}                          | rnr qp=1 has no lasts",
                "- rnr: {qp: 1, lasts: 2h}               | lasts=2h is not a time up to 3600s",
                "- drop                                  | a fault is one word with its values",
                "- drop: 3                               | are written as 'drop: {NAME: VALUE}'",
            })
    void wrongFaultIsRefusedWithItsLineAndTheNearestWord(String text, String message) throws IOException {
        Path file = file("title: x\nfaults:\n- seed: 1\n" + text + "\n");

        assertThatThrownBy(() -> FaultFile.read(file))
                .isInstanceOf(BadFault.class)
                .hasMessageStartingWith(file + ":4: ")
                .hasMessageContaining(message);
    }

    @Test
    void fileThatIsNoneIsRefused() throws IOException {
        assertThatThrownBy(() -> FaultFile.read(directory.resolve("none"))).hasMessageContaining("does not exist");
        Path none = file("title: x\n");
        assertThatThrownBy(() -> FaultFile.read(none)).hasMessageContaining("has no list of faults");
        Path broken = file("faults: [\n");
        assertThatThrownBy(() -> FaultFile.read(broken)).hasMessageContaining("is no YAML");
    }

    @Test
    void stepIsCountedAndFaultHappensAsOftenAsItSays() {
        Fault third = Fault.parse("refuse call=ibv_reg_mr error=ENOMEM nth=3 times=2");
        assertThat(happenings(third, 6)).isEqualTo("..xx..");
        assertThat(happenings(Fault.parse("refuse call=ibv_create_qp error=EBUSY after=2"), 5))
                .isEqualTo("..xxx");
        assertThat(happenings(Fault.parse("complete status=FATAL_ERR"), 3)).isEqualTo("x..");
        assertThat(happenings(Fault.parse("drop packet=ACKNOWLEDGE"), 3)).isEqualTo("x..");
        assertThat(happenings(Fault.parse("drop nth=2"), 3)).isEqualTo(".x.");
    }

    /** What becomes of a thousand packets, a letter each. */
    private static String fates(String... lines) {
        List<Fault> faults = Arrays.stream(lines).map(Fault::parse).toList();
        Gid here = Gid.ofGuid(1);
        PacketFaults policy = new PacketFaults("verbatim0", faults, Set.of(here), new Links());
        StringBuilder fates = new StringBuilder();
        for (int psn = 0; psn < 1000; psn++) {
            fates.append(policy.decide(here, Gid.ofGuid(2), Packets.packet(Opcode.SEND_ONLY, psn)))
                    .append('\n');
        }
        return fates.toString();
    }

    private static List<Fate> fatesOf(PacketFaults policy, int... psns) {
        return Arrays.stream(psns)
                .mapToObj(psn -> policy.decide(Gid.ofGuid(1), Gid.ofGuid(2), Packets.packet(Opcode.SEND_ONLY, psn)))
                .toList();
    }

    private static PacketFaults policyOf(List<Fault> faults) {
        return new PacketFaults("verbatim0", faults, Set.of(), new Links());
    }

    @Test
    void fateIsThatOfThePacketAndNotOfItsTurn() {
        List<Fault> faults = List.of(Fault.parse("drop per_mille=500"));
        int[] psns = IntStream.range(0, 100).toArray();
        int[] otherwise =
                IntStream.range(0, 100).map(psn -> psn == 0 ? 0 : 100 - psn).toArray();

        List<Fate> inOrder = fatesOf(policyOf(faults), psns);
        List<Fate> inAnother = fatesOf(policyOf(faults), otherwise);

        assertThat(IntStream.range(0, 100).mapToObj(psn -> inAnother.get(psn == 0 ? 0 : 100 - psn)))
                .isEqualTo(inOrder);
        PacketFaults again = policyOf(faults);
        assertThat(fatesOf(again, psns)).isEqualTo(inOrder);
        assertThat(fatesOf(again, psns)).as("sent for the second time").isNotEqualTo(inOrder);
    }

    @Test
    void faultOfAnotherDeviceAndFaultThatComesLater() {
        List<Fault> faults = new CopyOnWriteArrayList<>();
        faults.add(Fault.parse("drop per_mille=1000 device=verbatim1"));
        PacketFaults policy = policyOf(faults);
        assertThat(fatesOf(policy, 1)).containsExactly(Fate.DELIVER);
        faults.add(Fault.parse("drop per_mille=1000 device=verbatim0"));
        assertThat(fatesOf(policy, 2)).containsExactly(Fate.DROP);
        faults.add(Fault.parse("drop per_mille=0"));
        assertThat(fatesOf(policy, 3)).containsExactly(Fate.DELIVER);
        faults.add(Fault.parse("duplicate device=verbatim0 nth=2"));
        assertThat(fatesOf(policy, 4, 5)).containsExactly(Fate.DELIVER, Fate.DUPLICATE);
    }

    @Test
    void packetsMeetTheSameFaultsBySeed() {
        String fates = fates("drop per_mille=100", "duplicate per_mille=50", "seed seed=7");

        assertThat(fates("drop per_mille=100", "duplicate per_mille=50", "seed seed=7"))
                .isEqualTo(fates);
        assertThat(fates("drop per_mille=100", "duplicate per_mille=50", "seed seed=8"))
                .isNotEqualTo(fates);
        assertThat(fates("seed seed=7").lines().distinct()).hasSize(1);
        assertThat(fates.lines().distinct()).hasSize(3);
    }

    private static String happenings(Fault fault, int steps) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps; i++) {
            text.append(fault.happens() ? 'x' : '.');
        }
        return text.toString();
    }
}
