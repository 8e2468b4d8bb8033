// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.wire.Packet;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;

/**
 * A connection after the hellos: carries packets for one link. What arrives is always read at once and never waits for
 * what is to be sent; what is to be sent is one batch at a time. All on the lane.
 */
final class Connection extends ChannelInboundHandlerAdapter {

    private final NettyPort port;
    private final NettyLane lane;
    private final SocketChannel channel;
    private final String name;
    private final NettyLink link;
    private final boolean dialled;
    private final ReadBuffer in;
    private final FrameReader reader;
    private final WriteBatch batch;
    private boolean carried;
    private boolean open = true;

    /**
     * @param name says which connection it is, in a log
     * @param dialled whether this end dialled
     * @param in has nothing unread; given back when the connection ends
     */
    Connection(
            NettyPort port,
            SocketChannel channel,
            String name,
            NettyLink link,
            boolean dialled,
            ReadBuffer in,
            boolean checksum) {
        this.port = port;
        this.lane = port.lane();
        this.channel = channel;
        this.name = name;
        this.link = link;
        this.dialled = dialled;
        this.in = in;
        this.reader = new FrameReader(in, checksum, this::receive);
        this.batch = new WriteBatch(channel.alloc(), checksum);
    }

    boolean isDialled() {
        return dialled;
    }

    /** Whether a packet has come over it. */
    boolean hasCarried() {
        return carried;
    }

    /** Whether the last batch is written and another may be filled. */
    boolean canWrite() {
        return open && channel.isWritable();
    }

    WriteBatch batch() {
        return batch;
    }

    /** Bytes that were put into the batch and that the socket has not taken. */
    int unwrittenBytes() {
        return batch.unwrittenBytes();
    }

    /** Writes what is in the batch. */
    void write() {
        if (open && !batch.isEmpty()) {
            channel.writeAndFlush(batch.take(), channel.voidPromise());
        }
    }

    /** Ends the connection: from now on nothing comes or goes. */
    void close(String why) {
        if (!open) {
            return;
        }
        open = false;
        lane.log().note(name + " of gid=" + link.peer() + " closed: " + why);
        link.serveNoMoreBy(this);
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        lane.enter();
        try {
            do {
                in.take(read);
                String refusal = open ? reader.read() : null;
                if (refusal != null) {
                    lane.log().warn(name + " closed: " + refusal);
                    close("what came was no packet");
                }
            } while (open && in.isLeftIn(read));
        } finally {
            read.release();
            lane.leave();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (canWrite()) {
            link.comeToTurn();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        endBecause("the other end closed it");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (TlsFailure.isOne(cause)) {
            lane.log().warn(name + " closed: " + TlsFailure.sentence(cause, null));
        } else if (!(cause instanceof IOException)) {
            lane.log().fault(name + " failed", cause);
        }
        endBecause(String.valueOf(cause.getMessage()));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        in.release();
        batch.release();
    }

    private void endBecause(String why) {
        lane.enter();
        try {
            close(why);
        } finally {
            lane.leave();
        }
    }

    private boolean receive(Packet packet) {
        carried = true;
        try {
            port.receive(link, packet);
        } catch (RuntimeException | Error e) {
            lane.log().fault("taking in " + packet + " from gid=" + link.peer() + " failed; the packet is lost", e);
        }
        return open;
    }
}
