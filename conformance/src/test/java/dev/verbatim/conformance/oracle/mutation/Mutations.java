// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;

import dev.verbatim.conformance.oracle.Check;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Mistakes of an engine without postponed effects, each of which breaks one of the rules that hold in every mode. */
final class Mutations {

    private static final String PERFECT = "RandomTraffic.overPerfectLink";
    private static final String LOSSY = "RandomTraffic.overLossyLink";
    private static final String ERRORS = "RandomTraffic.withErrors";
    private static final String SIMULATED = "SimulatedTraffic.overPerfectLink";
    private static final String SIMULATED_ERRORS = "SimulatedTraffic.withErrors";

    private Mutations() {}

    /** The table. Those that keep something from one call to the next are made anew for each run. */
    static final List<Supplier<Mutation>> TABLE = List.of(
            () -> new Mutation(
                    "a fenced request does not wait",
                    "SendWqe",
                    "has",
                    1,
                    call -> call.arguments()[0].equals(SendFlags.FENCE) ? answer(false) : goOn(),
                    PERFECT,
                    Check.FENCE),
            () -> new Mutation(
                    "a WRITE is executed after what comes behind it",
                    "LocalMemory",
                    "place",
                    4,
                    late(),
                    PERFECT,
                    Check.EXECUTION_ORDER),
            () -> new Mutation(
                    "a WRITE is acknowledged before it is executed",
                    "LocalMemory",
                    "place",
                    4,
                    late(),
                    PERFECT,
                    Check.ACKNOWLEDGED_EXECUTED),
            () -> new Mutation(
                    "a WRITE completes before it is executed",
                    "LocalMemory",
                    "place",
                    4,
                    late(),
                    PERFECT,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "a message is received before the WRITE before it is executed",
                    "LocalMemory",
                    "place",
                    4,
                    late(),
                    PERFECT,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "the newest READ is fetched first",
                    "rc.ResponderResources",
                    "oldestPending",
                    0,
                    Mutations::newestPending,
                    PERFECT,
                    Check.READ_ORDER),
            () -> new Mutation(
                    "a later response is sent first",
                    "rc.ResponderResources",
                    "oldestPending",
                    0,
                    Mutations::newestPending,
                    PERFECT,
                    Check.RESPONSE_ORDER),
            () -> new Mutation(
                    "an ACK is sent before the responses before it",
                    "rc.ResponderOutbox",
                    "pull",
                    1,
                    Mutations::replyFirst,
                    PERFECT,
                    Check.RESPONSE_ORDER),
            () -> new Mutation(
                    "an ACK answers for more than it says",
                    "rc.Completer",
                    "acknowledgedUpTo",
                    1,
                    call -> {
                        call.arguments()[0] = ((int) call.arguments()[0] + 2) & 0xffffff;
                        return goOn();
                    },
                    LOSSY,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "a request completes twice",
                    "CompletionOutput",
                    "complete",
                    9,
                    call -> {
                        call.original(call.arguments());
                        return goOn();
                    },
                    PERFECT,
                    Check.ONE_COMPLETION),
            () -> new Mutation(
                    "a completion is lost",
                    "CompletionOutput",
                    "complete",
                    9,
                    everyThird(call -> answer(null)),
                    PERFECT,
                    Check.ONE_COMPLETION),
            () -> new Mutation(
                    "a completion of a send queue overtakes another",
                    "CompletionOutput",
                    "complete",
                    9,
                    swapped(true),
                    PERFECT,
                    Check.COMPLETION_ORDER),
            () -> new Mutation(
                    "a completion of a receive queue overtakes another",
                    "CompletionOutput",
                    "complete",
                    9,
                    swapped(false),
                    PERFECT,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "a request that failed completes with success",
                    "CompletionOutput",
                    "complete",
                    9,
                    call -> {
                        call.arguments()[1] = WcStatus.SUCCESS;
                        return goOn();
                    },
                    ERRORS,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "a request succeeds after another failed",
                    "CompletionOutput",
                    "complete",
                    9,
                    call -> {
                        if (call.arguments()[1] == WcStatus.WR_FLUSH_ERR) {
                            call.arguments()[1] = WcStatus.SUCCESS;
                        }
                        return goOn();
                    },
                    ERRORS,
                    Check.COMPLETION_ORDER),
            () -> new Mutation(
                    "what should be flushed has an error of its own",
                    "CompletionOutput",
                    "complete",
                    9,
                    call -> {
                        if (call.arguments()[1] == WcStatus.WR_FLUSH_ERR) {
                            call.arguments()[1] = WcStatus.RETRY_EXC_ERR;
                        }
                        return goOn();
                    },
                    ERRORS,
                    Check.FLUSH),
            () -> new Mutation(
                    "a request fails before the queue pair does",
                    "EmulatedQueuePair",
                    "fail",
                    2,
                    call -> {
                        ((Runnable) call.arguments()[1]).run();
                        call.arguments()[1] = (Runnable) () -> {};
                        return goOn();
                    },
                    ERRORS,
                    Check.ERROR_STATE),
            () -> new Mutation(
                    "a completion tells a wrong length",
                    "CompletionOutput",
                    "complete",
                    9,
                    call -> {
                        call.arguments()[3] = (int) call.arguments()[3] + 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.COMPLETION_FIELDS),
            () -> new Mutation(
                    "the newest receive is consumed first",
                    "ReceiveQueue",
                    "oldest",
                    0,
                    Mutations::newestReceive,
                    PERFECT,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "the bytes of a message come after its completion",
                    "LocalMemory",
                    "scatter",
                    5,
                    lateScatter(),
                    PERFECT,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a key that was revoked works still",
                    "KeyTable",
                    "remove",
                    1,
                    call -> answer(null),
                    "DirectedTraffic.writeAfterDeregistration",
                    Check.REVOKED),
            () -> new Mutation(
                    "a repeated atomic is done again",
                    "rc.RepeatedRequests",
                    "answerAtomic",
                    1,
                    call -> {
                        call(call(field(call.self(), "qp"), "localMemory"), "atomic", call.arguments()[0]);
                        return goOn();
                    },
                    LOSSY,
                    Check.ATOMIC_ONCE),
            () -> new Mutation(
                    "a repeated WRITE is placed again",
                    "rc.RepeatedRequests",
                    "answer",
                    2,
                    Mutations::placeAgain,
                    LOSSY,
                    Check.PLACED_ONCE),
            () -> new Mutation(
                    "a READ returns what stood there long ago",
                    "LocalMemory",
                    "addPiece",
                    7,
                    stale(),
                    PERFECT,
                    Check.DEVICE_VIEW),
            () -> new Mutation(
                    "a FETCH_ADD adds one too much",
                    "Placement",
                    "fetchAndAdd",
                    3,
                    call -> {
                        call.arguments()[2] = (long) call.arguments()[2] + 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.ATOMIC_RESULT),
            () -> new Mutation(
                    "an atomic returns another value than it found",
                    "Placement",
                    "fetchAndAdd",
                    3,
                    call -> answer((long) call.original(call.arguments()) - 1),
                    PERFECT,
                    Check.ATOMIC_SERIAL),
            () -> new Mutation(
                    "a COMPARE_SWAP does not compare",
                    "Placement",
                    "compareAndSwap",
                    4,
                    call -> {
                        ByteBuffer target = (ByteBuffer) call.arguments()[0];
                        long found = target.getLong((int) call.arguments()[1]);
                        target.putLong((int) call.arguments()[1], (long) call.arguments()[3]);
                        return answer(found);
                    },
                    PERFECT,
                    Check.ATOMIC_RESULT),
            () -> new Mutation(
                    "a SEND places other bytes than were gathered",
                    "LocalMemory",
                    "scatter",
                    5,
                    zeros(2, MemoryEffect.PLACED),
                    PERFECT,
                    Check.SEND_DATA),
            () -> new Mutation(
                    "a WRITE places other bytes than were gathered",
                    "LocalMemory",
                    "place",
                    4,
                    zeros(2, null),
                    PERFECT,
                    Check.WRITE_DATA),
            () -> new Mutation(
                    "a READ returns other bytes than were fetched",
                    "LocalMemory",
                    "scatter",
                    5,
                    zeros(2, MemoryEffect.RETURNED),
                    PERFECT,
                    Check.READ_DATA),
            () -> new Mutation(
                    "a request is gathered from another place",
                    "LocalMemory",
                    "gatherRun",
                    5,
                    call -> {
                        call.arguments()[0] = (long) call.arguments()[0] - 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.ADDRESS),
            () -> new Mutation(
                    "a sequence number is left out",
                    "SendWqe",
                    "start",
                    2,
                    everyThird(call -> {
                        call.arguments()[0] = ((int) call.arguments()[0] + 1) & 0xffffff;
                        return goOn();
                    }),
                    PERFECT,
                    Check.PSN),
            () -> new Mutation(
                    "a queue pair in ERR takes requests",
                    "EmulatedQueuePair",
                    "state",
                    0,
                    Mutations::receiveInError,
                    "DirectedTraffic.writeToQueuePairInError",
                    Check.EFFECT_AFTER_ERROR),
            () -> new Mutation(
                    "a queue pair that is drained starts requests",
                    "EmulatedQueuePair",
                    "state",
                    0,
                    call -> field(call.self(), "state") == QpState.SQD ? answer(QpState.RTS) : goOn(),
                    "DirectedTraffic.postWhileDraining",
                    Check.START_ORDER),
            () -> new Mutation(
                    "a message is received before programs see its bytes",
                    "PlacementBuffer",
                    "showBefore",
                    3,
                    call -> (boolean) call.arguments()[2] ? goOn() : answer(null),
                    SIMULATED,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a READ completes before programs see its result",
                    "PlacementBuffer",
                    "showBefore",
                    3,
                    call -> (boolean) call.arguments()[2] ? answer(null) : goOn(),
                    SIMULATED,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "an atomic is seen before the WRITE before it",
                    "LocalMemory",
                    "showPlaced",
                    1,
                    call -> isCalledBy("LocalMemory", "atomic") ? answer(null) : goOn(),
                    SIMULATED,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a READ leaves programs blind for the WRITE before it",
                    "LocalMemory",
                    "showPlaced",
                    1,
                    call -> isCalledBy("LocalMemory", "fetch") ? answer(null) : goOn(),
                    "DirectedTraffic.writeThenRead",
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "older bytes are shown over newer ones",
                    "HeldBytes",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.PROGRAM_VIEW),
            () -> new Mutation(
                    "an atomic is overwritten by what was placed before it",
                    "PlacementBuffer",
                    "showRange",
                    2,
                    call -> answer(null),
                    "DirectedTraffic.writeAndAddElsewhere",
                    Check.PROGRAM_VIEW),
            () -> new Mutation(
                    "the device does not see what it holds",
                    "PlacementBuffer",
                    "readThrough",
                    3,
                    call -> answer(null),
                    SIMULATED,
                    Check.DEVICE_VIEW),
            () -> new Mutation(
                    "a held completion overtakes another",
                    "HeldCompletion",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.COMPLETION_ORDER),
            () -> new Mutation(
                    "a held completion of a receive overtakes another",
                    "HeldCompletion",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "what a revoked key placed is shown later",
                    "PlacementBuffer",
                    "showAll",
                    1,
                    call -> answer(null),
                    SIMULATED_ERRORS,
                    Check.REVOKED));

    private static Payload copyOf(Payload payload) {
        byte[] bytes = payload.toBytes();
        Payload copy = new Payload();
        copy.add(ByteBuffer.wrap(bytes), 0, bytes.length);
        return copy;
    }

    /** Does what was asked one call later. */
    private static Mistake late() {
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
    private static Mistake lateScatter() {
        Mistake late = late();
        return call -> call.arguments()[3] == MemoryEffect.PLACED ? late.commit(call) : goOn();
    }

    private static Object newestPending(Call call) throws ReflectiveOperationException {
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

    private static Object replyFirst(Call call) throws ReflectiveOperationException {
        if ((int) field(call.self(), "replySyndrome") < 0) {
            return goOn();
        }
        call(call.self(), "fillReply", call.arguments());
        return answer(true);
    }

    private static Mistake everyThird(Mistake mistake) {
        int[] calls = new int[1];
        return call -> ++calls[0] % 3 == 0 ? mistake.commit(call) : goOn();
    }

    /** Shows every other completion after the next of the same work queue. */
    private static Mistake swapped(boolean ofSends) {
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

    private static Object newestReceive(Call call) throws ReflectiveOperationException {
        long posted = (long) field(call.self(), "posted");
        return posted == (long) field(call.self(), "completed")
                ? answer(null)
                : answer(call(call.self(), "slot", posted - 1));
    }

    private static Object placeAgain(Call call) throws ReflectiveOperationException {
        Packet packet = (Packet) call.arguments()[0];
        if (packet.opcode() == Opcode.RDMA_WRITE_ONLY) {
            Object memory = call(field(call.self(), "qp"), "localMemory");
            call(memory, "place", packet.remoteKey(), packet.remoteAddress(), packet.payload(), packet.psn());
        }
        return goOn();
    }

    /** Fetches from a copy of the region that was made when it was first fetched from. */
    private static Mistake stale() {
        Map<Object, ByteBuffer> copies = new IdentityHashMap<>();
        return call -> {
            Object[] arguments = call.arguments();
            if (arguments[0] != MemoryEffect.FETCHED) {
                return goOn();
            }
            Object region = arguments[1];
            ByteBuffer bytes = (ByteBuffer) call(region, "buffer");
            ByteBuffer copy = copies.computeIfAbsent(
                    region,
                    key -> ByteBuffer.allocate(bytes.capacity())
                            .put(bytes.duplicate().clear())
                            .clear());
            int index = (int) call(region, "indexOf", arguments[3]);
            int count = (int) arguments[4];
            ((Payload) arguments[6]).add(copy, index, count);
            Object address = call(region, "memoryAddressOf", arguments[3]);
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
                    false);
            return answer(null);
        };
    }

    private static Mistake zeros(int payloadArgument, MemoryEffect effect) {
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
    private static Object receiveInError(Call call) throws ReflectiveOperationException {
        return isCalledBy("EmulatedDevice", "receive") && field(call.self(), "state") == QpState.ERR
                ? answer(QpState.RTS)
                : goOn();
    }

    private static boolean isCalledBy(String className, String methodName) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + className)
                        && frame.getMethodName().equals(methodName)));
    }
}
