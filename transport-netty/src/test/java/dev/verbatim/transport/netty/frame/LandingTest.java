// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Payload;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What lands in memory that its owner takes away meanwhile. */
class LandingTest {

    private final Landing landing = new Landing(UnpooledByteBufAllocator.DEFAULT);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
    private boolean usable = true;
    private String asked = "";

    private void open() {
        landing.place()
                .set(
                        memory,
                        8,
                        (offset, count) -> {
                            asked = count + " at " + offset;
                            return usable;
                        },
                        1000);
        landing.open(16, true);
        landing.take(ByteBuffer.allocate(8).putLong(0, -1), 0, 8);
        assertThat(memory.getLong(8)).isEqualTo(-1);
        assertThat(asked).isEqualTo("16 at 1000");
    }

    @AfterEach
    void release() {
        landing.release();
    }

    @Test
    void restOfAPayloadLeavesMemoryThatCannotBeUsedAlone() {
        open();
        usable = false;
        landing.take(ByteBuffer.allocate(8).putLong(0, -1), 0, 8);
        assertThat(memory.getLong(16)).isZero();
        assertThat(landing.missingBytes()).isZero();
        Payload payload = new Payload();
        landing.finish(payload);
        assertThat(payload.lengthBytes()).isEqualTo(16);
        assertThat(payload.buffer(0)).isNotSameAs(memory);
    }

    @Test
    void socketsReadToTheMemoryOfTheConnectionThen() {
        open();
        assertThat(landing.buffer()).isSameAs(memory);
        usable = false;
        assertThat(landing.buffer()).isNotSameAs(memory);
        assertThat(landing.nextIndex()).isEqualTo(8);
    }

    @Test
    void lettingGoReadsNothingThatCannotBeRead() {
        open();
        usable = false;
        landing.letGo(memory);
        assertThat(asked).isEqualTo("8 at 1000");
        assertThat(landing.buffer()).isNotSameAs(memory);
    }
}
