// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.testing.Packets;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What comes of a stream whose operations are done one after the other, each exactly once: the target after each of them.
 * An independent model: it knows the operations and nothing of the device.
 */
final class Expectation {

    private final List<Operation> operations;
    private final byte[] source;
    private final byte[] inbox;
    private final List<byte[]> targets = new ArrayList<>();

    Expectation(List<Operation> operations, int stream) {
        this.operations = operations;
        this.source = Packets.pattern(stream * 1000, Ground.SOURCE_BYTES);
        byte[] answering =
                Packets.pattern(stream * 1000 + 500, Ground.INBOX + Ground.MOST_OPERATIONS * Ground.SLOT_BYTES);
        this.inbox = Arrays.copyOfRange(answering, Ground.INBOX, answering.length);
        targets.add(Arrays.copyOf(answering, Program.TARGET_BYTES));
        for (int i = 0; i < operations.size(); i++) {
            execute(i, operations.get(i), stream);
        }
    }

    private void execute(int i, Operation operation, int stream) {
        byte[] target = targetAfter(i).clone();
        if (operation.isSend()) {
            System.arraycopy(source, RequestStream.from(i), inbox, Ground.slot(i), operation.lengthBytes());
        } else if (operation.isWrite()) {
            System.arraycopy(source, RequestStream.from(i), target, operation.place(), operation.lengthBytes());
        } else if (operation.kind() == Operation.Kind.ADD) {
            words(target).putLong(operation.place(), words(target).getLong(operation.place()) + operation.operand());
        } else if (operation.kind() == Operation.Kind.SWAP && isExpected(i)) {
            words(target).putLong(operation.place(), operation.operand());
        }
        targets.add(target);
    }

    private static boolean isExpected(int operation) {
        return operation % 2 == 0;
    }

    /** What a SWAP compares with: every other time what it will find. */
    static long compared(List<Operation> operations, int i, int stream) {
        long found = new Expectation(operations.subList(0, i), stream)
                .word(i, operations.get(i).place());
        return isExpected(i) ? found : found + 1;
    }

    /** The target when the first {@code count} operations are done. */
    byte[] targetAfter(int count) {
        return targets.get(count);
    }

    /** A word of the target when the first {@code count} operations are done. */
    long word(int count, int place) {
        return words(targetAfter(count)).getLong(place);
    }

    /** What the inbox holds when all is done. */
    byte[] inbox() {
        return inbox;
    }

    /**
     * How many operations at most can be done when a READ is executed: it has no order with those behind it, up to the
     * first that waits for it (ORD-13, ORD-19).
     */
    int latestView(int read) {
        int end = read + 1;
        while (end < operations.size() && !operations.get(end).fenced()) {
            end++;
        }
        return end;
    }

    private static ByteBuffer words(byte[] target) {
        return ByteBuffer.wrap(target).order(ByteOrder.nativeOrder());
    }
}
