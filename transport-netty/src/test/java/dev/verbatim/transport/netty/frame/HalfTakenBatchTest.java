// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.socket.TakingSocket;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.SegmentRun;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch of which the socket took a part, when its memory is let go of; and how much memory a batch refers to at most. */
class HalfTakenBatchTest {

    private static final int RUN_BYTES = SegmentRun.MOST_BYTES;
    private static final int RUNS = 3;

    private final TakingSocket socket = new TakingSocket();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(RUNS * RUN_BYTES);
    private final WriteBatch batch =
            new WriteBatch(UnpooledByteBufAllocator.DEFAULT, false, socket, new ReentrantLock());

    @AutoClose("release")
    private final WriteBatch released = batch;

    @ParameterizedTest
    @ValueSource(ints = {1, 100, RUN_BYTES, RUN_BYTES + 40, 2 * RUN_BYTES + 12_345, RUNS * RUN_BYTES})
    void whatIsLeftGoesOnFromACopy(int takenFirst) throws IOException {
        byte[] whole = frames(-1);
        byte[] halved = frames(takenFirst);
        assertThat(halved).isEqualTo(whole);
    }

    /** The bytes of a batch of some runs, of which the socket takes so many before the memory is let go of and changes. */
    private byte[] frames(int takenFirst) throws IOException {
        socket.taken();
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i * 31 >> 3));
        }
        Packet packet = new Packet();
        for (int i = 0; i < RUNS; i++) {
            packet.begin(Opcode.RDMA_WRITE_ONLY, 17, i).packets(SegmentRun.MOST_PACKETS);
            packet.payload().add(memory, i * RUN_BYTES, RUN_BYTES);
            batch.add(packet);
        }
        socket.room(takenFirst < 0 ? Long.MAX_VALUE : takenFirst);
        boolean isWhole = batch.write();
        assertThat(isWhole).isEqualTo(takenFirst < 0);
        if (!isWhole) {
            FileRegion rest = (FileRegion) batch.take();
            batch.letGo(memory);
            for (int i = 0; i < memory.capacity(); i++) {
                memory.put(i, (byte) 0x5a);
            }
            socket.room(Long.MAX_VALUE);
            rest.transferTo(null, 0);
            rest.release();
        }
        assertThat(batch.isEmpty()).isTrue();
        return socket.taken();
    }

    /** Of one message more than of several, whose bytes are better written before the next are touched. */
    @ParameterizedTest
    @CsvSource({
        "RDMA_WRITE_ONLY, " + TransportLimits.MOST_VIEWED_BYTES_OF_MESSAGES,
        "RDMA_WRITE_MIDDLE, " + TransportLimits.MOST_VIEWED_BYTES
    })
    void aBatchRefersToABoundedAmountOfMemory(Opcode opcode, long mostBytes) {
        Packet packet = new Packet();
        long lentBytes = 0;
        while (batch.hasRoom()) {
            packet.begin(opcode, 17, 1).packets(SegmentRun.MOST_PACKETS);
            packet.payload().add(memory, 0, RUN_BYTES);
            batch.add(packet);
            lentBytes += RUN_BYTES;
        }
        assertThat(lentBytes).isBetween(mostBytes, mostBytes + RUN_BYTES);
        batch.letGo(memory);
    }
}
