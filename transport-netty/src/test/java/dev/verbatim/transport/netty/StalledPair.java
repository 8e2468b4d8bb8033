// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Two connected devices and a relay between them that can hold what the near one sends, anywhere in a payload. */
final class StalledPair implements AutoCloseable {

    /** What memory is filled with before a transfer, and what the program puts there when it has the memory back. */
    static final byte BEFORE = 0x11;

    static final byte AFTER = 0x22;

    private static final int TURNS = 50;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final RcConnection PATIENT =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_4096).withRetries(0, 7, 7, 12);

    final Side near;
    final Side far;
    final Relay relay;
    private final QueuePair nearOther;
    private final QueuePair farOther;
    private final NettyFabric nearFabric;
    private final NettyFabric farFabric;
    private final Verbatim left;
    private final Verbatim right;

    /** Whose sockets have buffers of that size; 0 leaves them alone. */
    StalledPair(SocketTransport transport, int socketBufferBytes) throws IOException {
        NettyOptions options =
                NettyOptions.defaults().withTransport(transport).withSocketBufferBytes(socketBufferBytes);
        nearFabric = NettyFabric.open(options);
        farFabric = NettyFabric.open(options);
        left = Verbatim.over(nearFabric);
        right = Verbatim.over(farFabric);
        near = new Side(left.open("near"), QpCapabilities.USUAL);
        far = new Side(right.open("far"), QpCapabilities.USUAL);
        relay = Relay.to(farFabric.listen(Node.loopback(0)));
        nearFabric.dial(relay.address());
        PATIENT.join(near.qp, far.qp);
        nearOther = near.newQueuePair();
        farOther = far.newQueuePair();
        PATIENT.join(nearOther, farOther);
    }

    /** A region with all rights and windows, filled with one byte. */
    static MemoryRegion region(Side side, int lengthBytes, int fill) {
        MemoryRegion region = side.pd.register(Memory.allocate(lengthBytes), Side.ALL_RIGHTS | AccessFlags.MW_BIND);
        fill(region, fill);
        return region;
    }

    static void fill(MemoryRegion region, int value) {
        ByteBuffer bytes = region.memory().buffer();
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, (byte) value);
        }
    }

    /** Whether some byte of the memory is this one. */
    static boolean has(MemoryRegion region, byte value) {
        ByteBuffer bytes = region.memory().buffer();
        for (int i = 0; i < bytes.capacity(); i++) {
            if (bytes.get(i) == value) {
                return true;
            }
        }
        return false;
    }

    /** Waits until bytes have arrived at this index, though their packet has not. */
    static void awaitLanded(MemoryRegion region, int index) {
        long expected = 0x0101010101010101L * BEFORE;
        ByteBuffer bytes = region.memory().buffer();
        Await.until("a payload to land", () -> (long) LONGS.getVolatile(bytes, index) == expected);
    }

    /** Waits until the near device has handed all to its socket that this takes. */
    void awaitFullSocket() {
        for (int turn = 0; turn < TURNS; turn++) {
            nearOther.query();
        }
    }

    /** Everything passes, and is carried by the connection that was there all the time. */
    void goOn() {
        relay.letAllPass();
        near.bytes().putLong(0, 42);
        nearOther.postSend(SendWorkRequest.write(1001, far.address(0), far.rkey(), near.sge(0, 8)));
        nearOther.postSend(SendWorkRequest.read(1002, far.address(0), far.rkey(), near.sge(8, 8)));
    }

    /** What {@link #goOn} asked for has been done. The next completions are those. */
    void assertOthersGoOn() {
        assertThat(near.sent()).isSuccess().hasId(1001);
        assertThat(near.sent()).isSuccess().hasId(1002);
        assertThat(near.bytes().getLong(8)).isEqualTo(42);
        assertThat(relay.joined()).as("connections").isEqualTo(1);
    }

    @Override
    public void close() throws IOException {
        relay.letAllPass();
        left.close();
        right.close();
        relay.close();
        assertThat(nearFabric.directMemoryBytes() + farFabric.directMemoryBytes())
                .isZero();
    }
}
