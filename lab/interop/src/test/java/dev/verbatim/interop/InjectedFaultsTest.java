// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults as a command line says them. */
class InjectedFaultsTest {

    private static final Gid A = Gid.ofGuid(1);
    private static final Gid B = Gid.ofGuid(2);

    private static Fate decide(FaultPolicy faults, Opcode opcode) {
        return faults.decide(A, B, new Packet().begin(opcode));
    }

    @Test
    void namedPacketIsTheOnlyOneThatIsLost() {
        FaultPolicy faults = InjectedFaults.parse(List.of("drop@atomic_acknowledge=3"));
        for (int nth = 1; nth <= 5; nth++) {
            assertThat(decide(faults, Opcode.ACKNOWLEDGE)).isEqualTo(Fate.DELIVER);
            assertThat(decide(faults, Opcode.ATOMIC_ACKNOWLEDGE)).isEqualTo(nth == 3 ? Fate.DROP : Fate.DELIVER);
        }
    }

    @Test
    void oddsAreDrawnFromTheSeed() {
        FaultPolicy one = InjectedFaults.parse(List.of("drop=100", "corrupt=100", "seed=5"));
        FaultPolicy same = InjectedFaults.parse(List.of("drop=100", "corrupt=100", "seed=5"));
        int dropped = 0;
        for (int i = 0; i < 10_000; i++) {
            Fate fate = decide(one, Opcode.SEND_ONLY);
            assertThat(decide(same, Opcode.SEND_ONLY)).isEqualTo(fate);
            dropped += fate.equals(Fate.DROP) ? 1 : 0;
        }
        assertThat(dropped).isBetween(800, 1_200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "drop", "5", "=5", "lose=5", "drop=many", "drop@SEND_ONLY", "lose@SEND_ONLY=1", "drop=1@2"})
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InjectedFaults.parse(List.of(text)))
                .withMessageContaining("fault=" + text);
    }
}
