// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/** Mistakes of an engine without deferred effects, each of which breaks one of the rules that hold in every mode. */
final class Mutations {

    private static final String PERFECT = "RandomTraffic.overPerfectLink";
    private static final String LOSSY = "RandomTraffic.overLossyLink";
    private static final String ERRORS = "RandomTraffic.withErrors";
    private static final String SIMULATED = "SimulatedTraffic.overPerfectLink";

    private Mutations() {}

    /** The table. Those that keep something from one call to the next are made anew for each run. */
    static final List<Supplier<Mutation>> TABLE = List.of(
            () -> new Mutation(
                    "a fenced request does not wait",
                    "qp.SendWqe",
                    "has",
                    1,
                    call -> call.arguments()[0].equals(SendFlags.FENCE) ? answer(false) : goOn(),
                    PERFECT,
                    Check.FENCE),
            () -> new Mutation(
                    "a WRITE is executed after what comes behind it",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.late(),
                    PERFECT,
                    Check.EXECUTION_ORDER),
            () -> new Mutation(
                    "a WRITE is acknowledged before it is executed",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.late(),
                    PERFECT,
                    Check.ACKNOWLEDGED_EXECUTED),
            () -> new Mutation(
                    "a WRITE completes before it is executed",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.late(),
                    PERFECT,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "a message is received before the WRITE before it is executed",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.late(),
                    PERFECT,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "the newest READ is fetched first",
                    "rc.ResponderResources",
                    "oldestPending",
                    0,
                    Blunders::newestPending,
                    PERFECT,
                    Check.READ_ORDER),
            () -> new Mutation(
                    "a later response is sent first",
                    "rc.ResponderResources",
                    "oldestPending",
                    0,
                    Blunders::newestPending,
                    PERFECT,
                    Check.RESPONSE_ORDER),
            () -> new Mutation(
                    "an ACK is sent before the responses before it",
                    "rc.ResponderOutbox",
                    "pull",
                    1,
                    Blunders::replyFirst,
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
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    call -> {
                        call.original(call.arguments());
                        return goOn();
                    },
                    PERFECT,
                    Check.ONE_COMPLETION),
            () -> new Mutation(
                    "a completion is lost",
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    Blunders.everyThird(call -> answer(null)),
                    PERFECT,
                    Check.ONE_COMPLETION),
            () -> new Mutation(
                    "a completion of a send queue overtakes another",
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    Blunders.swapped(true),
                    PERFECT,
                    Check.COMPLETION_ORDER),
            () -> new Mutation(
                    "a completion of a receive queue overtakes another",
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    Blunders.swapped(false),
                    PERFECT,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "a request that failed completes with success",
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    call -> {
                        call.arguments()[1] = WcStatus.SUCCESS;
                        return goOn();
                    },
                    ERRORS,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "a request succeeds after another failed",
                    "cq.CompletionOutput",
                    "complete",
                    10,
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
                    "cq.CompletionOutput",
                    "complete",
                    10,
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
                    "qp.QpContext",
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
                    "cq.CompletionOutput",
                    "complete",
                    10,
                    call -> {
                        call.arguments()[3] = (int) call.arguments()[3] + 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.COMPLETION_FIELDS),
            () -> new Mutation(
                    "the newest receive is consumed first",
                    "receive.ReceiveQueue",
                    "oldest",
                    0,
                    Blunders::newestReceive,
                    PERFECT,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "the bytes of a message come after its completion",
                    "memory.SgeAccess",
                    "scatter",
                    5,
                    Blunders.lateScatter(),
                    PERFECT,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a key that was revoked works still",
                    "memory.KeyTable",
                    "remove",
                    1,
                    call -> answer(null),
                    "DirectedTraffic.writeAfterDeregistration",
                    Check.REVOKED),
            () -> new Mutation(
                    "a repeated atomic is done again",
                    "rc.RepeatedRequests",
                    "answerOnce",
                    2,
                    call -> {
                        if (call.arguments()[1].toString().equals("DUP-03")) {
                            call(call(field(call.self(), "qp"), "sgeAccess"), "atomic", call.arguments()[0]);
                        }
                        return goOn();
                    },
                    LOSSY,
                    Check.ATOMIC_ONCE),
            () -> new Mutation(
                    "a repeated WRITE is placed again",
                    "rc.RepeatedRequests",
                    "answer",
                    2,
                    Blunders::placeAgain,
                    LOSSY,
                    Check.PLACED_ONCE),
            () -> new Mutation(
                    "a READ returns what stood there long ago",
                    "memory.SgeAccess",
                    "addPiece",
                    8,
                    Blunders.stale(),
                    PERFECT,
                    Check.DEVICE_VIEW),
            () -> new Mutation(
                    "a FETCH_ADD adds one too much",
                    "memory.Placement",
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
                    "memory.Placement",
                    "fetchAndAdd",
                    3,
                    call -> answer((long) call.original(call.arguments()) - 1),
                    PERFECT,
                    Check.ATOMIC_SERIAL),
            () -> new Mutation(
                    "a COMPARE_SWAP does not compare",
                    "memory.Placement",
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
                    "memory.SgeAccess",
                    "scatter",
                    5,
                    Blunders.zeros(2, MemoryEffect.PLACED),
                    PERFECT,
                    Check.SEND_DATA),
            () -> new Mutation(
                    "a WRITE places other bytes than were gathered",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.zeros(2, null),
                    PERFECT,
                    Check.WRITE_DATA),
            () -> new Mutation(
                    "a READ returns other bytes than were fetched",
                    "memory.SgeAccess",
                    "scatter",
                    5,
                    Blunders.zeros(2, MemoryEffect.RETURNED),
                    PERFECT,
                    Check.READ_DATA),
            () -> new Mutation(
                    "a word is torn by what reads it in parts",
                    "memory.AlignedWords",
                    "cut",
                    3,
                    call -> {
                        call.arguments()[0] = (long) call.arguments()[0] + 4;
                        return goOn();
                    },
                    SIMULATED,
                    Check.WHOLE_WORDS),
            () -> new Mutation(
                    "a request is gathered from another place",
                    "memory.SgeAccess",
                    "gather",
                    6,
                    call -> {
                        long from = (long) call.arguments()[1];
                        call.arguments()[1] = from == 0 ? from : from - 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.ADDRESS),
            () -> new Mutation(
                    "a sequence number is left out",
                    "qp.SendWqe",
                    "start",
                    2,
                    Blunders.everyThird(call -> {
                        call.arguments()[0] = ((int) call.arguments()[0] + 1) & 0xffffff;
                        return goOn();
                    }),
                    PERFECT,
                    Check.PSN),
            () -> new Mutation(
                    "a queue pair in ERR takes requests",
                    "qp.QpLifecycle",
                    "state",
                    0,
                    Blunders::receiveInError,
                    "DirectedTraffic.writeToQueuePairInError",
                    Check.EFFECT_AFTER_ERROR),
            () -> new Mutation(
                    "a queue pair that is drained starts requests",
                    "qp.QpLifecycle",
                    "state",
                    0,
                    call -> field(call.self(), "state") == QpState.SQD ? answer(QpState.RTS) : goOn(),
                    "DirectedTraffic.postWhileDraining",
                    Check.START_ORDER),
            () -> new Mutation(
                    "a message is received before programs see its bytes",
                    "memory.PlacementBuffer",
                    "showBefore",
                    3,
                    call -> (boolean) call.arguments()[2] ? goOn() : answer(null),
                    SIMULATED,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a READ completes before programs see its result",
                    "memory.PlacementBuffer",
                    "showBefore",
                    3,
                    call -> (boolean) call.arguments()[2] ? answer(null) : goOn(),
                    SIMULATED,
                    Check.COMPLETION_AFTER_EFFECT),
            () -> new Mutation(
                    "an atomic is seen before the WRITE before it",
                    "memory.SgeAccess",
                    "showPlaced",
                    1,
                    call -> Blunders.isCalledBy("SgeAccess", "atomic") ? answer(null) : goOn(),
                    SIMULATED,
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "a READ leaves programs blind for the WRITE before it",
                    "memory.SgeAccess",
                    "showPlaced",
                    1,
                    call -> Blunders.isCalledBy("SgeAccess", "fetch") ? answer(null) : goOn(),
                    "DirectedTraffic.writeThenRead",
                    Check.VISIBLE_WHEN_PROMISED),
            () -> new Mutation(
                    "older bytes are shown over newer ones",
                    "memory.HeldBytes",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.PROGRAM_VIEW),
            () -> new Mutation(
                    "an atomic is overwritten by what was placed before it",
                    "memory.PlacementBuffer",
                    "showRange",
                    2,
                    call -> answer(null),
                    "DirectedTraffic.writeAndAddElsewhere",
                    Check.PROGRAM_VIEW),
            () -> new Mutation(
                    "the device does not see what it holds",
                    "memory.PlacementBuffer",
                    "readThrough",
                    3,
                    call -> answer(null),
                    SIMULATED,
                    Check.DEVICE_VIEW),
            () -> new Mutation(
                    "a held completion overtakes another",
                    "cq.HeldCompletion",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.COMPLETION_ORDER),
            () -> new Mutation(
                    "a held completion of a receive overtakes another",
                    "cq.HeldCompletion",
                    "isNext",
                    0,
                    call -> answer(true),
                    SIMULATED,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "what a revoked key placed is shown later",
                    "memory.PlacementBuffer",
                    "showAll",
                    1,
                    call -> answer(null),
                    "DirectedTraffic.deregisterOverHeldBytes",
                    Check.REVOKED));
}
