// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;

/** One stream of a program in its run: posts it, and gathers what completes. The id of a request is its place. */
final class RequestStream {

    final int index;
    final List<Operation> operations;
    private final QueuePair asking;
    private final QueuePair answering;
    private final MemoryRegion source;
    private final MemoryRegion target;
    private final MemoryRegion shared;
    private int received;

    RequestStream(
            int index,
            List<Operation> operations,
            QueuePair asking,
            QueuePair answering,
            MemoryRegion source,
            MemoryRegion target,
            MemoryRegion shared) {
        this.index = index;
        this.operations = operations;
        this.asking = asking;
        this.answering = answering;
        this.source = source;
        this.target = target;
        this.shared = shared;
    }

    QueuePair asking() {
        return asking;
    }

    QueuePair answering() {
        return answering;
    }

    MemoryRegion source() {
        return source;
    }

    MemoryRegion target() {
        return target;
    }

    /** Posts the receives for the next operations up to {@code end}; their ids are the places of those operations. */
    void postReceives(int end) {
        for (; received < Math.min(end, operations.size()); received++) {
            if (operations.get(received).takesReceive()) {
                int slot = Ground.INBOX + Ground.slot(received);
                answering.postRecv(
                        ReceiveWorkRequest.of(received, pieces(target, slot, Program.LONGEST_BYTES, received * 7)));
            }
        }
    }

    void postSends() {
        for (int i = 0; i < operations.size(); i++) {
            asking.postSend(request(i, operations.get(i)));
        }
    }

    private SendWorkRequest request(int i, Operation operation) {
        Sge[] landing = pieces(source, Ground.LANDING + Ground.slot(i), operation.landingBytes(), i * 5);
        Sge[] data = pieces(source, from(i), operation.lengthBytes(), i * 11);
        int immediate = i << 16 | operation.operand();
        long there = target.address() + operation.place();
        int key = target.rkey();
        SendWorkRequest request = switch (operation.kind()) {
            case SEND -> SendWorkRequest.send(i, data);
            case SEND_WITH_IMM -> SendWorkRequest.sendWithImmediate(i, immediate, data);
            case WRITE -> SendWorkRequest.write(i, there, key, data);
            case WRITE_WITH_IMM -> SendWorkRequest.writeWithImmediate(i, there, key, immediate, data);
            case READ -> SendWorkRequest.read(i, there, key, landing);
            case ADD -> SendWorkRequest.fetchAndAdd(i, there, key, operation.operand(), landing);
            case SWAP ->
                SendWorkRequest.compareAndSwap(
                        i, there, key, Expectation.compared(operations, i, index), operation.operand(), landing);
            case ADD_SHARED -> SendWorkRequest.fetchAndAdd(i, shared.address(), shared.rkey(), 1, landing);
            case READ_SHARED -> SendWorkRequest.read(i, shared.address(), shared.rkey(), landing);
        };
        int fence = operation.fenced() ? SendFlags.FENCE : 0;
        return request.withFlags(operation.signaled() ? SendFlags.SIGNALED | fence : fence);
    }

    /** Where in the source the data of an operation begin. */
    static int from(int operation) {
        return Ground.slot(operation);
    }

    /** A range as three elements, one of which may be empty. */
    private static Sge[] pieces(MemoryRegion region, int offset, int lengthBytes, int salt) {
        int first = lengthBytes == 0 ? 0 : salt % (lengthBytes + 1);
        int second = (lengthBytes - first) / 2;
        return new Sge[] {
            region.sge(offset, first),
            region.sge(offset + first, second),
            region.sge(offset + first + second, lengthBytes - first - second)
        };
    }

    /** All that completed at the requester. */
    List<WorkCompletion> sent() {
        return all(asking.initAttributes().sendCq());
    }

    /** All that completed at the responder. */
    List<WorkCompletion> received() {
        return all(answering.initAttributes().recvCq());
    }

    private static List<WorkCompletion> all(CompletionQueue cq) {
        return cq.poll(Integer.MAX_VALUE);
    }
}
