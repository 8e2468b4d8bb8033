// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Programs that show what may come of events: asynchronous ones and those of completions. */
final class EventLitmus {

    private static final Duration LONG = Duration.ofDays(1);

    private EventLitmus() {}

    /** Left sends to a queue pair of right that is in RTR; right has the receive, and looks whether it has COMM_EST (N11). */
    static String eventBesideAReceive(LitmusPair pair) {
        QueuePair[] ends = halfConnected(pair);
        String[] seen = new String[1];
        pair.simulation.node("left", node -> ends[0].postSend(SendWorkRequest.send(1)));
        pair.simulation.node("right", node -> {
            pair.right.recvCq.awaitCompletion(LONG);
            seen[0] = pair.right.device.pollAsyncEvent() == null ? "none" : "event";
        });
        return pair.run() + "the receive: " + seen[0];
    }

    /** The same, when all is over. */
    static String eventInTheEnd(LitmusPair pair) {
        QueuePair[] ends = halfConnected(pair);
        pair.simulation.node("left", node -> ends[0].postSend(SendWorkRequest.send(1)));
        String end = pair.run() + "in the end: ";
        AsyncEvent event = pair.right.device.pollAsyncEvent();
        return end + (event == null ? "none" : event.type());
    }

    private static QueuePair[] halfConnected(LitmusPair pair) {
        QueuePair sender = pair.left.newQueuePair();
        QueuePair receiver = pair.right.newQueuePair();
        RcConnection usual = RcConnection.USUAL.withRetries(1, 3, 7, 1);
        usual.readyToReceive(sender, RcConnection.Endpoint.of(receiver, 1));
        usual.readyToReceive(receiver, RcConnection.Endpoint.of(sender, 2));
        usual.readyToSend(sender, 2);
        receiver.postRecv(ReceiveWorkRequest.of(1));
        return new QueuePair[] {sender, receiver};
    }

    /** A queue is armed and fires twice; then its events are counted (N12). */
    static String firingsThatNobodyReads(LitmusPair pair) {
        return counted(pair, 2, false);
    }

    /** A queue has had its completion polled, is armed, and nothing more comes; then its events are counted (N12). */
    static String armedBehindACompletion(LitmusPair pair) {
        return counted(pair, 1, true);
    }

    /** Left asks whether an announcement is there, and takes none; it may be too early. */
    static String lookAtAChannel(LitmusPair pair) {
        CompletionChannel channel = pair.left.device.createCompletionChannel();
        CompletionQueue cq = pair.left.device.createCq(16, null, channel, 0);
        QueuePair sender = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        RcConnection.USUAL.withRetries(1, 3, 7, 1).join(sender, pair.right.newQueuePair());
        boolean[] seen = new boolean[2];
        pair.simulation.node("left", node -> {
            cq.requestNotify(false);
            sender.postSend(pair.write(1, 0, 8));
            seen[0] = channel.hasEvent();
            node.store(pair.mine(), 0, 1);
            seen[1] = channel.hasEvent();
        });
        return pair.run() + "there: " + seen[0] + ", then: " + seen[1];
    }

    private static String counted(LitmusPair pair, int writes, boolean armedBehind) {
        CompletionChannel channel = pair.left.device.createCompletionChannel();
        CompletionQueue cq = pair.left.device.createCq(16, null, channel, 0);
        QueuePair sender = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        RcConnection.USUAL.withRetries(1, 3, 7, 1).join(sender, pair.right.newQueuePair());
        int[] events = new int[1];
        pair.simulation.node("left", node -> {
            for (int id = 1; id <= writes; id++) {
                if (!armedBehind) {
                    cq.requestNotify(false);
                }
                sender.postSend(pair.write(id, 0, 8));
                cq.awaitCompletion(LONG);
            }
            if (armedBehind) {
                cq.requestNotify(false);
            }
            for (CompletionEvent event = next(channel); event != null; event = next(channel)) {
                event.acknowledge();
                events[0]++;
            }
        });
        return pair.run() + events[0] + " events";
    }

    private static @Nullable CompletionEvent next(CompletionChannel channel) {
        try {
            return channel.getEvent(Duration.ofMillis(1));
        } catch (VerbsException e) {
            assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT);
            return null;
        }
    }
}
