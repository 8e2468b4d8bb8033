// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.transport.netty.frame.FrameReader;
import dev.verbatim.transport.netty.frame.Landing;
import dev.verbatim.transport.netty.frame.ReadBuffer;
import dev.verbatim.transport.netty.frame.WriteBatch;
import dev.verbatim.transport.netty.lane.DirectSocket;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.security.TlsFailure;
import dev.verbatim.transport.netty.socket.RawSocket;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A connection after the hellos: carries packets for one link. What arrives is always read at once and never waits for
 * what is to be sent; what is to be sent is one batch at a time. All on the lane.
 */
public final class Connection extends ChannelInboundHandlerAdapter implements DirectSocket {

    private final NettyLane lane;
    private final Intake intake;
    private final SocketChannel channel;
    private final String name;
    private final NettyLink link;
    private final boolean dialled;
    private final ReadBuffer in;
    private final FrameReader reader;
    private final WriteBatch batch;
    private final Landing landing;
    private final @Nullable RawSocket socket;
    private final boolean fastPath = FastPath.isOn();
    private boolean carried;

    /** Whether the socket has not taken all of the batch, and whoever polls writes the rest; if not, the channel does. */
    private boolean unwritten;

    /**
     * Whether the channel reads next: without asking whether it is still open, by the number of its descriptor, which could be that of
     * another socket by then. So it is closed when it has read.
     */
    private boolean isChannelsTurn;

    private boolean open = true;

    /**
     * @param intake takes the packets that come
     * @param name name of the connection in logs
     * @param dialled whether this end dialled
     * @param in has nothing unread; given back when the connection ends
     */
    public Connection(
            NettyLane lane,
            Intake intake,
            SocketChannel channel,
            String name,
            NettyLink link,
            boolean dialled,
            ReadBuffer in,
            boolean checksum) {
        this.lane = lane;
        this.intake = intake;
        this.channel = channel;
        this.name = name;
        this.link = link;
        this.dialled = dialled;
        this.in = in;
        this.socket = channel.pipeline().get(SslHandler.class) == null ? RawSocket.of(channel) : null;
        this.landing = new Landing(channel.alloc());
        this.reader = new FrameReader(in, checksum, landing, new Arrivals());
        this.batch = new WriteBatch(channel.alloc(), checksum, socket, lane.alone());
        if (socket != null) {
            in.beforeEachRead(this::readBeforeChannel);
        }
        lane.beginDirect(this);
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
        return open && batch.isEmpty() && channel.isWritable();
    }

    /** Whether the calling thread may write; if not, that of the loop may. */
    boolean isWrittenBy(NettyLane onLane) {
        return batch.isDirect() || onLane.isLoops();
    }

    /** Whether the socket has taken all that was to be written. */
    boolean hasWritten() {
        return canWrite();
    }

    boolean isOver(Channel candidate) {
        return channel.equals(candidate);
    }

    WriteBatch batch() {
        return batch;
    }

    /** Bytes that were put into the batch and that the socket has not taken. */
    long unwrittenBytes() {
        return batch.unwrittenBytes();
    }

    /** Writes what is in the batch. */
    void write() {
        closeUnlessWhole();
        if (!open || batch.isEmpty() || batch.write()) {
            return;
        }
        if (batch.isDirect() && lane.isPolled() && !batch.isRefused()) {
            unwritten = true;
        } else {
            leaveBatchToLoop();
        }
    }

    /** What the batch lacks is asked for again over the next connection, and the device finds out why it was lacking. */
    private void closeUnlessWhole() {
        if (!batch.isWhole()) {
            close("memory is gone that was to be sent");
        }
    }

    /** Writes what the socket did not take before. */
    private void writeOn() {
        if (batch.write()) {
            unwritten = false;
            link.hasWritten();
        } else if (batch.isRefused()) {
            leaveBatchToLoop();
        }
    }

    /** The channel writes it as soon as it can, and says so. */
    private void leaveBatchToLoop() {
        unwritten = false;
        channel.writeAndFlush(batch.take(), channel.voidPromise());
    }

    @Override
    public boolean isAllOf(Object identity) {
        return open && socket != null && socket.isOf(identity) && (batch.isEmpty() || unwritten);
    }

    @Override
    public void retire(Object identity) {
        if (socket != null && socket.isOf(identity)) {
            socket.retire();
        }
    }

    @Override
    public void leaveToLoop() {
        if (open && unwritten) {
            leaveBatchToLoop();
        }
    }

    /** What is to be sent of this memory goes on from a copy, and what comes in for it stays here. */
    void letGo(ByteBuffer memory) {
        batch.letGo(memory);
        landing.letGo(memory);
        if (socket != null) {
            socket.letGo(memory);
        }
        closeUnlessWhole();
    }

    /** The same, whatever memory it is. */
    void letGo() {
        batch.letGo();
        landing.letGo();
        closeUnlessWhole();
    }

    @Override
    public boolean readNow() {
        RawSocket from = socket;
        if (from == null || !open) {
            return false;
        }
        lane.enter();
        try {
            boolean few = readLanding();
            if (!open) {
                return false;
            }
            int end = in.end();
            int limit = few ? Math.min(in.sizeBytes(), end + TransportLimits.PEEK_BYTES) : in.sizeBytes();
            int read = from.read(in.view(), end, limit, in.view(), limit, limit);
            if (read > 0) {
                lane.arrived();
                in.arrived(read);
                takeIn();
            }
            if (unwritten && open) {
                writeOn();
            }
            return read >= 0 && (batch.isEmpty() || unwritten);
        } catch (IOException | NotYetConnectedException e) {
            // The channel meets the error too when it reads, and reports it. Netty says of a reset socket that it is
            // not connected.
            return false;
        } finally {
            lane.leave();
        }
    }

    /** Reads what lands. The channel reads next. */
    private boolean readBeforeChannel() {
        isChannelsTurn = true;
        try {
            return readLanding();
        } finally {
            isChannelsTurn = false;
        }
    }

    /**
     * Reads what lands straight to where it belongs. The channel reads next, but does not get far.
     *
     * @return whether a payload lands, or another is likely to soon
     */
    private boolean readLanding() {
        RawSocket from = socket;
        if (from == null || !open || !reader.expectsLanding()) {
            return false;
        }
        lane.enter();
        try {
            int budget = TransportLimits.MOST_LANDED_IN_A_ROW_BYTES;
            boolean more = true;
            while (more && open && landing.isOpen() && budget > 0) {
                int missing = landing.missingBytes();
                int end = in.end();
                int peekEnd = Math.min(in.sizeBytes(), end + TransportLimits.PEEK_BYTES);
                ByteBuffer target = landing.buffer();
                int next = landing.nextIndex();
                int read = from.read(target, next, next + missing, in.view(), end, peekEnd);
                more = read == missing + peekEnd - end;
                if (read > 0) {
                    budget -= read;
                    landing.filled(Math.min(read, missing));
                    in.arrived(Math.max(0, read - missing));
                    takeIn();
                }
            }
        } catch (IOException | NotYetConnectedException e) {
            // The memory is gone that the payload belongs in, or the connection is: the next read, into other memory,
            // meets the error too.
            landing.letGo();
            return false;
        } finally {
            lane.leave();
        }
        return open && reader.expectsLanding();
    }

    private void takeIn() {
        String refusal = open ? reader.read() : null;
        if (refusal != null) {
            lane.log().warn(name + " closed: " + refusal);
            close("what came was no packet");
        }
    }

    /** Ends the connection: from now on nothing comes or goes. */
    void close(String why) {
        if (!open) {
            return;
        }
        open = false;
        lane.endDirect(this);
        lane.log().note(name + " of gid=" + link.peer() + " closed: " + why);
        link.serveNoMoreBy(this);
        if (isChannelsTurn) {
            channel.eventLoop().execute(channel::close);
        } else {
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        lane.enter();
        try {
            do {
                in.take(read);
                takeIn();
            } while (open && in.isLeftIn(read));
        } finally {
            read.release();
            lane.leave();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        Lock alone = lane.alone();
        alone.lock();
        try {
            if (canWrite()) {
                link.hasWritten();
            }
        } finally {
            alone.unlock();
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
        } else if (!SocketErrors.isBreak(cause)) {
            lane.log().fault(name + " failed", cause);
        }
        endBecause(String.valueOf(cause.getMessage()));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        lane.enter();
        try {
            close("its channel is closed");
            in.release();
            batch.release();
            landing.release();
        } finally {
            lane.leave();
        }
    }

    private void endBecause(String why) {
        lane.enter();
        try {
            close(why);
        } finally {
            lane.leave();
        }
    }

    private final class Arrivals implements FrameReader.Sink {

        @Override
        public boolean take(Packet packet) {
            carried = true;
            try {
                intake.receive(link, packet);
            } catch (RuntimeException | Error e) {
                lane.log().fault("taking in " + packet + " from gid=" + link.peer() + " failed; the packet is lost", e);
            }
            return open;
        }

        @Override
        public boolean takePlain(PlainRequest request) {
            if (!fastPath || !intake.receivePlain(link, request)) {
                return false;
            }
            carried = true;
            return true;
        }

        @Override
        public boolean takePlain(PlainAnswer answer) {
            if (!fastPath || !intake.receivePlain(link, answer)) {
                return false;
            }
            carried = true;
            return true;
        }

        @Override
        public boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
            try {
                return intake.land(link, head, payloadLengthBytes, place);
            } catch (RuntimeException | Error e) {
                lane.log().fault("finding a place for " + head + " failed; it has to be copied", e);
                return false;
            }
        }
    }
}
