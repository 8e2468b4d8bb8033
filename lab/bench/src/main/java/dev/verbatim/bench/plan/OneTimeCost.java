// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.Locale;

/** What is paid once and not for each operation. All are measured over TCP, where both sides block. */
public enum OneTimeCost {
    STARTUP("from nothing to the first completed WRITE between two fresh JVMs"),
    IDLE("what a queue pair and a link cost this JVM that are connected and do nothing"),
    MANY_QPS("very many queue pairs of two JVMs, connected over one link, and then all of them at work"),
    CONNECTS("connections that come and go: queue pairs to RTS, established and disconnected at both ends");

    private final String title;

    OneTimeCost(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
