// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.Ground;
import dev.verbatim.conformance.windows.model.Completion;
import dev.verbatim.conformance.windows.model.Qp;
import dev.verbatim.conformance.windows.model.Receive;
import dev.verbatim.conformance.windows.model.Space;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** What has a name such as {@code qp1}: a queue pair on both sides, its completion queues, and memory of its own. */
final class QpSlot {

    private static final int DEPTH = 256;
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(DEPTH, DEPTH, 1, 1, 0);
    private static final int RECEIVE_OFFSET = 512;
    private static final int SPACE_BYTES = 1024;

    final int number;
    final PdSlot pd;
    final Memory memory;
    final Space space;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final WorkCompletion[] holders = {new WorkCompletion(), new WorkCompletion()};
    Qp model;
    QueuePair real;
    private final MemoryRegion region;

    QpSlot(int number, PdSlot pd, int access) {
        this.number = number;
        this.pd = pd;
        this.memory = Memory.allocate(SPACE_BYTES);
        this.space = new Space("the memory of qp" + number, memory.address(), SPACE_BYTES);
        this.region = pd.real.register(memory, access);
        this.sendCq = pd.real.device().createCq(2 * DEPTH);
        this.receiveCq = pd.real.device().createCq(2 * DEPTH);
        pd.model.hca().registered(pd.model, space, 0, SPACE_BYTES, access, region.lkey(), region.rkey());
        this.model = pd.model.hca().createQp(pd.model, toString());
        this.real = pd.real.createQp(QpInitAttributes.rc(sendCq, receiveCq, CAPABILITIES));
    }

    /** Both are gone; makes others. */
    void createAgain() {
        model = pd.model.hca().createQp(pd.model, toString());
        real = pd.real.createQp(QpInitAttributes.rc(sendCq, receiveCq, CAPABILITIES));
    }

    /** Bytes to send, the same on both sides and other ones each time. */
    void fill(long seed, int count) {
        for (int i = 0; i < count; i++) {
            byte value = (byte) (seed * 37 + i * 11);
            space.bytes()[i] = value;
            memory.buffer().put(i, value);
        }
    }

    /** An element that is sent from, or that answers go to. */
    Sge local(int lengthBytes) {
        return region.sge(0, lengthBytes);
    }

    Receive receive(long id, int lengthBytes) {
        return new Receive(id, space, RECEIVE_OFFSET, lengthBytes);
    }

    ReceiveWorkRequest realReceive(Receive receive) {
        return ReceiveWorkRequest.of(receive.id(), region.sge(RECEIVE_OFFSET, receive.lengthBytes()));
    }

    List<Completion> pollSends() {
        return poll(sendCq);
    }

    List<Completion> pollReceives() {
        return poll(receiveCq);
    }

    private List<Completion> poll(CompletionQueue queue) {
        int count = queue.poll(holders);
        if (count == 0) {
            return List.of();
        }
        List<Completion> polled = new ArrayList<>();
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                polled.add(valueOf(holders[i]));
            }
            count = queue.poll(holders);
        }
        return polled;
    }

    private static Completion valueOf(WorkCompletion completion) {
        boolean says = completion.has(WcFlags.WITH_IMM) || completion.has(WcFlags.WITH_INV);
        return new Completion(
                completion.id(),
                completion.status(),
                completion.opcode(),
                completion.byteLength(),
                completion.flags(),
                says ? completion.immediate() : 0,
                completion.explanation());
    }

    QpSlot peerIn(List<QpSlot> all) {
        return all.get(Ground.peerOf(number) - 1);
    }

    @Override
    public String toString() {
        return "qp" + number;
    }
}
