// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.verbs.WcOpcode;
import java.util.List;

/**
 * The partial order of section F.2 over one stream of a recorded run. It knows where each operation touches memory, and
 * looks in the trace when that was: S gathered at the requester, X at the responder, L landed at the requester, C
 * completed. An operation that touches no byte has no such event and is not looked at.
 */
final class OrderCheck {

    private static final int NEVER = -1;

    private final List<TraceEvent> trace;
    private final RequestStream stream;
    private final List<Operation> operations;
    private final int[] firstGathered;
    private final int[] firstExecuted;
    private final int[] lastExecuted;
    private final int[] lastLanded;
    private final int[] completed;

    /** The target of no two operations may overlap. */
    OrderCheck(List<TraceEvent> trace, RequestStream stream) {
        this.trace = trace;
        this.stream = stream;
        this.operations = stream.operations;
        this.firstGathered = new int[operations.size()];
        this.firstExecuted = new int[operations.size()];
        this.lastExecuted = new int[operations.size()];
        this.lastLanded = new int[operations.size()];
        this.completed = new int[operations.size()];
        for (int i = 0; i < operations.size(); i++) {
            find(i, operations.get(i));
        }
    }

    private void find(int i, Operation operation) {
        long source = stream.source().address();
        long target = stream.target().address();
        int bytes = operation.isAtomic() ? Long.BYTES : operation.lengthBytes();
        int asking = stream.asking().number();
        int answering = stream.answering().number();
        String requester = stream.asking().device().name();
        String responder = stream.answering().device().name();
        long effect = operation.isSend() ? target + Ground.INBOX + Ground.slot(i) : target + operation.place();
        MemoryEffect kind = operation.isRead()
                ? MemoryEffect.FETCHED
                : operation.isAtomic() ? MemoryEffect.ATOMIC : MemoryEffect.PLACED;
        long landing = source + Ground.LANDING + Ground.slot(i);
        long gathered = source + RequestStream.from(i);
        firstGathered[i] =
                first(requester, asking, MemoryEffect.GATHERED, gathered, operation.landingBytes() > 0 ? 0 : bytes);
        firstExecuted[i] = first(responder, answering, kind, effect, bytes);
        lastExecuted[i] = last(responder, answering, kind, effect, bytes);
        lastLanded[i] = last(requester, asking, MemoryEffect.RETURNED, landing, operation.landingBytes());
        completed[i] = completion(requester, asking, i);
    }

    private int first(String device, int qp, MemoryEffect effect, long address, int bytes) {
        for (int at = 0; at < trace.size(); at++) {
            if (touches(trace.get(at), device, qp, effect, address, bytes)) {
                return at;
            }
        }
        return NEVER;
    }

    private int last(String device, int qp, MemoryEffect effect, long address, int bytes) {
        for (int at = trace.size() - 1; at >= 0; at--) {
            if (touches(trace.get(at), device, qp, effect, address, bytes)) {
                return at;
            }
        }
        return NEVER;
    }

    private static boolean touches(
            TraceEvent event, String device, int qp, MemoryEffect effect, long address, int bytes) {
        return event instanceof MemoryTouched touched
                && touched.device().equals(device)
                && touched.qp() == qp
                && touched.effect() == effect
                && touched.address() < address + bytes
                && touched.address() + touched.lengthBytes() > address;
    }

    private int completion(String device, int qp, int id) {
        for (int at = 0; at < trace.size(); at++) {
            if (trace.get(at) instanceof Completed done
                    && done.device().equals(device)
                    && done.qp() == qp
                    && done.workRequestId() == id
                    && done.opcode() != WcOpcode.RECV
                    && done.opcode() != WcOpcode.RECV_RDMA_WITH_IMM) {
                return at;
            }
        }
        return NEVER;
    }

    /** ORD-10: completions come in post order. */
    OrderCheck completionsAreInPostOrder() {
        inOrder("C(%d) < C(%d)", completed, completed, (i, j) -> true);
        return this;
    }

    /** ORD-11: what is behind a SEND, WRITE or atomic takes effect after it. */
    OrderCheck effectsAreInPostOrder() {
        inOrder(
                "X(%d) < X(%d)",
                lastExecuted, firstExecuted, (i, j) -> !operations.get(i).isRead());
        return this;
    }

    /** ORD-12: a READ is executed after the READs before it. */
    OrderCheck readsAreInPostOrder() {
        inOrder(
                "X(%d) < X(%d)",
                lastExecuted,
                firstExecuted,
                (i, j) -> operations.get(i).isRead() && operations.get(j).isRead());
        return this;
    }

    /** ORD-15: gathered before it is executed, executed and landed before it completes. */
    OrderCheck everyOperationGoesItsWay() {
        for (int i = 0; i < operations.size(); i++) {
            before("S(%d) < X(%d)", i, i, firstGathered[i], firstExecuted[i]);
            // A repeated READ request that comes late makes the responder fetch once more, for nobody.
            int executed = operations.get(i).isRead() ? firstExecuted[i] : lastExecuted[i];
            before("X(%d) < C(%d)", i, i, executed, completed[i]);
            before("L(%d) < C(%d)", i, i, lastLanded[i], completed[i]);
        }
        return this;
    }

    /** ORD-19: nothing of a fenced operation happens before all READs and atomics in front of it have landed. */
    OrderCheck fencesHold() {
        inOrder(
                "L(%d) < S(%d) fenced",
                lastLanded, firstGathered, (i, j) -> operations.get(j).fenced());
        inOrder(
                "L(%d) < X(%d) fenced",
                lastLanded, firstExecuted, (i, j) -> operations.get(j).fenced());
        return this;
    }

    private interface Pair {
        boolean isOrdered(int first, int second);
    }

    private void inOrder(String law, int[] earlier, int[] later, Pair pair) {
        for (int i = 0; i < operations.size(); i++) {
            for (int j = i + 1; j < operations.size(); j++) {
                if (pair.isOrdered(i, j)) {
                    before(law, i, j, earlier[i], later[j]);
                }
            }
        }
    }

    private void before(String law, int i, int j, int earlier, int later) {
        if (earlier != NEVER && later != NEVER) {
            assertThat(earlier)
                    .as(law + " in stream %d: %s, %s", i, j, stream.index, operations.get(i), operations.get(j))
                    .isLessThan(later);
        }
    }
}
