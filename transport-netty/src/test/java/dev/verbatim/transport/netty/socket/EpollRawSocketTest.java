// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.transport.netty.SocketTransport;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that went away while it was registered is an error of the system call, as with NIO, and no fault in Java. */
class EpollRawSocketTest {

    private static final int BYTES = 4096;

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
