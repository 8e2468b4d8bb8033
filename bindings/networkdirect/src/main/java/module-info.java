// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** An RDMA device in the words of NetworkDirect. */
module dev.verbatim.networkdirect {
    requires transitive dev.verbatim.emulator;
    requires static org.jspecify;

    exports dev.verbatim.networkdirect;
}
