// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A device remembers what it was asked for last; what is gone is gone at once, however often it was asked for before. */
@Tag("smoke")
class RememberedKeysTest {

    private static final int TIMES = 3;
    private static final int LENGTH_BYTES = 8;

    @Test
    void remoteKeyOfARegionThatWasClosedIsRefused() {
        refusesOnceThis(side -> side.region.close());
    }

    @Test
    void remoteKeyOfARegionThatLostItsRightsIsRefused() {
        refusesOnceThis(side -> side.region.reregister(AccessFlags.LOCAL_WRITE));
    }

    @Test
    void remoteKeyOfARegionWithOtherMemoryIsRefused() {
        refusesOnceThis(side -> side.region.reregister(Memory.allocate(LENGTH_BYTES), 0, LENGTH_BYTES));
    }

    private static void refusesOnceThis(Consumer<Side> change) {
        try (Dialogue it = Dialogue.begin()) {
            long address = it.side.address(0);
            int key = it.side.rkey();
            for (int psn = 0; psn < TIMES; psn++) {
                it.sends(write(psn, address, key)).expects(Packets.ack(psn));
            }
            ByteBuffer memory = it.side.bytes();
            long before = memory.getLong(0);
            change.accept(it.side);
            it.sends(write(TIMES, address, key)).expects(Packets.nak(TIMES, Syndrome.NAK_REMOTE_ACCESS));
            assertThat(memory.getLong(0)).isEqualTo(before);
        }
    }

    @Test
    void localKeyOfARegionThatWasClosedIsRefused() {
        try (Dialogue it = Dialogue.begin()) {
            Sge element = it.side.sge(0, LENGTH_BYTES);
            for (int psn = 0; psn < TIMES; psn++) {
                it.posts(SendWorkRequest.write(psn, 0x1000, 0x105, element));
                it.take();
                it.sends(Packets.ack(psn));
                assertThat(it.sent().isSuccess()).isTrue();
            }
            it.side.region.close();
            it.posts(SendWorkRequest.write(TIMES, 0x1000, 0x105, element)).expectsNothing();
            assertThat(it.sent().status()).isEqualTo(WcStatus.LOC_PROT_ERR);
        }
    }

    @Test
    void queuePairThatWasDestroyedHearsNothing() {
        try (Dialogue it = Dialogue.begin()) {
            int number = it.side.qp.number();
            for (int psn = 0; psn < TIMES; psn++) {
                it.sends(write(psn, it.side.address(0), it.side.rkey())).expects(Packets.ack(psn));
            }
            ByteBuffer memory = it.side.bytes();
            long before = memory.getLong(0);
            it.side.qp.close();
            it.tap.clear();
            it.sends(write(TIMES, it.side.address(0), it.side.rkey()).destQp(number))
                    .expectsNothing();
            assertThat(memory.getLong(0)).isEqualTo(before);
            assertThat(it.tap.events().toString()).contains("no queue pair has number");
        }
    }

    private static Packet write(int psn, long address, int key) {
        byte[] payload = new byte[LENGTH_BYTES];
        payload[0] = (byte) (psn + 1);
        return Packets.write(Opcode.RDMA_WRITE_ONLY, psn, address, key, LENGTH_BYTES, payload)
                .ackRequest(true);
    }
}
