// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.Polled;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a trace tells of completions and of the polls that take them. */
class PolledCompletionsTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private void write(long id) {
        pair.left.qp.postSend(SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
    }

    @Test
    void eachCompletionThatIsPolledIsTracedWithWhatIsLeft() {
        write(1);
        write(2);
        write(3);
        assertThat(pair.left.sendCq.poll(new WorkCompletion[] {new WorkCompletion(), new WorkCompletion()}))
                .isEqualTo(2);
        assertThat(pair.left.sendCq.poll(5)).hasSize(1);
        assertThat(pair.tap.events(Polled.class))
                .extracting(Polled::device, Polled::qp, Polled::workRequestId, Polled::left)
                .containsExactly(
                        tuple("left", pair.left.qp.number(), 1L, 2L),
                        tuple("left", pair.left.qp.number(), 2L, 1L),
                        tuple("left", pair.left.qp.number(), 3L, 0L));
    }

    @Test
    void pollThatFindsNothingIsNotTraced() {
        assertThat(pair.left.sendCq.poll(1)).isEmpty();
        assertThat(pair.left.sendCq.poll(new WorkCompletion[0])).isZero();
        assertThat(pair.tap.events(Polled.class)).isEmpty();
    }

    @Test
    void completionsAndPollsNameTheirCompletionQueue() {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(7, pair.right.sge(0, 8)));
        pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        pair.right.qp.postSend(SendWorkRequest.write(8, pair.left.address(0), pair.left.rkey(), pair.right.sge(0, 8)));
        pair.right.recvCq.awaitCompletion(Await.LIMIT);
        pair.right.sendCq.awaitCompletion(Await.LIMIT);
        int received = queueOfCompletion(7);
        int sent = queueOfCompletion(8);
        assertThat(received).isPositive().isNotEqualTo(sent);
        assertThat(sent).isPositive();
        assertThat(pair.tap.events(Polled.class))
                .extracting(Polled::workRequestId, Polled::cq)
                .containsExactly(tuple(7L, received), tuple(8L, sent));
    }

    private int queueOfCompletion(long id) {
        return pair.tap.events(Completed.class).stream()
                .filter(completed -> completed.device().equals("right") && completed.workRequestId() == id)
                .findFirst()
                .orElseThrow()
                .cq();
    }
}
