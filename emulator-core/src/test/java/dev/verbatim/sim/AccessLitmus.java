// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Programs whose outcome depends on the order of two accesses that few others make. */
final class AccessLitmus {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int RECEIVES = 8;

    private AccessLitmus() {}

    /** Left goes on while a word of its memory is 1, which right's second WRITE makes 2. */
    static String waitForAWord(LitmusPair pair) {
        boolean[] gone = new boolean[1];
        pair.right.region.memory().buffer().putLong(0, 1).putLong(8, 2);
        pair.simulation.node(
                "left", node -> gone[0] = comes(node, () -> pair.mine().buffer().getLong(0) == 1));
        pair.simulation.node("right", node -> {
            for (int word = 0; word < 16; word += 8) {
                pair.right.qp.postSend(
                        SendWorkRequest.write(1, pair.left.address(0), pair.left.rkey(), pair.right.sge(word, 8)));
            }
        });
        return pair.simulation.run() + " " + gone[0];
    }

    /** Left goes on while a variable of right's program is set. */
    static String waitForAVariable(LitmusPair pair) {
        boolean[] set = new boolean[1];
        boolean[] gone = new boolean[1];
        pair.simulation.node("left", node -> gone[0] = comes(node, () -> set[0]));
        pair.simulation.node("right", node -> {
            set[0] = true;
            node.others();
            set[0] = false;
        });
        return pair.simulation.run() + " " + gone[0];
    }

    /** Whether the condition held when the program went on; a wait that can never end is refused. */
    private static boolean comes(Node node, BooleanSupplier condition) {
        try {
            node.await(condition);
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    /** Right waits for the event of a wrong key, and its other program looks at the state. */
    static String waitForAnEvent(LitmusPair pair) {
        List<String> seen = new ArrayList<>();
        List<String> seenByTwin = new ArrayList<>();
        pair.simulation.node(
                "left",
                node -> pair.left.qp.postSend(
                        SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey() + 1, pair.left.sge(0, 8))));
        pair.simulation.node("right", node -> {
            try {
                seen.add(name(pair.right.device.getAsyncEvent(LONG)));
            } catch (VerbsException e) {
                seen.add(e.errno().toString());
            }
        });
        pair.simulation.node("its twin", node -> seenByTwin.add(name(pair.right.device.pollAsyncEvent())));
        return pair.simulation.run() + " " + seen + " " + seenByTwin;
    }

    private static String name(@Nullable AsyncEvent event) {
        return event == null ? "none" : event.type().toString();
    }

    /** Right makes a queue pair ready while left's first request is on its way to it. */
    static String connectLate(LitmusPair pair) {
        QueuePair sender = pair.left.newQueuePair();
        QueuePair receiver = pair.right.newQueuePair();
        RcConnection usual = RcConnection.USUAL.withRetries(1, 3, 7, 1);
        QpState[] seen = new QpState[1];
        pair.simulation.node("left", node -> {
            usual.readyToReceive(sender, RcConnection.Endpoint.of(receiver, 1));
            usual.readyToSend(sender, 2);
            sender.postSend(pair.write(1, 0, 8));
            pair.sent();
        });
        pair.simulation.node("right", node -> usual.readyToReceive(receiver, RcConnection.Endpoint.of(sender, 2)));
        pair.simulation.node("its twin", node -> seen[0] = receiver.state());
        return pair.simulation.run() + " " + seen[0];
    }

    /** A bind that was made before is posted, while its window ends. */
    static String preparedBind(LitmusPair pair) {
        MemoryRegion region = pair.right.pd.register(pair.theirs(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind =
                SendWorkRequest.bindWindow(1, window, 0x41, BindInfo.of(region, AccessFlags.REMOTE_WRITE));
        StringBuilder posted = new StringBuilder();
        StringBuilder closed = new StringBuilder();
        pair.simulation.node("right", node -> attempt(posted, () -> pair.right.qp.postSend(bind)));
        pair.simulation.node("its twin", node -> attempt(closed, window::close));
        return pair.simulation.run() + " " + posted + " " + closed;
    }

    /** A completion queue is overrun, and breaks the shared receive queue that completes there, to which a twin posts. */
    static String brokenSharedReceives(LitmusPair pair) {
        CompletionQueue cq = pair.right.device.createCq(1);
        SharedReceiveQueue srq =
                pair.right.pd.createSrq(SrqInitAttributes.xrc(RECEIVES, pair.right.device.openXrcDomain(), cq));
        QueuePair sender = pair.right.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        RcConnection.USUAL.withRetries(1, 3, 7, 1).join(sender, pair.left.newQueuePair());
        StringBuilder seen = new StringBuilder();
        pair.simulation.node("right", node -> {
            for (int id = 1; id <= 3; id++) {
                sender.postSend(
                        SendWorkRequest.write(id, pair.left.address(0), pair.left.rkey(), pair.right.sge(0, 8)));
            }
        });
        pair.simulation.node("its twin", node -> {
            for (int id = 1; id <= RECEIVES; id++) {
                int number = id;
                attempt(seen, () -> srq.postRecv(ReceiveWorkRequest.of(number, pair.right.sge(0, 8))));
            }
        });
        return pair.simulation.run() + " " + seen;
    }

    /** The link is cut, by a call that says nothing of what it changes, while a WRITE is on its way. */
    static String cutByAProgram(LitmusPair pair) {
        pair.mine().buffer().putLong(0, 1);
        pair.simulation.node("left", node -> pair.left.qp.postSend(pair.write(1, 0, 8)));
        pair.simulation.node(
                "right", node -> pair.simulation.fabric().cut(pair.left.device.gid(), pair.right.device.gid()));
        return pair.simulation.run() + " x=" + pair.theirs().buffer().getLong(0);
    }

    /** Left polls twice for the completion of a WRITE, and goes on after the second time whether it is there or not. */
    static String pollTwice(LitmusPair pair) {
        List<Integer> seen = new ArrayList<>();
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            seen.add(pair.left.sendCq.poll(1).size());
            seen.add(pair.left.sendCq.poll(1).size());
        });
        pair.simulation.node("right", node -> node.store(pair.theirs(), 8, 1));
        return pair.simulation.run() + " " + seen;
    }

    private static void attempt(StringBuilder seen, Runnable verb) {
        try {
            verb.run();
            seen.append("+");
        } catch (VerbsException e) {
            seen.append(e.errno());
        }
    }
}
