// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import java.util.List;
import java.util.function.Supplier;

/** Mistakes of an engine with windows and with keys. */
final class WindowMutations {

    private static final String PERFECT = "RandomTraffic.overPerfectLink";
    private static final String ERRORS = "RandomTraffic.withErrors";
    private static final int VARIANT = 0x41;
    private static final String INDEXES = "WindowTraffic.useIndexesAgain";

    private WindowMutations() {}

    /** The table. Those that keep something from one call to the next are made anew for each run. */
    static final List<Supplier<Mutation>> TABLE = List.of(
            () -> new Mutation(
                    "a bind takes no effect",
                    "qp.WindowOperations",
                    "bind",
                    1,
                    call -> answer(null),
                    PERFECT,
                    Check.BIND_ORDER),
            () -> new Mutation(
                    "a LOCAL_INV takes no effect",
                    "qp.WindowOperations",
                    "invalidate",
                    1,
                    call -> answer(null),
                    PERFECT,
                    Check.INVALIDATION_ORDER),
            () -> new Mutation(
                    "a fenced LOCAL_INV does not wait",
                    "rc.Requester",
                    "isHeldBack",
                    1,
                    call -> answer(false),
                    PERFECT,
                    Check.FENCED_INVALIDATION),
            () -> new Mutation(
                    "a SEND_WITH_INV invalidates before the WRITE before it is executed",
                    "memory.SgeAccess",
                    "place",
                    4,
                    Blunders.late(),
                    PERFECT,
                    Check.REMOTE_INVALIDATION_ORDER),
            () -> new Mutation(
                    "a SEND_WITH_INV invalidates before its bytes are placed",
                    "memory.SgeAccess",
                    "scatter",
                    5,
                    Blunders.lateScatter(),
                    PERFECT,
                    Check.REMOTE_INVALIDATION),
            () -> new Mutation(
                    "a SEND_WITH_INV does not invalidate",
                    "qp.WindowOperations",
                    "invalidateForPeer",
                    2,
                    call -> answer(null),
                    PERFECT,
                    Check.REMOTE_INVALIDATION),
            () -> new Mutation(
                    "a SEND_WITH_INV that is repeated invalidates again",
                    "rc.RepeatedRequests",
                    "answer",
                    2,
                    Blunders::invalidateAgain,
                    "WindowTraffic.repeatInvalidation",
                    Check.INVALIDATED_ONCE),
            () -> new Mutation(
                    "a window gets the key of its region",
                    "memory.EmulatedMemoryWindow",
                    "bind",
                    4,
                    call -> {
                        call.arguments()[0] = call(call.arguments()[1], "rkey");
                        return goOn();
                    },
                    PERFECT,
                    Check.KEYS_UNIQUE),
            () -> new Mutation(
                    "a message goes on under another binding with the same key",
                    "memory.AccessDecision",
                    "sameBinding",
                    3,
                    call -> answer(null),
                    "WindowTraffic.bindAgainAmidAMessage",
                    Check.ONE_BINDING),
            () -> new Mutation(
                    "two keys take turns on an index",
                    "memory.KeyTable",
                    "fresh",
                    1,
                    Blunders.takingTurns(),
                    INDEXES,
                    Check.KEY_FRESH),
            () -> new Mutation(
                    "an index comes again with the key that a program chose",
                    "memory.KeyTable",
                    "fresh",
                    1,
                    call -> answer((int) call.arguments()[0] << 8 | VARIANT),
                    INDEXES,
                    Check.KEY_RECYCLED),
            () -> new Mutation(
                    "keys have no index",
                    "memory.KeyTable",
                    "fresh",
                    1,
                    call -> answer((int) call.original(call.arguments()) & 0xff),
                    INDEXES,
                    Check.KEY_INDEX),
            () -> new Mutation(
                    "a window of type 2 gets another key than was asked for",
                    "memory.EmulatedMemoryWindow",
                    "bind",
                    4,
                    call -> {
                        call.arguments()[0] = (int) call.arguments()[0] ^ 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.KEY_CHOSEN),
            () -> new Mutation(
                    "a window of type 1 gets another key than was asked for",
                    "memory.EmulatedMemoryWindow",
                    "bind",
                    4,
                    call -> {
                        call.arguments()[0] = (int) call.arguments()[0] ^ 1;
                        return goOn();
                    },
                    PERFECT,
                    Check.KEY_ADVANCES),
            () -> new Mutation(
                    "a bind of a window of type 1 asks for the key that it has",
                    "memory.EmulatedMemoryWindow",
                    "rkey",
                    1,
                    call -> answer(null),
                    PERFECT,
                    Check.KEY_ADVANCES),
            () -> new Mutation(
                    "the old key of a window of type 1 that is bound again lives on",
                    "memory.DeviceMemory",
                    "revoke",
                    3,
                    call -> answer(null),
                    PERFECT,
                    Check.REBOUND_AT_ONCE),
            () -> new Mutation(
                    "a window of type 2 that is bound is bound again",
                    "memory.BindChecks",
                    "checkState",
                    4,
                    call -> answer(null),
                    ERRORS,
                    Check.BOUND_WHEN_FREE),
            () -> new Mutation(
                    "a window reaches beyond its region",
                    "memory.EmulatedMemoryRegion",
                    "covers",
                    2,
                    call -> answer(true),
                    "WindowTraffic.useBeyondTheRegion",
                    Check.WINDOW_IN_REGION),
            () -> new Mutation(
                    "a window is a byte longer than was asked for",
                    "memory.EmulatedMemoryWindow",
                    "bind",
                    4,
                    call -> {
                        BindInfo info = (BindInfo) call.arguments()[2];
                        call.arguments()[2] =
                                new BindInfo(info.region(), info.address(), info.lengthBytes() + 1, info.access());
                        return goOn();
                    },
                    PERFECT,
                    Check.BOUND_AS_ASKED),
            () -> new Mutation(
                    "a window has all rights",
                    "memory.EmulatedMemoryWindow",
                    "access",
                    0,
                    call -> answer(-1),
                    PERFECT,
                    Check.BOUND_AS_ASKED),
            () -> new Mutation(
                    "a LOCAL_INV invalidates any window",
                    "qp.WindowOperations",
                    "checkInvalidation",
                    3,
                    call -> answer(null),
                    "WindowTraffic.invalidateTypeOne",
                    Check.INVALIDATED_OWN),
            () -> new Mutation(
                    "a SEND_WITH_INV invalidates any window",
                    "qp.WindowOperations",
                    "checkInvalidation",
                    3,
                    call -> answer(null),
                    "WindowTraffic.invalidateTypeOne",
                    Check.REMOTELY_INVALIDATED_OWN),
            () -> new Mutation(
                    "a bind that is done fails",
                    "qp.WindowOperations",
                    "bind",
                    1,
                    call -> {
                        Object refusal = call.original(call.arguments());
                        return answer(refusal == null ? Refusal.of(Rule.MW_50, "mistaken") : refusal);
                    },
                    PERFECT,
                    Check.FAILURE_WITHOUT_EFFECT),
            () -> new Mutation(
                    "a window that was unbound can still be used",
                    "memory.EmulatedMemoryWindow",
                    "unbind",
                    0,
                    call -> answer(null),
                    ERRORS,
                    Check.WINDOW_REVOKED),
            () -> new Mutation(
                    "what a window placed is shown after its invalidation has completed",
                    "memory.PlacementBuffer",
                    "showRange",
                    2,
                    call -> answer(null),
                    "WindowTraffic.endWindowOverHeldBytes",
                    Check.WINDOW_REVOKED),
            () -> new Mutation(
                    "what a window placed is shown when the window is gone",
                    "memory.PlacementBuffer",
                    "showRange",
                    2,
                    call -> answer(null),
                    "WindowTraffic.endWindowOverHeldBytes",
                    Check.WINDOW_GONE),
            () -> new Mutation(
                    "a window of type 2 is used over any queue pair",
                    "memory.AccessDecision",
                    "otherQueuePair",
                    3,
                    call -> answer(null),
                    "WindowTraffic.useOverAnotherQueuePair",
                    Check.WINDOW_OF_ANOTHER),
            () -> new Mutation(
                    "the lower bits of a window's key are not compared",
                    "memory.KeyTable",
                    "byWindowKey",
                    1,
                    call -> answer(call(call.self(), "windowAt", call.arguments())),
                    "WindowTraffic.useAnotherVariant",
                    Check.WINDOW_UNBOUND),
            () -> new Mutation(
                    "the right of a READ is enough for everything",
                    "memory.AccessDecision",
                    "throughWindow",
                    6,
                    Blunders::asRead,
                    "WindowTraffic.useWithoutRight",
                    Check.WINDOW_RIGHTS),
            () -> new Mutation(
                    "the range of a window is that of its region",
                    "memory.EmulatedMemoryWindow",
                    "covers",
                    2,
                    call -> answer(true),
                    ERRORS,
                    Check.WINDOW_RANGE),
            () -> new Mutation(
                    "a window is used when its region is gone",
                    "memory.EmulatedMemoryRegion",
                    "isRegistered",
                    0,
                    call -> answer(true),
                    "WindowTraffic.useOrphan",
                    Check.WINDOW_ORPHANED),
            () -> new Mutation(
                    "the key of a window is taken for a local one",
                    "memory.KeyTable",
                    "byLocalKey",
                    1,
                    call -> {
                        Object window = call(call.self(), "boundWindow", call.arguments());
                        return window == null ? goOn() : answer(field(window, "region"));
                    },
                    "WindowTraffic.useKeyAsLocal",
                    Check.WINDOW_KEY_AS_LOCAL));
}
