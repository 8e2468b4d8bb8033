// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.transport.netty.frame.ReadBuffer;
import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Connection;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.transport.netty.security.TlsFailure;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection until the hellos are said, and with a {@link SharedSecret} proven; then a {@link Connection} takes its
 * place. Whatever comes is read into a buffer that holds exactly what is due, so no byte of a packet is looked at before
 * that. All on the lane.
 */
abstract class Greeting extends ChannelInboundHandlerAdapter {

    private final NettyPort port;
    private final NettyLane lane;
    private final SocketChannel channel;
    private final ReadBuffer in;
    private final LaneTimer patience;
    private final @Nullable Proof proof;
    private String name = "";
    private boolean tlsBegins;
    private boolean over;
    private boolean bufferIsOurs = true;

    Greeting(NettyPort port, SocketChannel channel, boolean dialled) {
        this.port = port;
        this.lane = port.lane();
        this.channel = channel;
        this.in = new ReadBuffer(channel.alloc(), Hello.SIZE_BYTES);
        this.proof = port.newProof(dialled);
        this.patience = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                fail(
                        Errno.ETIMEDOUT,
                        "arrivedBytes=" + in.end() + " < " + in.sizeBytes()
                                + " bytes of a hello within helloTimeoutNanos="
                                + port.options().helloTimeoutNanos());
            }
        };
    }

    /** The sockets are connected. */
    abstract void begin();

    /** The other end has said its challenge. */
    abstract void answerChallenge();

    /** The other end has sent its hello, and proved that it has the secret if this end has one. */
    abstract void answer(Hello hello);

    /** The other end has a secret and this end has none, so it has said a challenge instead of a hello. */
    abstract void refuseSecret(Challenge theirs);

    /** The other end is another version of Verbatim. */
    abstract void meetOtherVersion();

    /** The other end has no secret or another one. */
    abstract void refuseWithoutSecret(Verdict why);

    /** The other end has not said a hello and is not going to. */
    abstract void lose(Errno errno, String reason);

    /** The fingerprint of the acceptor's certificate, as this end knows it. */
    abstract byte[] acceptorsFingerprint(SslHandler tls) throws SSLException;

    /** The name that TLS looks for in the other end's certificate; null if none. */
    abstract @Nullable String expectedHost();

    final NettyPort port() {
        return port;
    }

    /** Which connection this is, for a log. */
    abstract String nameOf(Object remoteAddress);

    final String name() {
        return name;
    }

    /** Whether this end has a secret. */
    final boolean hasSecret() {
        return proof != null;
    }

    final void say(Verdict verdict, long ticket) {
        say(port.hello(verdict, ticket));
    }

    final void say(Hello hello) {
        boolean proven = proof != null && proof.isChallenged();
        int sizeBytes = Hello.SIZE_BYTES + (proven ? Proof.SIZE_BYTES : 0);
        ByteBuf bytes = channel.alloc().directBuffer(sizeBytes).writerIndex(sizeBytes);
        hello.write(bytes.nioBuffer());
        if (proof != null && proven) {
            bytes.setBytes(Hello.SIZE_BYTES, proof.of(hello));
        }
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    /** Sends a challenge; one without {@link Verdict#WELCOME} has no nonce. */
    final void challenge(Verdict verdict) {
        Challenge challenge = proof == null || verdict != Verdict.WELCOME ? new Challenge(verdict, 0, 0) : proof.mine();
        ByteBuf bytes = channel.alloc().directBuffer(Challenge.SIZE_BYTES).writerIndex(Challenge.SIZE_BYTES);
        challenge.write(bytes.nioBuffer());
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    /** Lets packets flow for the link from now on. */
    final void open(NettyLink link, Hello peer, @Nullable Redial redial) {
        finish();
        in.grow(TransportLimits.READ_BUFFER_BYTES);
        bufferIsOurs = false;
        boolean checksum = peer.checksum() && port.options().checksum();
        Connection connection = new Connection(lane, port.intake(), channel, name, link, redial != null, in, checksum);
        channel.pipeline().replace(this, null, connection);
        lane.log().note(name + " is open to gid=" + link.peer());
        link.serveBy(connection, redial);
    }

    /** Ends the connection when what was said has gone out. */
    final void close() {
        finish();
        channel.close();
    }

    /** Ends the connection because of what the other end did or did not do. */
    final void fail(Errno errno, String reason) {
        fail(errno, reason, () -> {});
    }

    /**
     * Ends the connection with an answer that has the reason. The answer is sent after the reason was logged, so that a peer
     * that has the answer finds the line in the log.
     */
    final void fail(Errno errno, String reason, Runnable answer) {
        if (!over) {
            finish();
            lose(errno, reason);
            answer.run();
            channel.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        tlsBegins = context.pipeline().get(SslHandler.class) != null;
        if (!tlsBegins) {
            channel.config().setRecvByteBufAllocator(in);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        inStep(() -> {
            name = nameOf(channel.remoteAddress());
            lane.arm(patience, lane.nowNanos() + port.options().helloTimeoutNanos());
            begin();
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        lane.enter();
        try {
            do {
                in.take(read);
                if (!over) {
                    read();
                }
            } while (!over && in.isLeftIn(read));
        } finally {
            lane.leave();
        }
        if (bufferIsOurs || !read.isReadable()) {
            read.release();
        } else {
            // TLS gave more than the hello at once: what is left is for the connection that has taken this one's place.
            context.fireChannelRead(read);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws SSLException {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (!handshake.isSuccess()) {
                if (channel.isActive()) {
                    endBecause(handshake.cause());
                }
                return;
            }
            tlsBegins = false;
            if (proof != null) {
                proof.bindTo(acceptorsFingerprint(context.pipeline().get(SslHandler.class)));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inStep(() -> fail(Errno.EIO, "the other end closed it after " + in.end() + " bytes of its hello" + whileTls()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!over || !TlsFailure.isOne(cause)) {
            endBecause(cause);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (bufferIsOurs) {
            in.release();
        }
    }

    private void endBecause(Throwable cause) {
        if (TlsFailure.isOne(cause)) {
            inStep(() -> fail(Errno.EACCES, TlsFailure.sentence(cause, expectedHost())));
            return;
        }
        if (!SocketErrors.isBreak(cause)) {
            lane.log().fault(name + " failed", cause);
        }
        inStep(() -> fail(Errno.EIO, cause.getMessage() + whileTls()));
    }

    private String whileTls() {
        return tlsBegins ? " while TLS began; give both ends NettyOptions.withTls, or neither" : "";
    }

    private void read() {
        ByteBuffer view = in.view();
        int arrived = in.end();
        String refusal = Hello.refusal(view, arrived);
        if (refusal != null) {
            boolean isOther = Hello.isOfOtherVersion(view, arrived);
            fail(Errno.EIO, refusal, isOther ? this::meetOtherVersion : () -> {});
        } else if (arrived < Hello.SIZE_BYTES) {
            return;
        } else if (Challenge.isOne(view)) {
            Challenge theirs = Challenge.read(view);
            in.readTo(arrived);
            takeIn(theirs);
        } else if (proof != null && !proof.isChallenged()) {
            in.readTo(arrived);
            refuseWithoutSecret(Verdict.NO_SECRET);
        } else if (arrived == in.sizeBytes()) {
            Hello hello = Hello.read(view);
            boolean proven = proof == null || proof.isProven(hello, view, Hello.SIZE_BYTES);
            in.readTo(arrived);
            if (proven) {
                answer(hello);
            } else {
                refuseWithoutSecret(Verdict.OTHER_SECRET);
            }
        }
    }

    private void takeIn(Challenge theirs) {
        if (proof == null) {
            refuseSecret(theirs);
        } else if (theirs.verdict() != Verdict.WELCOME) {
            fail(theirs.verdict().errno(), theirs.verdict().sentence());
        } else if (proof.isChallenged()) {
            fail(Errno.EIO, "a second challenge came; run the same Verbatim at both ends");
        } else {
            proof.meet(theirs);
            in.grow(Hello.SIZE_BYTES + Proof.SIZE_BYTES);
            answerChallenge();
        }
    }

    private void finish() {
        over = true;
        lane.forget(patience);
    }

    private void inStep(Runnable work) {
        lane.enter();
        try {
            work.run();
        } finally {
            lane.leave();
        }
    }
}
