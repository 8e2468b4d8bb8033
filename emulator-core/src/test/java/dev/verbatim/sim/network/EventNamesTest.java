// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.Gid;
import org.junit.jupiter.api.Test;

/** What events are called for people. */
class EventNamesTest {

    private static final Gid LEFT = new Gid(0xfe80L << 48, 1);
    private static final Gid RIGHT = new Gid(0xfe80L << 48, 2);

    private final EventNames names = new EventNames();

    EventNamesTest() {
        names.add(LEFT, "left");
        names.add(RIGHT, "right");
    }

    @Test
    void queuePairsAndDevicesAreNamedAsInTraces() {
        assertThat(names.textOf("left/17 shows piece 0 of psn=17")).isEqualTo("left 0x11 shows piece 0 of psn=17");
        assertThat(names.textOf("left/1 request to " + RIGHT)).isEqualTo("left 0x1 request to right");
        assertThat(names.textOf("program left")).isEqualTo("program left");
    }

    @Test
    void deviceThatNobodyNamedIsItsGid() {
        Gid other = new Gid(0xfe80L << 48, 3);

        assertThat(names.of(other)).isEqualTo(other.toString());
        assertThat(names.of(RIGHT)).isEqualTo("right");
    }
}
