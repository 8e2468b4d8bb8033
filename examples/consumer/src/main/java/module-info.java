// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Needs Verbatim as any application on the module path would. */
module org.example.consumer {
    requires dev.verbatim.emulator;
    requires dev.verbatim.networkdirect;
    requires dev.verbatim.transport.netty;
}
