// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.verbatim.transport.netty.SocketTransport;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that went away while it was registered is an error of the system call, as with NIO, and no fault in Java. */
class EpollRawSocketTest {

    private static final int BYTES = 4096;
    private static final int WRITES = 500;

    /** What Java makes once, when it links, comes in the first. */
    private static final int MOST_ROUNDS = 3;

    @TempDir
    private Path directory;

    private FileDescriptor[] ends;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(SocketTransport.EPOLL.isAvailable(), "Netty's epoll is needed for this test");
        ends = FileDescriptor.pipe();
    }

    @AfterEach
    void close() throws IOException {
        for (FileDescriptor end : ends == null ? new FileDescriptor[0] : ends) {
            end.close();
        }
    }

    /** What is mapped beyond the end of a file is not there. */
    private MappedByteBuffer gone() throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("memory"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = file.map(MapMode.READ_WRITE, 0, BYTES);
            file.truncate(0);
            return mapped;
        }
    }

    @Test
    void writeOfMemoryThatIsGoneIsRefused() throws IOException {
        EpollRawSocket socket = new EpollRawSocket(ends[1]);
        for (boolean isAlone : new boolean[] {true, false}) {
            PendingBytes pieces = new PendingBytes();
            pieces.add(gone(), 0, BYTES);
            if (!isAlone) {
                pieces.add(ByteBuffer.allocateDirect(BYTES), 0, BYTES);
            }

            assertThatThrownBy(() -> socket.write(pieces))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Bad address");
        }
    }

    /** Since Java 22, asking for the address of a buffer makes an object where no compiler sees that it is not kept. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Tag("smoke")
    void writesMakeNoObjects(int piecesOfEach) throws IOException {
        EpollRawSocket socket = new EpollRawSocket(ends[1]);
        ByteBuffer frames = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer taken = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer[] memories = {frames, ByteBuffer.allocateDirect(BYTES), frames};
        PendingBytes pieces = new PendingBytes();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && fewest >= WRITES; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int write = 0; write < WRITES; write++) {
                for (int piece = 0; piece < piecesOfEach; piece++) {
                    pieces.add(memories[piece], 16 * piece, 8);
                }
                socket.write(pieces);
                ends[0].read(taken, 0, BYTES);
            }
            fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(fewest).as("bytes for %d writes", WRITES).isLessThan(WRITES);
    }

    @Test
    void readIntoMemoryThatIsGoneIsRefused() throws IOException {
        EpollRawSocket socket = new EpollRawSocket(ends[0]);
        ByteBuffer sent = ByteBuffer.allocateDirect(1);
        assertThat(ends[1].write(sent, 0, 1)).isOne();
        MappedByteBuffer gone = gone();

        assertThatThrownBy(() -> socket.read(gone, 0, BYTES, sent, 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Bad address");
    }
}
