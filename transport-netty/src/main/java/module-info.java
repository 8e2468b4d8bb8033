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
    requires static io.netty.transport.classes.epoll;
    requires static io.netty.transport.classes.io_uring;
    requires static io.netty.transport.unix.common;
    requires static org.jspecify;

    exports dev.verbatim.transport.netty;
    exports dev.verbatim.transport.netty.roce;

    provides dev.verbatim.fabric.FabricProvider with
            dev.verbatim.transport.netty.LocalFabrics;
}
