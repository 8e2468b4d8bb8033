// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.walk.WalkNode;
import dev.verbatim.interop.walk.WalkNode.Connection;
import dev.verbatim.interop.walk.WalkNode.Done;
import dev.verbatim.interop.walk.WalkNode.Pair;
import dev.verbatim.interop.walk.WalkNode.Region;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One flow of a program that is being played. */
final class FlowPlay {

    static final int ALL_REMOTE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    static final int ALL = AccessFlags.LOCAL_WRITE | ALL_REMOTE | AccessFlags.MW_BIND;
    private static final int QUEUE_KEY = 0x1111_1111;
    private static final int WRONG = 0x55;
    private static final int SHORT_BYTES = 4;
    static final int LAST_ID = 100;
    private static final Duration UNRELIABLE_PATIENCE = Duration.ofSeconds(3);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(1);

    private final Flow flow;
    private final int number;
    private final WalkNode requester;
    private final WalkNode responder;
    private final Duration patience;
    private final Pair near;
    private final Pair far;
    private final Region own;
    private final Region target;
    private final Region inbox;
    private final int receiveBytes;
    private final List<String> sends = new ArrayList<>();
    private final List<String> receives = new ArrayList<>();
    private int windowKey;
    private int posted;
    private boolean isLost;

    FlowPlay(Flow flow, int number, WalkNode requester, WalkNode responder, Duration patience) {
        this.flow = flow;
        this.number = number;
        this.requester = requester;
        this.responder = responder;
        this.patience = patience;
        boolean isShared = flow.type() == FlowType.SRQ;
        if (isShared) {
            responder.createSrq();
        }
        near = requester.createQp(flow.type().qpType(), false);
        far = responder.createQp(flow.type().qpType(), isShared);
        own = requester.register(Flow.MEMORY_BYTES, ALL);
        target = responder.register(Flow.MEMORY_BYTES + Flow.BEHIND_BYTES, ALL);
        receiveBytes = Flow.SLOT_BYTES + (flow.type() == FlowType.UD ? Grh.BYTES : 0);
        inbox = responder.register(Math.max(1, inboxBytes()), ALL);
    }

    private int inboxBytes() {
        return (flow.receives() + flow.spareReceives()) * receiveBytes;
    }

    /** Memory has contents, queue pairs are connected, receives are posted and the window is bound. */
    void begin() {
        int first = number * 3;
        requester.fill(own, Flow.MEMORY_BYTES, first + 1);
        responder.fill(target, Flow.MEMORY_BYTES + Flow.BEHIND_BYTES, first + 2);
        responder.fill(inbox, Math.max(1, inboxBytes()), first + 3);
        boolean isGone = flow.ending() == Ending.GONE;
        connect(requester, near, responder, far, isGone);
        connect(responder, far, requester, near, isGone);
        for (int i = 0; i < flow.receives() + flow.spareReceives(); i++) {
            boolean isShort = flow.ending().takesReceive() && i == flow.receives() - 1;
            Sge element = inbox.sge(i * receiveBytes, isShort ? SHORT_BYTES : receiveBytes);
            responder.postReceive(far, i, element, flow.type() == FlowType.SRQ);
        }
        if (flow.windowType() > 0) {
            int window = responder.allocateWindow(flow.windowType());
            windowKey = responder.bind(far, window, target, 0, Flow.MEMORY_BYTES, ALL_REMOTE);
            WcStatus status =
                    await(responder.awaitSend(far, patience), "the bind").status();
            if (status != WcStatus.SUCCESS) {
                throw new InteropException("the bind completed with " + status);
            }
        }
    }

    private void connect(WalkNode node, Pair pair, WalkNode peer, Pair other, boolean isGone) {
        int qpNumber = flow.type().qpType() == QpType.UD ? QUEUE_KEY : other.qpNumber();
        int rnrRetries = flow.ending() == Ending.NOT_READY ? 1 : 6;
        node.connect(
                pair,
                new Connection(
                        peer.gid(), qpNumber, ALL_REMOTE, isGone ? 14 : 17, isGone ? 2 : 6, rnrRetries, flow.mtu()));
    }

    void postNext() {
        FlowRequest request = flow.requests().get(posted++);
        post(posted, request);
    }

    private void post(long id, FlowRequest request) {
        SendWorkRequest made = made(id, request).withFlags(request.flags());
        if (flow.type() == FlowType.UD) {
            requester.postDatagram(near, made, responder.gid(), far.qpNumber(), QUEUE_KEY);
        } else {
            requester.postSend(near, made);
        }
    }

    private SendWorkRequest made(long id, FlowRequest request) {
        int length = request.lengthBytes();
        Sge element = own.sge(request.ownSlot() * Flow.SLOT_BYTES, length);
        Sge[] elements = length == 0 ? new Sge[0] : new Sge[] {element};
        long remote = target.address() + (long) request.farSlot() * Flow.SLOT_BYTES;
        int key = request.throughWindow() ? windowKey : target.rkey();
        return switch (request.opcode()) {
            case SEND -> SendWorkRequest.send(id, elements);
            case SEND_WITH_IMM -> SendWorkRequest.sendWithImmediate(id, request.immediate(), elements);
            case SEND_WITH_INV -> SendWorkRequest.sendWithInvalidate(id, windowKey, elements);
            case RDMA_WRITE -> SendWorkRequest.write(id, remote, key, elements);
            case RDMA_WRITE_WITH_IMM ->
                SendWorkRequest.writeWithImmediate(id, remote, key, request.immediate(), elements);
            case RDMA_READ -> SendWorkRequest.read(id, remote, key, elements);
            case ATOMIC_CMP_AND_SWP ->
                SendWorkRequest.compareAndSwap(id, remote, key, request.operand(), request.swap(), elements);
            case ATOMIC_FETCH_AND_ADD -> SendWorkRequest.fetchAndAdd(id, remote, key, request.operand(), elements);
            case ATOMIC_WRITE, FLUSH, BIND_MW, LOCAL_INV, TSO, DRIVER1 ->
                throw new IllegalArgumentException(request.opcode() + " is in no flow");
        };
    }

    /** Everything before the ending has completed. */
    void awaitRequests() {
        for (int i = flow.signaled(); i > 0; i--) {
            awaitSend();
        }
        int messages =
                (int) flow.requests().stream().filter(FlowRequest::takesReceive).count();
        for (int i = 0; i < messages && !isLost; i++) {
            Duration limit = flow.type().isReliable() ? patience : UNRELIABLE_PATIENCE;
            Optional<Done> done = responder.awaitReceive(far, limit);
            isLost = done.isEmpty() && !flow.type().isReliable();
            if (!isLost) {
                receives.add(received(await(done, "a receive")));
            }
        }
    }

    private void awaitSend() {
        Done done = await(requester.awaitSend(near, patience), "a request");
        boolean isSuccess = done.status() == WcStatus.SUCCESS;
        sends.add(done.id() + " " + done.status() + (isSuccess ? " " + done.opcode() : ""));
    }

    private Done await(Optional<Done> done, String what) {
        return done.orElseThrow(() -> new InteropException(
                what + " of flow " + number + " did not complete within " + patience.toSeconds() + " s"));
    }

    private String received(Done done) {
        if (done.status() != WcStatus.SUCCESS) {
            return done.id() + " " + done.status();
        }
        List<FlowRequest> messages =
                flow.requests().stream().filter(FlowRequest::takesReceive).toList();
        FlowRequest message = receives.size() < messages.size() ? messages.get(receives.size()) : null;
        String value = message == null ? "" : brought(Operation.of(message.opcode()), done.immediateOrKey());
        return done.id() + " SUCCESS " + done.opcode() + " " + done.lengthBytes() + value;
    }

    private String brought(Operation message, int immediateOrKey) {
        if (message.invalidates) {
            return immediateOrKey == windowKey ? " inv" : " inv of another key";
        }
        return message.hasImmediate ? " imm=" + immediateOrKey : "";
    }

    /** The request that fails, and those behind it. */
    void end() {
        if (!flow.ending().isFailure()) {
            return;
        }
        SendWorkRequest last = last().plus(SendFlags.SIGNALED);
        responder.settle();
        requester.postSend(near, last);
        long id = LAST_ID;
        for (FlowRequest request : flow.behind()) {
            post(++id, request);
        }
        for (int i = 0; i <= flow.behind().size(); i++) {
            awaitSend();
        }
    }

    private SendWorkRequest last() {
        Sge word = own.sge(0, Long.BYTES);
        long behindWindow = target.address() + Flow.MEMORY_BYTES - SHORT_BYTES;
        return switch (flow.ending()) {
            case WRONG_KEY -> SendWorkRequest.write(LAST_ID, target.address(), target.rkey() ^ WRONG, word);
            case OUT_OF_RANGE -> SendWorkRequest.write(LAST_ID, behindWindow + Flow.BEHIND_BYTES, target.rkey(), word);
            case BEYOND_WINDOW -> SendWorkRequest.write(LAST_ID, behindWindow, windowKey, word);
            case INVALIDATED -> SendWorkRequest.write(LAST_ID, target.address(), windowKey, word);
            case NO_RIGHT -> {
                Region other = responder.register(Flow.BEHIND_BYTES, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
                yield SendWorkRequest.write(LAST_ID, other.address(), other.rkey(), word);
            }
            case DEREGISTERED -> {
                Region other = responder.register(Flow.BEHIND_BYTES, ALL);
                responder.deregister(other);
                yield SendWorkRequest.write(LAST_ID, other.address(), other.rkey(), word);
            }
            case LOCAL_KEY -> SendWorkRequest.send(LAST_ID, new Sge(own.address(), Long.BYTES, own.lkey() ^ WRONG));
            case LOCAL_RANGE -> SendWorkRequest.send(LAST_ID, own.sge(Flow.MEMORY_BYTES - SHORT_BYTES, Long.BYTES));
            case SHORT_RECEIVE, NOT_READY -> SendWorkRequest.send(LAST_ID, word);
            case MISALIGNED ->
                SendWorkRequest.fetchAndAdd(LAST_ID, target.address() + SHORT_BYTES, target.rkey(), 1, word);
            case GONE -> {
                responder.closeQp(far);
                yield SendWorkRequest.write(LAST_ID, target.address(), target.rkey(), word);
            }
            case NONE -> throw new IllegalStateException("the flow has no such request");
        };
    }

    /**
     * What is left behind.
     *
     * @param awaited how many receives complete
     */
    FlowOutcome outcome(int awaited) {
        boolean isGone = flow.ending() == Ending.GONE;
        while (!isGone && !isLost) {
            Duration limit = receives.size() < awaited ? patience : SHORT_PATIENCE;
            Optional<Done> done = responder.awaitReceive(far, limit);
            if (done.isEmpty()) {
                break;
            }
            receives.add(received(done.get()));
        }
        String states = requester.state(near) + " " + (isGone ? "-" : responder.state(far));
        byte[] messages = responder.load(inbox, 0, inboxBytes());
        for (int i = 0; i < flow.receives() + flow.spareReceives(); i++) {
            int begin = i * receiveBytes;
            if (flow.type() == FlowType.UD) {
                Arrays.fill(messages, begin, begin + Grh.BYTES, (byte) 0);
            }
            if (flow.ending().takesReceive() && i == flow.receives() - 1) {
                Arrays.fill(messages, begin, begin + SHORT_BYTES, (byte) 0);
            }
        }
        return new FlowOutcome(
                sends,
                receives,
                states,
                ByteBuffer.wrap(requester.load(own, 0, Flow.MEMORY_BYTES)),
                ByteBuffer.wrap(responder.load(target, 0, Flow.MEMORY_BYTES + Flow.BEHIND_BYTES)),
                ByteBuffer.wrap(messages),
                isLost);
    }
}
