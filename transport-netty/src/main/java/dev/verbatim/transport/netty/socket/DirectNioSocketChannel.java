// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Netty's channel over NIO, which lets us reach through to Java's. */
public final class DirectNioSocketChannel extends NioSocketChannel {

    /** One that is to connect. */
    public DirectNioSocketChannel() {}

    /** One that was accepted. */
    DirectNioSocketChannel(@Nullable Channel parent, SocketChannel accepted) {
        super(parent, accepted);
    }

    SocketChannel raw() {
        return javaChannel();
    }
}
