// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import java.util.Locale;

/** What a scenario runs on. */
public enum FabricKind {
    /** Devices in this JVM, connected directly; a thread for each program. */
    IN_PROCESS,
    /** Devices in virtual time, where a seed decides what comes first, and faults happen on command. */
    SIM,
    /** Devices in this JVM that talk over TCP; a thread for each program. */
    TCP,
    /** The same by RoCEv2, each at a loopback address of its own; faults happen on command. */
    ROCE;

    /** Its name in commands. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
