// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import dev.verbatim.testing.LongTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counters of another process, which is asked by its number. */
@Timeout(600)
@LongTest
class StatIT {

    @Test
    void processThatShowsItsCountersIsFoundByItsNumber() {
        try (Jvm victim = Jvm.start(List.of("-Dverbatim.stat=0"), Victim.class)) {
            victim.await("port=");
            try (Jvm stat = Jvm.start(Main.class, "stat", Long.toString(victim.pid()))) {
                stat.ends(0);
                assertThat(stat.told()).anyMatch(line -> line.startsWith("link victim/1 sent_pkts 0 rcvd_pkts 0 "));
            }
        }
    }

    @Test
    void processThatShowsNoneIsNamed() {
        try (Jvm victim = Jvm.start(Victim.class)) {
            victim.await("port=");
            try (Jvm stat = Jvm.start(Main.class, "stat", Long.toString(victim.pid()))) {
                stat.ends(1);
                assertThat(stat.err())
                        .contains("process " + victim.pid() + " shows no counters; start it with -Dverbatim.stat=0");
            }
        }
    }
}
