// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A completion queue with room for four gets another size (CQ-02). */
class CompletionQueueResizeTest {

    private static final int ROOM = 4;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private CompletionChannel channel;
    private CompletionQueue cq;
    private QueuePair sender;

    @BeforeEach
    void connect() {
        channel = pair.left.device.createCompletionChannel();
        cq = pair.left.device.createCq(ROOM, null, channel, 0);
        sender = connected();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 50})
    @Rule("CQ-02")
    void completionsThatWaitStayInTheirOrderWhereverTheRingBegan(int entries) {
        for (int begun = 0; begun < ROOM; begun++) {
            post(1, begun);
            assertThat(cq.poll(ROOM)).hasSize(begun);
            post(1, ROOM);
            cq.resize(entries);
            assertThat(cq.entries()).isGreaterThanOrEqualTo(entries);
            post(ROOM + 1, entries - ROOM);
            assertIds(cq.poll(2 * entries), 1, entries);
            cq.resize(ROOM);
        }
    }

    @Test
    @Rule("CQ-02")
    void queueShrinksToWhatWaitsAndNoFurther() {
        cq.resize(16);
        post(1, 3);
        assertRefused(Errno.EINVAL, "CQ-02", () -> cq.resize(2), "cqe=2", "3 completions");
        assertThat(cq.entries()).isEqualTo(16);
        cq.resize(3);
        assertIds(cq.poll(9), 1, 3);
        cq.resize(1);
        post(4, 1);
        assertIds(cq.poll(9), 4, 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    @Rule("CQ-02")
    void sizeThatNoQueueCanHaveIsRefused(int entries) {
        post(1, 2);
        assertRefused(Errno.EINVAL, "CQ-02", () -> cq.resize(entries), "cqe=" + entries);
        assertThat(cq.entries()).isEqualTo(ROOM);
        assertIds(cq.poll(9), 1, 2);
    }

    @Test
    @Rule({"CQ-02", "CQ-03"})
    void overrunComesAtTheNewSizeAndABrokenQueueIsNotResized() {
        cq.resize(ROOM + 1);
        post(1, ROOM + 1);
        assertState(sender, QpState.RTS);
        post(9, 1);
        assertState(sender, QpState.ERR);
        assertRefused(Errno.EIO, "CQ-03", () -> cq.resize(100), "broken");
        assertIds(cq.poll(9), 1, ROOM + 1);
    }

    @Test
    @Rule({"CQ-02", "NT-01"})
    void queueThatWasArmedIsStillSo() {
        cq.requestNotify(false);
        cq.resize(64);
        assertThat(channel.pollEvent()).isNull();
        post(1, 1);
        CompletionEvent event = channel.pollEvent();
        assertThat(event).isNotNull();
        event.acknowledge();
        asserted();
    }

    @Test
    @Rule({"CQ-02", "QP-24"})
    void completionsOfAResetQueuePairGoBehindAResize() {
        cq.resize(16);
        QueuePair other = connected();
        for (int id = 1; id <= 3; id++) {
            other.postSend(write(100 + id));
            sender.postSend(write(id));
        }
        cq.resize(6);
        other.modify(new QpAttributes().state(QpState.RESET));
        cq.resize(3);
        assertIds(cq.poll(9), 1, 3);
    }

    @Test
    @Rule("PD-03")
    void destroyedQueueIsNotResized() {
        sender.close();
        cq.close();
        assertRefused(Errno.EINVAL, "PD-03", () -> cq.resize(8), "destroyed");
    }

    private void post(int first, int count) {
        for (int id = first; id < first + count; id++) {
            sender.postSend(write(id));
        }
    }

    private static void assertIds(List<WorkCompletion> completions, long first, long last) {
        assertThat(completions).hasSize((int) (last - first + 1));
        for (int i = 0; i < completions.size(); i++) {
            assertThat(completions.get(i)).isSuccess().hasId(first + i);
        }
    }

    private QueuePair connected() {
        QueuePair near = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        RcConnection.connect(near, pair.right.newQueuePair());
        return near;
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
