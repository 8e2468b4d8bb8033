// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;

/**
 * What carries the demo between two processes.
 *
 * @param fabric of this process; who is given the carrier closes it
 * @param lines options of the TCP connection for {@link LineProtocol}
 * @param words in a sentence, such as "over TCP at"
 * @param arguments of {@code connect} besides the address, with a blank before each
 */
public record DemoCarrier(Fabric fabric, NettyOptions lines, String words, String arguments) {

    /** TCP for both. */
    public static DemoCarrier tcp(NettyOptions options) {
        return new DemoCarrier(NettyFabric.open(options), options, "over TCP at", "");
    }

    /** RoCEv2, with plain TCP for the lines. */
    public static DemoCarrier roce(Fabric fabric, boolean openly) {
        return new DemoCarrier(
                fabric,
                NettyOptions.defaults().withListeningOpenly(openly),
                "by RoCEv2, with the listener at",
                " --fabric roce --bind ADDRESS");
    }
}
