// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.compareSwap;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packet sequence numbers come round at 2^24 in the middle of everything (T-09). */
@Rule({"T-09", "PSN-01"})
class PsnWrapTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;
    private static final long TIMEOUT = AckTimeout.nanos(8);

    @ParameterizedTest
    @ValueSource(ints = {0xfffffc, 0xfffffd, 0xfffffe, 0xffffff, 0})
    void requesterSendsAndCompletesEveryOperationAcrossTheWrap(int first) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL, first, 0)) {
            it.posts(
                    SendWorkRequest.send(1, it.side.sge(0, 2 * MTU)),
                    SendWorkRequest.write(2, ADDRESS, RKEY, it.side.sge(0, 2 * MTU)),
                    SendWorkRequest.read(3, ADDRESS, RKEY, it.side.sge(0, 2 * MTU)),
                    SendWorkRequest.fetchAndAdd(4, ADDRESS, RKEY, 1, it.side.sge(0, 8)),
                    SendWorkRequest.compareAndSwap(5, ADDRESS, RKEY, 1, 2, it.side.sge(8, 8)));
            expectAll(it, first, 0);
            it.sends(nak(at(first, 1), Syndrome.NAK_PSN_SEQUENCE));
            expectAll(it, first, 1);
            it.sends(ack(at(first, 2)));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.after(TIMEOUT);
            expectAll(it, first, 3);
            it.sends(
                    readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, at(first, 4), pattern(0, MTU)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_LAST, at(first, 5), pattern(MTU, MTU)),
                    atomicResponse(at(first, 6), 10));
            for (long id = 2; id <= 4; id++) {
                assertThat(it.sent()).isSuccess().hasId(id);
            }
            it.sends(ack(at(first, 6)), atomicResponse(at(first, 6), 9)).completesNothing();
            it.sends(atomicResponse(at(first, 7), 11));
            assertThat(it.sent()).isSuccess().hasId(5);
            it.expectsNothing().holds(0, 10).holds(8, 11);
        }
    }

    /** The packets of the program from the {@code done}-th on. */
    private static void expectAll(Dialogue it, int first, int done) {
        Packet[] all = {
            packet(Opcode.SEND_FIRST, first, pattern(0, MTU)),
            packet(Opcode.SEND_LAST, at(first, 1), pattern(MTU, MTU)).ackRequest(true),
            write(Opcode.RDMA_WRITE_FIRST, at(first, 2), ADDRESS, RKEY, 2 * MTU, pattern(0, MTU)),
            packet(Opcode.RDMA_WRITE_LAST, at(first, 3), pattern(MTU, MTU)).ackRequest(true),
            readRequest(at(first, 4), ADDRESS, RKEY, 2 * MTU),
            fetchAdd(at(first, 6), ADDRESS, RKEY, 1),
            compareSwap(at(first, 7), ADDRESS, RKEY, 1, 2)
        };
        for (int i = done; i < all.length; i++) {
            it.expects(all[i]);
        }
        it.expectsNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {0xfffffc, 0xfffffd, 0xfffffe, 0xffffff, 0})
    void responderTakesAndAnswersEveryOperationAcrossTheWrap(int first) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL, 0, first)) {
            it.postsReceive(1, it.side.sge(4096, 2 * MTU)).side.bytes().putLong(0, 5);
            Packet[] requests = {
                packet(Opcode.SEND_FIRST, first, pattern(0, MTU)),
                packet(Opcode.SEND_LAST, at(first, 1), pattern(MTU, MTU)).ackRequest(true),
                write(
                        Opcode.RDMA_WRITE_FIRST,
                        at(first, 2),
                        it.side.address(8192),
                        it.side.rkey(),
                        2 * MTU,
                        new byte[MTU]),
                packet(Opcode.RDMA_WRITE_LAST, at(first, 3), new byte[MTU]).ackRequest(true),
                readRequest(at(first, 4), it.side.address(1024), it.side.rkey(), 2 * MTU),
                fetchAdd(at(first, 6), it.side.address(0), it.side.rkey(), 1),
                compareSwap(at(first, 7), it.side.address(0), it.side.rkey(), 6, 7)
            };
            it.sends(requests[6]).expects(nak(first, Syndrome.NAK_PSN_SEQUENCE));
            it.sends(requests);
            expectAnswers(it, first).holds(0, 7);
            assertThat(it.received()).isSuccess().hasId(1).hasByteLength(2 * MTU);
            // All of them once more: nothing is done again, and the answers are the same.
            it.side.bytes().put(4096, new byte[2 * MTU]);
            it.sends(requests);
            expectAnswers(it, first).expects(ack(at(first, 7))).expectsNothing().holds(0, 7);
            it.remembers(4096, new byte[2 * MTU]).completesNothing();
        }
    }

    private static Dialogue expectAnswers(Dialogue it, int first) {
        return it.expects(
                readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, at(first, 4), pattern(1024, MTU)),
                readResponse(Opcode.RDMA_READ_RESPONSE_LAST, at(first, 5), pattern(1024 + MTU, MTU)),
                atomicResponse(at(first, 6), 5),
                atomicResponse(at(first, 7), 6));
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"SEND_ONLY", "RDMA_WRITE_ONLY", "RDMA_READ_REQUEST", "FETCH_ADD", "SEND_FIRST", "RDMA_WRITE_FIRST"
            })
    void packetsOnBothSidesOfTheWrapAreToldApart(Opcode opcode) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL, 0, 0xffffff)) {
            it.sends(write(Opcode.RDMA_WRITE_ONLY, 0xffffff, 0, 0, 0, new byte[0]))
                    .expectsNothing();
            // Expected is 0: 0x7fffff is the last that is ahead, 0x800000 the oldest that was before.
            Packet ahead = packet(opcode, 0x7fffff).remoteKey(it.side.rkey());
            it.sends(ahead).expects(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            it.sends(packet(opcode, 0x800000).remoteKey(it.side.rkey()));
            it.sends(packet(opcode, 0xffffff).remoteKey(it.side.rkey()));
            if (opcode == Opcode.RDMA_READ_REQUEST || opcode == Opcode.FETCH_ADD) {
                it.expectsNothing();
            } else {
                it.expects(ack(0xffffff)).expectsNothing();
            }
        }
    }

    @Test
    void readOfManyPacketsIsResumedAcrossTheWrap() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL, 0xfffffe, 0)) {
            // TV-05 has this length at path MTU 1024; here every packet is a quarter of that.
            it.posts(SendWorkRequest.read(1, ADDRESS, RKEY, it.side.sge(0, 1025)));
            it.posts(SendWorkRequest.send(2, it.side.sge(0, 1)));
            it.expects(readRequest(0xfffffe, ADDRESS, RKEY, 1025), sendOnly(3)).expectsNothing();
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0xfffffe, pattern(0, MTU)));
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, 0xffffff, pattern(MTU, MTU)));
            it.after(TIMEOUT).expects(readRequest(0, ADDRESS + 2 * MTU, RKEY, 1025 - 2 * MTU), sendOnly(3));
        }
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 1)).ackRequest(true);
    }

    private static int at(int first, int count) {
        return first + count & 0xffffff;
    }
}
