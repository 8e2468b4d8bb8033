// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of JUnit 5 with RDMA devices. */
module dev.verbatim.junit {
    requires transitive dev.verbatim.emulator;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports dev.verbatim.junit;
}
