// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;
import static dev.verbatim.conformance.oracle.mutation.Mutation.forbidden;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import java.util.List;

/** Mistakes of an engine with windows and with keys. */
final class WindowMutations {

    private static final String PERFECT = "RandomTraffic.overPerfectLink";
    private static final String ERRORS = "RandomTraffic.withErrors";
    private static final int VARIANT = 0x41;
    private static final String INDEXES = "WindowTraffic.useIndexesAgain";

    private WindowMutations() {}

    static final List<Mutation> TABLE = List.of(
            forbidden("a bind takes no effect", Check.BIND_ORDER, PERFECT)
                    .in("qp.WindowOperations.bind/1", call -> answer(null)),
            forbidden("a LOCAL_INV takes no effect", Check.INVALIDATION_ORDER, PERFECT)
                    .in("qp.WindowOperations.invalidate/1", call -> answer(null)),
            forbidden("a fenced LOCAL_INV does not wait", Check.FENCED_INVALIDATION, PERFECT)
                    .in("rc.Requester.isHeldBack/1", call -> answer(false)),
            forbidden(
                            "a SEND_WITH_INV invalidates before the WRITE before it is executed",
                            Check.REMOTE_INVALIDATION_ORDER,
                            PERFECT)
                    .in("memory.SgeAccess.place/5", Blunders::late),
            forbidden("a SEND_WITH_INV invalidates before its bytes are placed", Check.REMOTE_INVALIDATION, PERFECT)
                    .in("memory.SgeAccess.scatter/5", Blunders::lateScatter),
            forbidden("a SEND_WITH_INV does not invalidate", Check.REMOTE_INVALIDATION, PERFECT)
                    .in("qp.WindowOperations.invalidateForPeer/2", call -> answer(null)),
            forbidden(
                            "a SEND_WITH_INV that is repeated invalidates again",
                            Check.INVALIDATED_ONCE,
                            "WindowTraffic.repeatInvalidation")
                    .in("rc.RepeatedRequests.answer/2", Blunders::invalidateAgain),
            forbidden("a window gets the key of its region", Check.KEYS_UNIQUE, PERFECT)
                    .in("memory.EmulatedMemoryWindow.bind/4", call -> {
                        call.arguments()[0] = call(call.arguments()[1], "rkey");
                        return goOn();
                    }),
            forbidden(
                            "a message goes on under another binding with the same key",
                            Check.ONE_BINDING,
                            "WindowTraffic.bindAgainAmidAMessage")
                    .in("memory.AccessDecision.sameBinding/3", call -> answer(null)),
            forbidden("two keys take turns on an index", Check.KEY_FRESH, INDEXES)
                    .in("memory.KeyTable.fresh/1", Blunders::takingTurns),
            forbidden("an index comes again with the key that a program chose", Check.KEY_RECYCLED, INDEXES)
                    .in("memory.KeyTable.fresh/1", call -> answer((int) call.arguments()[0] << 8 | VARIANT)),
            forbidden("keys have no index", Check.KEY_INDEX, INDEXES).in("memory.DeviceMemory.traceKey/7", call -> {
                call.arguments()[0] = (int) call.arguments()[0] & 0xff;
                return goOn();
            }),
            forbidden("a window of type 2 gets another key than was asked for", Check.KEY_CHOSEN, PERFECT)
                    .in("memory.EmulatedMemoryWindow.bind/4", call -> {
                        call.arguments()[0] = (int) call.arguments()[0] ^ 1;
                        return goOn();
                    }),
            forbidden("a window of type 1 gets another key than was asked for", Check.KEY_ADVANCES, PERFECT)
                    .in("memory.EmulatedMemoryWindow.bind/4", call -> {
                        call.arguments()[0] = (int) call.arguments()[0] ^ 1;
                        return goOn();
                    }),
            forbidden("a bind of a window of type 1 asks for the key that it has", Check.KEY_ADVANCES, PERFECT)
                    .in("memory.EmulatedMemoryWindow.rkey/1", call -> answer(null)),
            forbidden("the old key of a window of type 1 that is bound again lives on", Check.REBOUND_AT_ONCE, PERFECT)
                    .in("memory.DeviceMemory.revoke/4", call -> answer(null)),
            forbidden("a window of type 2 that is bound is bound again", Check.BOUND_WHEN_FREE, ERRORS)
                    .in("memory.BindChecks.checkState/4", call -> answer(null)),
            forbidden("a window reaches beyond its region", Check.WINDOW_IN_REGION, "WindowTraffic.useBeyondTheRegion")
                    .in("memory.EmulatedMemoryRegion.covers/2", call -> answer(true)),
            forbidden("a window is a byte longer than was asked for", Check.BOUND_AS_ASKED, PERFECT)
                    .in("memory.EmulatedMemoryWindow.bind/4", call -> {
                        BindInfo info = (BindInfo) call.arguments()[2];
                        call.arguments()[2] =
                                new BindInfo(info.region(), info.address(), info.lengthBytes() + 1, info.access());
                        return goOn();
                    }),
            forbidden("a window has all rights", Check.BOUND_AS_ASKED, PERFECT)
                    .in("memory.EmulatedMemoryWindow.access/0", call -> answer(-1)),
            forbidden("a LOCAL_INV invalidates any window", Check.INVALIDATED_OWN, "WindowTraffic.invalidateTypeOne")
                    .in("qp.WindowOperations.checkInvalidation/3", call -> answer(null)),
            forbidden(
                            "a SEND_WITH_INV invalidates any window",
                            Check.REMOTELY_INVALIDATED_OWN,
                            "WindowTraffic.invalidateTypeOne")
                    .in("qp.WindowOperations.checkInvalidation/3", call -> answer(null)),
            forbidden("a bind that is done fails", Check.FAILURE_WITHOUT_EFFECT, PERFECT)
                    .in("qp.WindowOperations.bind/1", call -> {
                        Object refusal = call.original(call.arguments());
                        return answer(refusal == null ? Refusal.of(Rule.MW_50, "mistaken") : refusal);
                    }),
            forbidden("a window that was unbound can still be used", Check.WINDOW_REVOKED, ERRORS)
                    .in("memory.EmulatedMemoryWindow.unbind/0", call -> answer(null)),
            forbidden(
                            "what a window placed is shown after its invalidation has completed",
                            Check.WINDOW_REVOKED,
                            "WindowTraffic.endWindowOverHeldBytes")
                    .in("memory.PlacementBuffer.showRange/2", call -> answer(null)),
            forbidden(
                            "what a window placed is shown when the window is gone",
                            Check.WINDOW_GONE,
                            "WindowTraffic.endWindowOverHeldBytes")
                    .in("memory.PlacementBuffer.showRange/2", call -> answer(null)),
            forbidden(
                            "a window of type 2 is used over any queue pair",
                            Check.WINDOW_OF_ANOTHER,
                            "WindowTraffic.useOverAnotherQueuePair")
                    .in("memory.AccessDecision.otherQueuePair/3", call -> answer(null)),
            forbidden(
                            "the lower bits of a window's key are not compared",
                            Check.WINDOW_UNBOUND,
                            "WindowTraffic.useAnotherVariant")
                    .in(
                            "memory.KeyTable.byWindowKey/1",
                            call -> answer(call(call.self(), "windowAt", call.arguments()))),
            forbidden(
                            "the right of a READ is enough for everything",
                            Check.WINDOW_RIGHTS,
                            "WindowTraffic.useWithoutRight")
                    .in("memory.AccessDecision.throughWindow/6", Blunders::asRead),
            forbidden("the range of a window is that of its region", Check.WINDOW_RANGE, ERRORS)
                    .in("memory.EmulatedMemoryWindow.covers/2", call -> answer(true)),
            forbidden("a window is used when its region is gone", Check.WINDOW_ORPHANED, "WindowTraffic.useOrphan")
                    .in("memory.EmulatedMemoryRegion.isRegistered/0", call -> answer(true)),
            forbidden(
                            "the key of a window is taken for a local one",
                            Check.WINDOW_KEY_AS_LOCAL,
                            "WindowTraffic.useKeyAsLocal")
                    .in("memory.KeyTable.byLocalKey/1", call -> {
                        Object window = call(call.self(), "boundWindow", call.arguments());
                        return window == null ? goOn() : answer(field(window, "region"));
                    }));
}
