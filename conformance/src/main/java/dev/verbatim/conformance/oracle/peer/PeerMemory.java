// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the peer's memory must look like: all that the own device asked is played in its order, and held against what came back. */
final class PeerMemory {

    private final Findings findings;
    private final PeerKeys keys;
    private final PeerBytes bytes;
    private boolean isBlind;

    PeerMemory(Findings findings, PeerKeys keys, PeerBytes bytes) {
        this.findings = findings;
        this.keys = keys;
        this.bytes = bytes;
    }

    /** What the peer asks for itself lands there when it likes. */
    void asks(SendWorkRequest request) {
        for (int i = 0; i < request.elementCount(); i++) {
            anything(request.element(i));
        }
    }

    /** Something that is not judged may land there. */
    void receives(ReceiveWorkRequest receive) {
        for (int i = 0; i < receive.elementCount(); i++) {
            anything(receive.element(i));
        }
    }

    private void anything(Sge element) {
        long address = keys.memoryAddress(element.lkey(), element.address());
        isBlind |= address < 0;
        bytes.anything(address, Integer.toUnsignedLong(element.lengthBytes()));
    }

    /** All writes of a connection, before any is played. */
    void claim(PeerConnection connection) {
        for (AskedRequest request : connection.responder().requests) {
            if (request.isAtomic()) {
                long address = keys.memoryAddress(request.posted.remoteKey(), request.posted.remoteAddress());
                if (address >= 0) {
                    bytes.claimWord(connection.number(), address);
                }
                continue;
            }
            for (int packet = 0; packet < request.packets; packet++) {
                byte[] sent = request.sent[packet];
                if (sent == null || connection.responder().isUndone(request, packet)) {
                    continue;
                }
                place(connection, request, packet, sent, (address, part) -> {
                    bytes.claim(connection.number(), address, part);
                    if (request.isAmbiguous || !connection.isReliable()) {
                        bytes.anything(address, part.length);
                    }
                });
            }
        }
    }

    /** What takes the parts of a packet. */
    private interface Placing {
        void part(long address, byte... part);
    }

    private void place(PeerConnection connection, AskedRequest request, int packet, byte[] sent, Placing placing) {
        long offset = request.offsetOf(packet);
        if (request.isWrite()) {
            long address = keys.memoryAddress(request.posted.remoteKey(), request.posted.remoteAddress() + offset);
            if (address >= 0) {
                placing.part(address, sent);
            } else {
                isBlind |= keys.lives(request.posted.remoteKey()) > 0;
            }
            return;
        }
        ReceiveWorkRequest receive = request.isSend() && connection.isReliable() ? connection.receiveOf(request) : null;
        long begin = 0;
        for (int i = 0; receive != null && i < receive.elementCount(); i++) {
            Sge element = receive.element(i);
            long lengthBytes = Integer.toUnsignedLong(element.lengthBytes());
            long from = Math.max(offset, begin);
            long to = Math.min(offset + sent.length, begin + lengthBytes);
            if (from < to) {
                long address = keys.memoryAddress(element.lkey(), element.address() + from - begin);
                isBlind |= address < 0;
                placing.part(address, Arrays.copyOfRange(sent, (int) (from - offset), (int) (to - offset)));
            }
            begin += lengthBytes;
        }
    }

    /** Plays all requests of a connection, and checks what came back. */
    void play(PeerConnection connection) {
        PeerResponder responder = connection.responder();
        for (AskedRequest request : responder.requests) {
            if (request.isAtomic()) {
                atomic(connection, request);
                continue;
            }
            for (int packet = 0; packet < request.packets; packet++) {
                byte[] sent = request.sent[packet];
                boolean isSure = responder.isDone(request, packet);
                if (sent != null && !responder.isUndone(request, packet)) {
                    place(
                            connection,
                            request,
                            packet,
                            sent,
                            (address, part) -> bytes.write(request.number, address, isSure, part));
                }
            }
        }
        responder.requests.stream().filter(AskedRequest::isRead).forEach(request -> read(connection, request));
    }

    private void atomic(PeerConnection connection, AskedRequest request) {
        long address = keys.memoryAddress(request.posted.remoteKey(), request.posted.remoteAddress());
        if (address < 0 || isBlind || !bytes.isWordOf(connection.number(), address)) {
            findings.notJudged(Gap.PEER_UNSEEN);
            if (address >= 0) {
                word(address, null);
            }
            return;
        }
        Long found = word(address);
        Long original = request.original;
        if (original == null) {
            if (!connection.responder().isUndone(request, 0)) {
                word(address, null);
            }
            return;
        }
        findings.checked(Check.PEER_ATOMIC);
        if (found != null && !found.equals(original)) {
            findings.violated(
                    Check.PEER_ATOMIC,
                    Text.of("the peer of %s found 0x%x for %s, where 0x%x stood", connection, original, request, found),
                    request.startedAt);
        }
        SendWorkRequest posted = request.posted;
        long after = switch (posted.opcode()) {
            case ATOMIC_FETCH_AND_ADD -> original + posted.compareOrAdd();
            case ATOMIC_CMP_AND_SWP -> original == posted.compareOrAdd() ? posted.swap() : original;
            default -> throw new IllegalStateException(posted + " is no atomic that the oracle knows");
        };
        word(address, after);
    }

    private @Nullable Long word(long address) {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < Long.BYTES; i++) {
            int value = bytes.current(address + i);
            if (value == PeerBytes.UNKNOWN) {
                return null;
            }
            word.put(i, (byte) value);
        }
        return word.getLong(0);
    }

    private void word(long address, @Nullable Long value) {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        word.putLong(0, value == null ? 0 : value);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes.current(address + i, value == null ? PeerBytes.UNKNOWN : word.get(i) & 0xff);
        }
    }

    private void read(PeerConnection connection, AskedRequest request) {
        long address = keys.memoryAddress(request.posted.remoteKey(), request.posted.remoteAddress());
        if (address < 0 || isBlind || request.isAmbiguous || !connection.isReliable()) {
            findings.notJudged(Gap.PEER_UNSEEN);
            return;
        }
        for (int packet = 0; packet < request.packets; packet++) {
            byte[] returned = request.returned[packet];
            for (int i = 0; returned != null && i < returned.length; i++) {
                long at = address + request.offsetOf(packet) + i;
                Boolean can = bytes.canRead(connection.number(), request.number, at, returned[i] & 0xff);
                if (can == null) {
                    findings.notJudged(Gap.PEER_UNSEEN);
                } else {
                    findings.checked(Check.PEER_READ_DATA);
                }
                if (Boolean.FALSE.equals(can)) {
                    findings.violated(
                            Check.PEER_READ_DATA,
                            Text.of(
                                    "the peer of %s returns 0x%x of 0x%x for %s, which never stood there",
                                    connection, returned[i], at, request),
                            request.startedAt);
                    return;
                }
            }
        }
    }

    /** What stands there in the end. */
    void atEnd(long address, byte... last) {
        for (int i = 0; i < last.length; i++) {
            Boolean can = isBlind ? null : bytes.canBe(address + i, last[i] & 0xff);
            if (can == null) {
                findings.notJudged(Gap.PEER_UNSEEN);
                continue;
            }
            findings.checked(Check.PEER_MEMORY);
            if (!can) {
                findings.violated(
                        Check.PEER_MEMORY,
                        Text.of(
                                "the peer has 0x%x at 0x%x in the end, which nothing that it acknowledged leaves there",
                                last[i], address + i),
                        -1);
                return;
            }
        }
    }
}
