// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** What methods of the engine do when there is a mistake in them. */
final class Blunders {

    private Blunders() {}

    static Payload copyOf(Payload payload) {
        byte[] bytes = payload.toBytes();
        Payload copy = new Payload();
        copy.add(ByteBuffer.wrap(bytes), 0, bytes.length);
        return copy;
    }

    /** Does what was asked one call later. */
    static Mistake late() {
        Object[] waiting = new Object[2];
        return call -> {
            Object[] before = (Object[]) waiting[1];
            Object of = waiting[0];
            Object[] now = call.arguments().clone();
            now[2] = copyOf((Payload) now[2]);
            waiting[0] = call.self();
            waiting[1] = now;
            if (before != null) {
                call.original(of, before);
            }
            return answer(null);
        };
    }

    /** The same, with what peers place by SENDs. */
    static Mistake lateScatter() {
        Mistake late = late();
        return call -> call.arguments()[3] == MemoryEffect.PLACED ? late.commit(call) : goOn();
    }

    static Object newestPending(Call call) throws ReflectiveOperationException {
        Object[] ring = (Object[]) field(call.self(), "ring");
        int next = (int) field(call.self(), "next");
        for (int i = ring.length - 1; i >= 0; i--) {
            Object resource = ring[(next + i) % ring.length];
            if ((boolean) call(resource, "isPending")) {
                return answer(resource);
            }
        }
        return answer(null);
    }

    static Object replyFirst(Call call) throws ReflectiveOperationException {
        if ((int) field(call.self(), "replySyndrome") < 0) {
            return goOn();
        }
        call(call.self(), "fillReply", call.arguments());
        return answer(true);
    }

    static Mistake everyThird(Mistake mistake) {
        int[] calls = new int[1];
        return call -> ++calls[0] % 3 == 0 ? mistake.commit(call) : goOn();
    }

    /** Shows every other completion after the next of the same work queue. */
    static Mistake swapped(boolean ofSends) {
        ArrayDeque<Call> waiting = new ArrayDeque<>();
        return call -> {
            if ((boolean) field(call.self(), "sends") != ofSends) {
                return goOn();
            }
            Call before = waiting.peek();
            if (before == null) {
                waiting.add(
                        new Call(call.self(), call.method(), call.arguments().clone()));
                return answer(null);
            }
            if (before.self() != call.self()) {
                return goOn();
            }
            call.original(call.arguments());
            before.original(waiting.remove().arguments());
            return answer(null);
        };
    }

    static Object newestReceive(Call call) throws ReflectiveOperationException {
        long posted = (long) field(call.self(), "posted");
        return posted == (long) field(call.self(), "completed")
                ? answer(null)
                : answer(call(call.self(), "slot", posted - 1));
    }

    static Object placeAgain(Call call) throws ReflectiveOperationException {
        Packet packet = (Packet) call.arguments()[0];
        if (packet.opcode() == Opcode.RDMA_WRITE_ONLY) {
            Object qp = field(call.self(), "qp");
            Object target = call(call(qp, "keys"), "target", packet.remoteKey());
            call(
                    call(qp, "sgeAccess"),
                    "place",
                    target,
                    packet.remoteAddress(),
                    packet.payload(),
                    packet.remoteKey(),
                    packet.psn());
        }
        return goOn();
    }

    static Object invalidateAgain(Call call) throws ReflectiveOperationException {
        Packet packet = (Packet) call.arguments()[0];
        if (packet.opcode() == Opcode.SEND_ONLY_WITH_INVALIDATE) {
            Object qp = field(call.self(), "qp");
            Object peer = call(call(qp, "attributes"), "destinationQp");
            call(call(qp, "windows"), "invalidateForPeer", packet.invalidateKey(), peer);
        }
        return goOn();
    }

    /** Gives an index one key and another in turns. */
    static Mistake takingTurns() {
        Map<Object, Integer> given = new HashMap<>();
        return call -> {
            int index = (int) call.arguments()[0];
            // Regions have two keys each.
            return answer(index << 8 | given.merge(index, 2, Integer::sum) & 2);
        };
    }

    static Object asRead(Call call) throws ReflectiveOperationException {
        for (Object operation : call.arguments()[3].getClass().getEnumConstants()) {
            if (((Enum<?>) operation).name().equals("RDMA_READ")) {
                call.arguments()[3] = operation;
            }
        }
        return goOn();
    }

    /** Fetches from a copy of the region that was made when it was first fetched from. */
    static Mistake stale() {
        Map<Object, ByteBuffer> copies = new IdentityHashMap<>();
        return call -> {
            Object[] arguments = call.arguments();
            if (arguments[0] != MemoryEffect.FETCHED) {
                return goOn();
            }
            Object region = arguments[1];
            ByteBuffer bytes = (ByteBuffer) call(region, "bufferAt", arguments[3]);
            ByteBuffer copy = copies.computeIfAbsent(
                    region,
                    key -> ByteBuffer.allocate(bytes.capacity())
                            .put(bytes.duplicate().clear())
                            .clear());
            int index = (int) (long) arguments[3];
            int count = (int) arguments[4];
            ((Payload) arguments[7]).add(copy, index, count);
            Object address = call(region, "memoryAddressAt", arguments[3]);
            call(
                    field(call.self(), "trace"),
                    "memory",
                    arguments[0],
                    arguments[2],
                    arguments[5],
                    address,
                    copy,
                    index,
                    count,
                    arguments[6],
                    false);
            return answer(null);
        };
    }

    static Mistake zeros(int payloadArgument, MemoryEffect effect) {
        return call -> {
            if (effect == null || call.arguments()[3] == effect) {
                int count = ((Payload) call.arguments()[payloadArgument]).lengthBytes();
                Payload zeros = new Payload();
                zeros.add(ByteBuffer.allocate(count), 0, count);
                call.arguments()[payloadArgument] = zeros;
            }
            return goOn();
        };
    }

    /** The device that looks whether a queue pair receives finds one in ERR ready; nobody else does. */
    static Object receiveInError(Call call) throws ReflectiveOperationException {
        return isCalledBy("PacketIntake", "receive") && field(call.self(), "state") == QpState.ERR
                ? answer(QpState.RTS)
                : goOn();
    }

    static boolean isCalledBy(String className, String methodName) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + className)
                        && frame.getMethodName().equals(methodName)));
    }
}
