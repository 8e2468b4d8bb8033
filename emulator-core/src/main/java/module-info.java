// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** An RDMA device in pure Java. */
module dev.verbatim.emulator {
    requires static org.jspecify;
}
