// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Carries packets between devices in different JVMs. */
module dev.verbatim.transport.netty {
    requires transitive dev.verbatim.emulator;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires jdk.net;
    requires static org.jspecify;

    exports dev.verbatim.transport.netty;
}
