// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;
import static dev.verbatim.conformance.oracle.mutation.Mutation.forbidden;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.verbs.EventType;
import java.util.List;

/** Mistakes with what only UC, UD and shared receive queues have. */
final class TransportMutations {

    private static final String UC = "UnreliableTraffic.overUc";
    private static final String UD = "UnreliableTraffic.overUd";
    private static final String SHARED = "UnreliableTraffic.withSharedReceives";

    private TransportMutations() {}

    static final List<Mutation> TABLE = List.of(
            forbidden("a message over UC goes on behind a gap", Check.WHOLE_MESSAGE, UC)
                    .in("uc.UcResponder.isNext/1", call -> answer(true)),
            forbidden("a datagram is said to be longer than it is", Check.DATAGRAM_ONCE, UD)
                    .in("message.ReceiveCompletion.add/4", call -> {
                        call.arguments()[3] = (int) call.arguments()[3] + 8;
                        return goOn();
                    }),
            forbidden("a datagram begins where the room for the GRH does", Check.RECEIVE_ORDER, UD)
                    .in("memory.SgeAccess.scatter/5", call -> {
                        call.arguments()[1] = 0L;
                        return goOn();
                    }),
            forbidden("a receive of a shared queue is taken twice", Check.SHARED_RECEIVE_ONCE, SHARED)
                    .in("receive.ReceiveQueue.exchangeOldest/1", () -> takenTwice()),
            forbidden("the event of a limit comes when as many are left", Check.SHARED_RECEIVE_LIMIT, SHARED)
                    .in("receive.ReceiveQueue.size/0", call -> answer((int) call.original() - 1)),
            forbidden(
                            "a queue pair in ERR does not say that it takes no more shared receives",
                            Check.LAST_SHARED_RECEIVE,
                            SHARED)
                    .in(
                            "qp.QpContext.raise/2",
                            call -> call.arguments()[0] == EventType.QP_LAST_WQE_REACHED ? answer(null) : goOn()),
            forbidden("communication is established twice", Check.ESTABLISHED_ONCE, SHARED)
                    .in("qp.QpContext.raise/2", () -> twice(EventType.COMM_EST)));

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
