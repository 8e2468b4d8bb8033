// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DefaultSocketChannelConfig;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection without a network: what it receives the test says, at once and on its own thread. */
final class EmbeddedSocket extends EmbeddedChannel implements SocketChannel {

    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress("127.0.0.1", 9);

    private final SocketChannelConfig config = new DefaultSocketChannelConfig(this, new Socket());

    EmbeddedSocket() {
        super(false, false);
    }

    /** Connected, with this to handle it. */
    EmbeddedSocket begin(ChannelHandler handler) throws Exception {
        pipeline().addLast(handler);
        register();
        return this;
    }

    /** Some of these bytes arrive: as many as the other end of the pipeline has room for. */
    void arrive(Chunks chunks) {
        ByteBuf bytes = config.getRecvByteBufAllocator().newHandle().allocate(alloc());
        if (bytes.writableBytes() == 0) {
            bytes.release();
            throw new AssertionError("no room for what arrives");
        }
        bytes.writeBytes(chunks.next(bytes.writableBytes()));
        pipeline().fireChannelRead(bytes);
        pipeline().fireChannelReadComplete();
        runPendingTasks();
        checkException();
    }

    @Override
    public ServerSocketChannel parent() {
        return null;
    }

    @Override
    public SocketChannelConfig config() {
        // Asked for while the superclass is being made.
        return config == null ? new DefaultSocketChannelConfig(this, new Socket()) : config;
    }

    @Override
    public InetSocketAddress localAddress() {
        return SOMEWHERE;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return SOMEWHERE;
    }

    @Override
    public boolean isInputShutdown() {
        return false;
    }

    @Override
    public boolean isOutputShutdown() {
        return false;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public ChannelFuture shutdown() {
        return close();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return close(promise);
    }

    @Override
    public ChannelFuture shutdownInput() {
        return close();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return close(promise);
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return close();
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        return close(promise);
    }
}
