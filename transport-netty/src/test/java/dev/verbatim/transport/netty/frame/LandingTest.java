// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Payload;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** What lands in memory that its owner takes away meanwhile: a mapped file that is cut. Java 17 throws the fault too late to be caught. */
@Tag("smoke")
@EnabledForJreRange(min = JRE.JAVA_21)
class LandingTest {

    private static final int PAGE_BYTES = 4096;

    @TempDir
    private Path directory;

    private final Landing landing = new Landing(UnpooledByteBufAllocator.DEFAULT);
    private FileChannel file;
    private ByteBuffer memory;

    /** Of 16 bytes, the last 8 of a page have come, and the first 8 of the next one are to come. */
    @BeforeEach
    void open() throws IOException {
        file = FileChannel.open(
                directory.resolve("memory"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        memory = file.map(FileChannel.MapMode.READ_WRITE, 0, 2 * PAGE_BYTES);
        landing.place().set(memory, PAGE_BYTES - Long.BYTES);
        landing.open(2 * Long.BYTES, true);
        landing.take(ByteBuffer.allocate(Long.BYTES).putLong(0, 42), 0, Long.BYTES);
        assertThat(memory.getLong(PAGE_BYTES - Long.BYTES)).isEqualTo(42);
    }

    @AfterEach
    void release() throws IOException {
        landing.release();
        file.close();
    }

    @Test
    void payloadGoesOnInTheMemoryOfTheConnectionWhereTheRestIsGone() throws IOException {
        file.truncate(PAGE_BYTES);
        landing.take(ByteBuffer.allocate(Long.BYTES).putLong(0, 43), 0, Long.BYTES);
        assertThat(landing.missingBytes()).isZero();
        Payload payload = new Payload();
        landing.finish(payload);
        assertThat(payload.lengthBytes()).isEqualTo(2 * Long.BYTES);
        assertThat(payload.buffer(0)).isNotSameAs(memory);
        assertThat(ByteBuffer.wrap(payload.toBytes()).getLong(0)).isEqualTo(42);
        assertThat(ByteBuffer.wrap(payload.toBytes()).getLong(Long.BYTES)).isEqualTo(43);
    }

    @Test
    void lettingGoOfMemoryThatIsGoneIsNoError() throws IOException {
        file.truncate(0);
        landing.letGo(memory);
        assertThat(landing.buffer()).isNotSameAs(memory);
        assertThat(landing.nextIndex()).isEqualTo(Long.BYTES);
    }
}
