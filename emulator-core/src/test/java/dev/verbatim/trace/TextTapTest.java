// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextTapTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void everyEventButRulesIsALineWithTimeDeviceAndQueuePair() {
        TextTap tap = new TextTap(written);
        SampleEvents.ALL.forEach(tap::on);
        assertThat(lines())
                .containsExactly(
                        "          us  device  qp        event; 0.000 us is timeNanos=1000",
                        "       0.000  left    0x11      post     SEND wr_id=7 length=0",
                        "       0.001  right   0x12      post     RECV wr_id=8 elements=0",
                        "       0.001  right   -         post     RECV wr_id=9 elements=0 to srq 3",
                        "       0.001  right   0x12      take     wr_id=9 of srq 3",
                        "       0.001  right   -         limit    5 of srq 3",
                        "       0.002  left    0x11      " + SampleEvents.CONNECTED,
                        "       0.003  left    0x11      start    wr_id=7 psn=100 packets=1",
                        "       1.500  left    0x11      send     " + SampleEvents.SENT.packet(),
                        "       1.501  right   0x12      receive  " + SampleEvents.RECEIVED.packet(),
                        "       1.502  right   0x12      " + SampleEvents.DROPPED,
                        "       1.503  left    -         link     loses " + SampleEvents.SENT.packet(),
                        "       1.504  left    -         carrier  ICRC fe80:0000:0000:0000:0000:0000:0000:0002: the datagram"
                                + " was damaged",
                        "       2.000  right   0x12      memory   placed 5 bytes at 0x7f0000001000, not seen by programs"
                                + " yet",
                        "       2.001  right   0x12      memory   shows 5 bytes at 0x7f0000001000",
                        "       2.002  right   -         program  loads 2 bytes at 0x7f0000001000",
                        "       2.003  right   -         view     8 bytes at 0x7f0000001000 of gpu0 may be unseen by right/gpu0",
                        "       2.004  right   -         older    right/gpu0 sees 0 at 0x7f0000001000 and misses 1",
                        "       3.000  left    0x11      " + SampleEvents.COMPLETED,
                        "       3.001  left    0x11      poll     wr_id=7 of cq 2, 3 left",
                        "       4.000  left    0x11      state    RTS -> ERR: key 0xbeef is \"unknown\" [MR-22]",
                        "       5.000  right   0x12      event    COMM_EST",
                        "       6.000  right   -         key      0x00000305 revoked: a region",
                        "       6.001  right   0x12      window   3 invalidated by peer: key 0x80000141 on [0x10,0x50)"
                                + " access=REMOTE_WRITE, TYPE_2");
    }

    @Test
    void rulesAreLinesToWhoeverAsksForThem() {
        TextTap tap = TextTap.withRules(written);
        tap.on(SampleEvents.DECIDED);
        assertThat(lines())
                .containsExactly(
                        "          us  device  qp        event; 0.000 us is timeNanos=8000",
                        "       0.000  left    0x11      rule     QS-04");
    }

    @Test
    void eventOlderThanTheFirstHasANegativeTime() {
        TextTap tap = new TextTap(written);
        tap.on(SampleEvents.SENT);
        tap.on(SampleEvents.POSTED);
        assertThat(lines()[2]).startsWith("      -1.500  left");
    }

    @Test
    void lineBreaksInsideAnEventBecomeSpaces() {
        TextTap tap = new TextTap(written);
        tap.on(new TraceEvent.KeyChanged(1, "a\nb", 1, true, 0, 0, 0, true, "c\r\nd"));
        assertThat(lines()).hasSize(2);
        assertThat(lines()[1]).endsWith("  a b     -         key      0x00000001 valid: c d");
    }

    private String[] lines() {
        return written.toString(StandardCharsets.UTF_8).split("\n");
    }
}
