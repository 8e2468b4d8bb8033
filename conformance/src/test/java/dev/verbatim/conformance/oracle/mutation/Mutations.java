// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;
import static dev.verbatim.conformance.oracle.mutation.Mutation.forbidden;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.List;

/** Mistakes of an engine without deferred effects, each of which breaks one of the rules that hold in every mode. */
final class Mutations {

    private static final String PERFECT = "RandomTraffic.overPerfectLink";
    private static final String LOSSY = "RandomTraffic.overLossyLink";
    private static final String ERRORS = "RandomTraffic.withErrors";
    private static final String SIMULATED = "SimulatedTraffic.overPerfectLink";

    private Mutations() {}

    static final List<Mutation> TABLE = List.of(
            forbidden("a fenced request does not wait", Check.FENCE, PERFECT)
                    .in(
                            "qp.SendWqe.has/1",
                            call -> call.arguments()[0].equals(SendFlags.FENCE) ? answer(false) : goOn()),
            forbidden("a WRITE is executed after what comes behind it", Check.EXECUTION_ORDER, PERFECT)
                    .in("memory.SgeAccess.place/5", Blunders::late),
            forbidden("a WRITE is acknowledged before it is executed", Check.ACKNOWLEDGED_EXECUTED, PERFECT)
                    .in("memory.SgeAccess.place/5", Blunders::late),
            forbidden("a WRITE completes before it is executed", Check.COMPLETION_AFTER_EFFECT, PERFECT)
                    .in("memory.SgeAccess.place/5", Blunders::late),
            forbidden(
                            "a message is received before the WRITE before it is executed",
                            Check.VISIBLE_WHEN_PROMISED,
                            PERFECT)
                    .in("memory.SgeAccess.place/5", Blunders::late),
            forbidden("the newest READ is fetched first", Check.READ_ORDER, PERFECT)
                    .in("rc.ResponderResources.oldestPending/0", Blunders::newestPending),
            forbidden("a later response is sent first", Check.RESPONSE_ORDER, PERFECT)
                    .in("rc.ResponderResources.oldestPending/0", Blunders::newestPending),
            forbidden("an ACK is sent before the responses before it", Check.RESPONSE_ORDER, PERFECT)
                    .in("rc.ResponderOutbox.pull/1", Blunders::replyFirst),
            forbidden("an ACK answers for more than it says", Check.COMPLETION_AFTER_EFFECT, LOSSY)
                    .in("rc.Completer.acknowledgedUpTo/1", call -> {
                        call.arguments()[0] = ((int) call.arguments()[0] + 2) & 0xffffff;
                        return goOn();
                    }),
            forbidden("a request completes twice", Check.ONE_COMPLETION, PERFECT)
                    .in("cq.CompletionOutput.complete/10", call -> {
                        call.original(call.arguments());
                        return goOn();
                    }),
            forbidden("a completion is lost", Check.ONE_COMPLETION, PERFECT)
                    .in("cq.CompletionOutput.complete/10", () -> Blunders.everyThird(call -> answer(null))),
            forbidden("a completion of a send queue overtakes another", Check.COMPLETION_ORDER, PERFECT)
                    .in("cq.CompletionOutput.complete/10", () -> Blunders.swapped(true)),
            forbidden("a completion of a receive queue overtakes another", Check.RECEIVE_ORDER, PERFECT)
                    .in("cq.CompletionOutput.complete/10", () -> Blunders.swapped(false)),
            forbidden("a request that failed completes with success", Check.COMPLETION_AFTER_EFFECT, ERRORS)
                    .in("cq.CompletionOutput.complete/10", call -> {
                        call.arguments()[1] = WcStatus.SUCCESS;
                        return goOn();
                    }),
            forbidden("a request succeeds after another failed", Check.COMPLETION_ORDER, ERRORS)
                    .in("cq.CompletionOutput.complete/10", call -> {
                        if (call.arguments()[1] == WcStatus.WR_FLUSH_ERR) {
                            call.arguments()[1] = WcStatus.SUCCESS;
                        }
                        return goOn();
                    }),
            forbidden("what should be flushed has an error of its own", Check.FLUSH, ERRORS)
                    .in("cq.CompletionOutput.complete/10", call -> {
                        if (call.arguments()[1] == WcStatus.WR_FLUSH_ERR) {
                            call.arguments()[1] = WcStatus.RETRY_EXC_ERR;
                        }
                        return goOn();
                    }),
            forbidden("a request fails before the queue pair does", Check.ERROR_STATE, ERRORS)
                    .in("qp.QpContext.fail/2", call -> {
                        ((Runnable) call.arguments()[1]).run();
                        call.arguments()[1] = (Runnable) () -> {};
                        return goOn();
                    }),
            forbidden("a completion tells a wrong length", Check.COMPLETION_FIELDS, PERFECT)
                    .in("cq.CompletionOutput.complete/10", call -> {
                        call.arguments()[3] = (int) call.arguments()[3] + 1;
                        return goOn();
                    }),
            forbidden("the newest receive is consumed first", Check.RECEIVE_ORDER, PERFECT)
                    .in("receive.ReceiveQueue.oldest/0", Blunders::newestReceive),
            forbidden("the bytes of a message come after its completion", Check.VISIBLE_WHEN_PROMISED, PERFECT)
                    .in("memory.SgeAccess.scatter/5", Blunders::lateScatter),
            forbidden("a key that was revoked works still", Check.REVOKED, "DirectedTraffic.writeAfterDeregistration")
                    .in("memory.KeyTable.remove/1", call -> answer(null)),
            forbidden("a repeated atomic is done again", Check.ATOMIC_ONCE, LOSSY)
                    .in("rc.RepeatedRequests.answerOnce/2", call -> {
                        if (call.arguments()[1].toString().equals("DUP-03")) {
                            call(call(field(call.self(), "qp"), "sgeAccess"), "atomic", call.arguments()[0]);
                        }
                        return goOn();
                    }),
            forbidden("a repeated WRITE is placed again", Check.PLACED_ONCE, LOSSY)
                    .in("rc.RepeatedRequests.answer/2", Blunders::placeAgain),
            forbidden("a READ returns what stood there long ago", Check.DEVICE_VIEW, PERFECT)
                    .in("memory.SgeAccess.addPiece/8", Blunders::stale),
            forbidden("a FETCH_ADD adds one too much", Check.ATOMIC_RESULT, PERFECT)
                    .in("memory.Placement.fetchAndAdd/3", call -> {
                        call.arguments()[2] = (long) call.arguments()[2] + 1;
                        return goOn();
                    }),
            forbidden("an atomic returns another value than it found", Check.ATOMIC_SERIAL, PERFECT)
                    .in("memory.Placement.fetchAndAdd/3", call -> answer((long) call.original(call.arguments()) - 1)),
            forbidden("a COMPARE_SWAP does not compare", Check.ATOMIC_RESULT, PERFECT)
                    .in("memory.Placement.compareAndSwap/4", call -> {
                        ByteBuffer target = (ByteBuffer) call.arguments()[0];
                        long found = target.getLong((int) call.arguments()[1]);
                        target.putLong((int) call.arguments()[1], (long) call.arguments()[3]);
                        return answer(found);
                    }),
            forbidden("a SEND places other bytes than were gathered", Check.SEND_DATA, PERFECT)
                    .in("memory.SgeAccess.scatter/5", () -> Blunders.zeros(2, MemoryEffect.PLACED)),
            forbidden("a WRITE places other bytes than were gathered", Check.WRITE_DATA, PERFECT)
                    .in("memory.SgeAccess.place/5", () -> Blunders.zeros(2, null)),
            forbidden("a READ returns other bytes than were fetched", Check.READ_DATA, PERFECT)
                    .in("memory.SgeAccess.scatter/5", () -> Blunders.zeros(2, MemoryEffect.RETURNED)),
            forbidden("a word is torn by what reads it in parts", Check.WHOLE_WORDS, SIMULATED)
                    .in("memory.AlignedWords.cut/3", call -> {
                        call.arguments()[0] = (long) call.arguments()[0] + 4;
                        return goOn();
                    }),
            forbidden("a request is gathered from another place", Check.ADDRESS, PERFECT)
                    .in("memory.SgeAccess.gather/6", call -> {
                        long from = (long) call.arguments()[1];
                        call.arguments()[1] = from == 0 ? from : from - 1;
                        return goOn();
                    }),
            forbidden("a sequence number is left out", Check.PSN, PERFECT)
                    .in(
                            "qp.SendWqe.start/2",
                            () -> Blunders.everyThird(call -> {
                                call.arguments()[0] = ((int) call.arguments()[0] + 1) & 0xffffff;
                                return goOn();
                            })),
            forbidden(
                            "a queue pair in ERR takes requests",
                            Check.EFFECT_AFTER_ERROR,
                            "DirectedTraffic.writeToQueuePairInError")
                    .in("qp.QpContext.state/0", Blunders::receiveInError),
            forbidden(
                            "a queue pair that is drained starts requests",
                            Check.START_ORDER,
                            "DirectedTraffic.postWhileDraining")
                    .in(
                            "qp.QpContext.state/0",
                            call -> field(call.self(), "state") == QpState.SQD ? answer(QpState.RTS) : goOn()),
            forbidden("a message is received before programs see its bytes", Check.VISIBLE_WHEN_PROMISED, SIMULATED)
                    .in(
                            "memory.PlacementBuffer.showBefore/3",
                            call -> (boolean) call.arguments()[2] ? goOn() : answer(null)),
            forbidden("a READ completes before programs see its result", Check.COMPLETION_AFTER_EFFECT, SIMULATED)
                    .in(
                            "memory.PlacementBuffer.showBefore/3",
                            call -> (boolean) call.arguments()[2] ? answer(null) : goOn()),
            forbidden("an atomic is seen before the WRITE before it", Check.VISIBLE_WHEN_PROMISED, SIMULATED)
                    .in(
                            "memory.PlacementBuffer.showBefore/3",
                            call -> Blunders.isCalledBy("PlacementBuffer", "showBeforeAtomic") ? answer(null) : goOn()),
            forbidden(
                            "a READ leaves programs blind for the WRITE before it",
                            Check.VISIBLE_WHEN_PROMISED,
                            "DirectedTraffic.writeThenRead")
                    .in("memory.PlacementBuffer.showBeforeOnHost/1", call -> answer(null)),
            forbidden("older bytes are shown over newer ones", Check.PROGRAM_VIEW, SIMULATED)
                    .in("memory.HeldBytes.isNext/0", call -> answer(true)),
            forbidden(
                            "an atomic is overwritten by what was placed before it",
                            Check.PROGRAM_VIEW,
                            "DirectedTraffic.writeAndAddElsewhere")
                    .in("memory.PlacementBuffer.showRange/2", call -> answer(null)),
            forbidden("the device does not see what it holds", Check.DEVICE_VIEW, SIMULATED)
                    .in("memory.PlacementBuffer.readThrough/3", call -> answer(null)),
            forbidden("a held completion overtakes another", Check.COMPLETION_ORDER, SIMULATED)
                    .in("cq.HeldCompletion.isNext/0", call -> answer(true)),
            forbidden("a held completion of a receive overtakes another", Check.RECEIVE_ORDER, SIMULATED)
                    .in("cq.HeldCompletion.isNext/0", call -> answer(true)),
            forbidden(
                            "what a revoked key placed is shown later",
                            Check.REVOKED,
                            "DirectedTraffic.deregisterOverHeldBytes")
                    .in("memory.PlacementBuffer.showAll/1", call -> answer(null)));
}
