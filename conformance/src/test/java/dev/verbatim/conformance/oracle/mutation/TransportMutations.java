// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.verbs.EventType;
import java.util.List;
import java.util.function.Supplier;

/** Mistakes with what only UC, UD and shared receive queues have. */
final class TransportMutations {

    private static final String UC = "UnreliableTraffic.overUc";
    private static final String UD = "UnreliableTraffic.overUd";
    private static final String SHARED = "UnreliableTraffic.withSharedReceives";

    private TransportMutations() {}

    /** The table. Those that keep something from one call to the next are made anew for each run. */
    static final List<Supplier<Mutation>> TABLE = List.of(
            () -> new Mutation(
                    "a message over UC goes on behind a gap",
                    "uc.UcResponder",
                    "expects",
                    1,
                    call -> answer(true),
                    UC,
                    Check.WHOLE_MESSAGE),
            () -> new Mutation(
                    "a datagram is said to be longer than it is",
                    "message.ReceiveCompletion",
                    "add",
                    4,
                    call -> {
                        call.arguments()[3] = (int) call.arguments()[3] + 8;
                        return goOn();
                    },
                    UD,
                    Check.DATAGRAM_ONCE),
            () -> new Mutation(
                    "a datagram begins where the room for the GRH does",
                    "memory.SgeAccess",
                    "scatter",
                    5,
                    call -> {
                        call.arguments()[1] = 0L;
                        return goOn();
                    },
                    UD,
                    Check.RECEIVE_ORDER),
            () -> new Mutation(
                    "a receive of a shared queue is taken twice",
                    "receive.ReceiveQueue",
                    "exchangeOldest",
                    1,
                    takenTwice(),
                    SHARED,
                    Check.SHARED_RECEIVE_ONCE),
            () -> new Mutation(
                    "the event of a limit comes when as many are left",
                    "receive.ReceiveQueue",
                    "size",
                    0,
                    call -> answer((int) call.original() - 1),
                    SHARED,
                    Check.SHARED_RECEIVE_LIMIT),
            () -> new Mutation(
                    "a queue pair in ERR does not say that it takes no more shared receives",
                    "qp.QpContext",
                    "raise",
                    2,
                    call -> call.arguments()[0] == EventType.QP_LAST_WQE_REACHED ? answer(null) : goOn(),
                    SHARED,
                    Check.LAST_SHARED_RECEIVE),
            () -> new Mutation(
                    "communication is established twice",
                    "qp.QpContext",
                    "raise",
                    2,
                    twice(EventType.COMM_EST),
                    SHARED,
                    Check.ESTABLISHED_ONCE));

    private static Mistake twice(EventType type) {
        return call -> {
            if (call.arguments()[0] == type) {
                call.original(call.arguments());
            }
            return goOn();
        };
    }

    private static Mistake takenTwice() {
        Object[] last = new Object[1];
        return call -> {
            if (last[0] == null) {
                last[0] = call.original(call.arguments());
                return answer(last[0]);
            }
            Object again = last[0];
            last[0] = null;
            return answer(again);
        };
    }
}
