// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Netty's listening channel over NIO, whose accepted channels are {@link DirectNioSocketChannel}s. */
public final class DirectNioServerSocketChannel extends NioServerSocketChannel {

    /** One that is not bound yet. */
    public DirectNioServerSocketChannel() {}

    @Override
    protected int doReadMessages(List<Object> accepted) throws IOException {
        SocketChannel channel = javaChannel().accept();
        if (channel == null) {
            return 0;
        }
        accepted.add(new DirectNioSocketChannel(this, channel));
        return 1;
    }
}
