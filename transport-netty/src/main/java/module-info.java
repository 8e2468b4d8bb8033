// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Carries packets between devices in different JVMs. */
module dev.verbatim.transport.netty {
    requires dev.verbatim.emulator;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static org.jspecify;
}
