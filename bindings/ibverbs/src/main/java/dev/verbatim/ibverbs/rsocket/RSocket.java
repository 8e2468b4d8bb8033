// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.ibverbs.wait.Wake;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One socket: its connection management, and the stream when it is connected. */
final class RSocket {

    /** What a thread has to wait for at most before it looks again, since two may wait for one descriptor. */
    private static final int SLICE_MILLIS = 20;

    private static final long SPIN_NANOS = 100_000;
    private static final Duration RESOLUTION = Duration.ofSeconds(10);
    private static final Duration PATIENCE_OF_CLOSE = Duration.ofSeconds(2);
    private static final int EISCONN = 106, ECONNRESET = 104;

    private static final Map<Integer, RSocket> OPEN = new ConcurrentHashMap<>();

    /** Of all sockets of the process. */
    private static @Nullable ProtectionDomain shared;

    private enum State {
        NEW,
        LISTENING,
        CONNECTING,
        ACCEPTING,
        CONNECTED,
        FAILED_TO_CONNECT
    }

    private final Wake wake = new Wake();
    private final EventChannel channel;
    private CmId id;
    private final ArrayDeque<CmEvent> requests = new ArrayDeque<>();
    private State state = State.NEW;
    private int error;
    private boolean nonBlocking;
    private Stream.Sizes sizes = Stream.Sizes.USUAL;
    private @Nullable Stream stream;
    private @Nullable InetSocketAddress peer;
    private @Nullable InetSocketAddress local;

    RSocket() {
        Device device = Adapters.all().get(0).device();
        channel = EventChannel.open(device);
        channel.onReady(wake::raise);
        id = channel.createId();
        OPEN.put(wake.descriptor(), this);
    }

    private static synchronized ProtectionDomain pdOf(Device device) {
        ProtectionDomain pd = shared;
        if (pd == null) {
            pd = device.allocatePd();
            shared = pd;
        }
        return pd;
    }

    /**
     * The socket of a descriptor.
     *
     * @throws Refused EBADF if there is none
     */
    static RSocket at(int descriptor) {
        RSocket socket = OPEN.get(descriptor);
        if (socket == null) {
            throw new Refused(Refused.EBADF, "no rsocket has descriptor=" + descriptor);
        }
        return socket;
    }

    /** The same, or null. */
    static @Nullable RSocket find(int descriptor) {
        return OPEN.get(descriptor);
    }

    int descriptor() {
        return wake.descriptor();
    }

    boolean isNonBlocking() {
        return nonBlocking;
    }

    void nonBlocking(boolean value) {
        nonBlocking = value;
    }

    Stream.Sizes sizes() {
        return sizes;
    }

    /** Changes what the stream will have; only before it is connected. */
    synchronized void sizes(Stream.Sizes wanted) {
        if (stream != null) {
            throw new Refused(Errno.EINVAL.number(), "sizes are set before a socket is connected");
        }
        sizes = wanted;
    }

    /** The last error, once ({@code SO_ERROR}). */
    synchronized int takeError() {
        int taken = error;
        error = 0;
        return taken;
    }

    synchronized @Nullable InetSocketAddress peer() {
        return peer;
    }

    synchronized @Nullable InetSocketAddress local() {
        InetSocketAddress bound = id.localAddress();
        InetSocketAddress named = local;
        return named == null || bound == null ? bound : new InetSocketAddress(named.getAddress(), bound.getPort());
    }

    // ---- connections

    synchronized void bind(InetSocketAddress address) {
        id.bindAddress(address);
        local = address;
    }

    synchronized void listen(int backlog) {
        if (state != State.LISTENING) {
            id.listen(backlog);
            state = State.LISTENING;
        }
    }

    /** Takes a request, and answers it. */
    RSocket accept() {
        if (state != State.LISTENING) {
            throw new Refused(Errno.EINVAL.number(), "the socket does not listen");
        }
        RSocket accepted = null;
        while (accepted == null) {
            await(
                    "raccept",
                    () -> "has waited for a connection; none was asked for at " + local(),
                    () -> !requests.isEmpty(),
                    nonBlocking);
            CmEvent request;
            synchronized (this) {
                request = requests.pollFirst();
            }
            accepted = request == null ? null : answer(request);
        }
        return accepted;
    }

    /** Null if the request was not of this protocol, or is withdrawn. */
    private @Nullable RSocket answer(CmEvent request) {
        CmId of = request.id();
        ConnectionData said = ConnectionData.decoded(request.privateData());
        RSocket accepted = new RSocket();
        try {
            if (said == null) {
                of.reject();
                throw new Refused(Errno.EOPNOTSUPP.number(), "a request of another protocol");
            }
            accepted.take(of, said, request.parameters(), sizes);
            request.acknowledge();
            return accepted;
        } catch (RuntimeException e) {
            request.acknowledge();
            accepted.close();
            return null;
        }
    }

    private synchronized void take(CmId of, ConnectionData said, ConnectionParameters asked, Stream.Sizes wanted) {
        CmId unused = id;
        of.migrate(channel);
        id = of;
        unused.close();
        sizes = wanted;
        Stream fresh = openStream();
        fresh.connected(said);
        id.accept(asked.withPrivateData(fresh.data().encoded()));
        peer = id.peerAddress();
        state = State.ACCEPTING;
    }

    private Stream openStream() {
        Stream fresh = new Stream(id.device(), pdOf(id.device()), id, sizes);
        fresh.onReady(wake::raise);
        stream = fresh;
        return fresh;
    }

    void connect(InetSocketAddress address) {
        synchronized (this) {
            switch (state) {
                case NEW -> {
                    peer = address;
                    state = State.CONNECTING;
                    id.resolveAddress(address, RESOLUTION);
                }
                case CONNECTING -> {}
                case CONNECTED, ACCEPTING -> throw new Refused(EISCONN, "the socket is connected");
                default -> throw new Refused(Errno.EINVAL.number(), "the socket is in state " + state);
            }
        }
        progress();
        if (nonBlocking && state == State.CONNECTING) {
            throw new Refused(Refused.EINPROGRESS, null);
        }
        await("rconnect", this::unaccepted, () -> state != State.CONNECTING, false);
        if (state == State.FAILED_TO_CONNECT) {
            throw new Refused(takeError(), "the connection failed");
        }
    }

    /** Does what there is to do: events of connection management, completions of the stream. */
    synchronized void progress() {
        for (CmEvent event = channel.pollEvent(); event != null; event = channel.pollEvent()) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                requests.addLast(event);
            } else {
                try {
                    happened(event);
                } catch (RuntimeException e) {
                    failed(Errno.EIO.number());
                }
                event.acknowledge();
            }
        }
        if (stream != null) {
            stream.poll();
        }
    }

    private void happened(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> id.resolveRoute(RESOLUTION);
            case ROUTE_RESOLVED ->
                id.connect(ConnectionParameters.USUAL
                        .withFlowControl(true)
                        .withPrivateData(openStream().data().encoded()));
            case ESTABLISHED -> established(event);
            case ADDR_ERROR, ROUTE_ERROR -> failed(Math.abs(event.status()));
            case REJECTED, CONNECT_ERROR -> failed(Errno.ECONNREFUSED.number());
            case UNREACHABLE -> failed(Errno.ETIMEDOUT.number());
            case DISCONNECTED, DEVICE_REMOVAL -> {
                if (stream != null) {
                    stream.end();
                }
            }
            default -> {}
        }
    }

    private void established(CmEvent event) {
        Stream own = stream;
        if (state == State.CONNECTING && own != null) {
            ConnectionData said = ConnectionData.decoded(event.privateData());
            if (said == null) {
                failed(Errno.EOPNOTSUPP.number());
                return;
            }
            own.connected(said);
        }
        state = State.CONNECTED;
    }

    private void failed(int errno) {
        error = errno;
        if (state == State.CONNECTING || state == State.ACCEPTING) {
            state = State.FAILED_TO_CONNECT;
        } else if (stream != null) {
            stream.end();
        }
    }

    // ---- waiting

    /**
     * Waits until something is so.
     *
     * @param call which waits, and for what, if that takes long
     * @param atOnce whether it is refused with EAGAIN if it is not so now
     * @throws Refused EAGAIN, or EINTR if a signal was handled
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding lets a peer on a busy machine answer
    private void await(String call, Supplier<String> what, BooleanSupplier so, boolean atOnce) {
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos <= SPIN_NANOS) {
            if (isSo(so)) {
                return;
            }
            Thread.yield(); // a program that asks again and again lets its peer answer
            if (atOnce) {
                throw new Refused(Errno.EAGAIN.number(), null);
            }
        }
        Waits.during(call, () -> Waits.Wait.inVain(what.get()), () -> {
            while (!isSo(so)) {
                prepareToWait();
                if (!isSo(so)) {
                    wake.await(SLICE_MILLIS);
                }
            }
        });
    }

    private String unaccepted() {
        return "has waited for the connection; " + peer + " has neither accepted nor rejected it: is it in raccept?";
    }

    private String unread() {
        return "has waited for room; " + peer + " has not read what was written before";
    }

    private synchronized boolean isSo(BooleanSupplier so) {
        progress();
        return so.getAsBoolean();
    }

    /** What happens from now on makes the descriptor readable. */
    synchronized void prepareToWait() {
        wake.clear();
        if (stream != null) {
            stream.arm();
        }
    }

    // ---- data

    private Stream connected() {
        if (state == State.CONNECTING || state == State.ACCEPTING) {
            await(
                    "a call of an rsocket",
                    this::unaccepted,
                    () -> state != State.CONNECTING && state != State.ACCEPTING,
                    nonBlocking);
        }
        Stream own = stream;
        if (own == null || state != State.CONNECTED) {
            throw new Refused(Errno.ENOTCONN.number(), "the socket is not connected");
        }
        return own;
    }

    /**
     * Reads what has come.
     *
     * @param waitsForAll whether to wait until all of the memory is filled
     * @param atOnce whether not to wait at all
     * @return number of bytes; 0 at the end
     */
    long read(long to, long lengthBytes, boolean peeks, boolean waitsForAll, boolean atOnce) {
        Stream own = connected();
        long done = 0;
        do {
            try {
                await(
                        "a call that reads an rsocket",
                        () -> "has waited for bytes; " + peer + " has written none, nor shut down its side",
                        () -> own.hasData() || !own.isReadable(),
                        nonBlocking || atOnce);
            } catch (Refused e) {
                if (done > 0) {
                    return done;
                }
                throw e;
            }
            int count;
            boolean isTaken;
            synchronized (this) {
                count = own.read(to + done, lengthBytes - done, peeks);
                // By another thread, since it was waited for.
                isTaken = count == 0 && lengthBytes > 0 && own.isReadable();
            }
            if (count == 0 && !isTaken) {
                if (done == 0 && own.hasFailed()) {
                    throw new Refused(Errno.EIO.number(), "the connection failed");
                }
                return done;
            }
            done += count;
        } while ((done == 0 && lengthBytes > 0) || (waitsForAll && done < lengthBytes && !peeks));
        return done;
    }

    /** Writes bytes, all of them unless the socket does not wait; returns their number. */
    long write(long from, long lengthBytes, boolean atOnce) {
        return send(lengthBytes, atOnce, (own, done) -> own.write(from + done, lengthBytes - done));
    }

    /** Writes to memory that the peer has mapped. */
    long writeMapped(long from, long lengthBytes, long offset, boolean atOnce) {
        return send(
                lengthBytes, atOnce, (own, done) -> own.writeMapped(from + done, lengthBytes - done, offset + done));
    }

    private interface Sending {
        long next(Stream stream, long done);
    }

    private long send(long lengthBytes, boolean atOnce, Sending sending) {
        Stream own = connected();
        long done = 0;
        while (done < lengthBytes) {
            try {
                await(
                        "a call that writes to an rsocket",
                        this::unread,
                        () -> own.canSend() || !own.isWritable(),
                        nonBlocking || atOnce);
                if (!own.isWritable()) {
                    throw new Refused(ECONNRESET, "the connection is over");
                }
            } catch (Refused e) {
                if (done > 0) {
                    return done;
                }
                throw e;
            }
            long count;
            synchronized (this) {
                count = sending.next(own, done);
            }
            if (count < 0) {
                return done;
            }
            done += count;
        }
        return done;
    }

    /** The stream once the peer has said how many mappings it takes; who accepts knows that before the connection is established. */
    private Stream mappable() {
        Stream own = stream;
        return own != null && state == State.ACCEPTING ? own : connected();
    }

    boolean map(long address, long lengthBytes, long offset, boolean isWritten) {
        Stream own = mappable();
        synchronized (this) {
            return own.map(address, lengthBytes, offset, isWritten);
        }
    }

    boolean unmap(long address, long lengthBytes) {
        Stream own = mappable();
        synchronized (this) {
            return own.unmap(address, lengthBytes);
        }
    }

    void shutDown(boolean reads, boolean writes) {
        Stream own = stream;
        if (own == null || (state != State.CONNECTED && state != State.ACCEPTING)) {
            return;
        }
        boolean tells = writes || !own.isWritable();
        boolean isDone = false;
        while (!isDone) {
            if (tells) {
                await("rshutdown", this::unread, own::canSendControl, false);
            }
            synchronized (this) {
                // Another thread may have sent a message of control since it was waited for.
                isDone = !tells || own.canSendControl();
                if (isDone) {
                    own.shutDown(reads, writes);
                }
            }
        }
        if (tells) {
            awaitSent(own);
        }
        if (own.isOver()) {
            id.disconnect();
        }
    }

    /** What was written goes out before the socket is gone, if the peer takes it in time. */
    private void awaitSent(Stream own) {
        long startNanos = System.nanoTime();
        await(
                "rshutdown",
                this::unread,
                () -> own.allSent() || System.nanoTime() - startNanos > PATIENCE_OF_CLOSE.toNanos(),
                false);
    }

    void close() {
        OPEN.remove(wake.descriptor(), this);
        try {
            shutDown(true, true);
        } catch (RuntimeException e) {
            // The peer is gone, or does not answer.
        }
        synchronized (this) {
            channel.onReady(null);
            if (stream != null) {
                stream.close();
            }
            for (CmEvent request : requests) {
                request.acknowledge();
                request.id().close();
            }
            id.close();
            channel.close();
        }
        wake.close();
    }

    // ---- readiness

    static final int POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16;

    /** What is ready of what is asked for, as poll(2) says it. */
    synchronized int ready(int asked) {
        progress();
        Stream own = stream;
        return switch (state) {
            case LISTENING -> requests.isEmpty() ? 0 : asked & POLLIN;
            case FAILED_TO_CONNECT -> (asked & (POLLIN | POLLOUT)) | POLLERR;
            case CONNECTED -> own == null ? 0 : ready(own, asked);
            default -> 0;
        };
    }

    private static int ready(Stream own, int asked) {
        int ready = 0;
        if ((asked & POLLIN) != 0 && (own.hasData() || !own.isReadable())) {
            ready |= POLLIN;
        }
        if ((asked & POLLOUT) != 0 && own.canSend()) {
            ready |= POLLOUT;
        }
        return ready | (own.isOver() ? POLLHUP : 0) | (own.hasFailed() ? POLLERR : 0);
    }
}
