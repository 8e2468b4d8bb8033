// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.List;

/** Programs that change what a device is reading: a word at a time, each from 1 to 2. */
final class SplitLitmus {

    private SplitLitmus() {}

    /** A WRITE of two words, whose source changes after it was posted; the second word first. */
    static String sourceOfAWrite(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            change(node, pair.mine(), 1);
            pair.left.qp.postSend(pair.write(1, 0, 16));
            change(node, pair.mine(), 2);
            pair.sent();
        });
        return pair.run() + words(pair.theirs(), 0);
    }

    /** A SEND of two elements. */
    static String elementsOfASend(LitmusPair pair, int lengthBytes, int flags) {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 16)));
        pair.simulation.node("left", node -> {
            change(node, pair.mine(), 1);
            List<Sge> elements = List.of(pair.left.sge(0, lengthBytes), pair.left.sge(16 - lengthBytes, lengthBytes));
            pair.left.qp.postSend(
                    SendWorkRequest.send(1, elements.toArray(Sge[]::new)).plus(flags));
            change(node, pair.mine(), 2);
            pair.sent();
        });
        return pair.run() + words(pair.theirs(), 0);
    }

    /** A READ of two words that a program of their side changes. */
    static String twoWordsOfARead(LitmusPair pair) {
        change(pair.theirs(), 1);
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.read(1, 0, 0, 16));
            pair.sent();
        });
        pair.simulation.node("right", node -> change(node, pair.theirs(), 2));
        return pair.run() + words(pair.mine(), 0);
    }

    /** A READ of 16 bytes that are parts of three words. */
    static String threeWordsOfARead(LitmusPair pair) {
        pair.theirs().buffer().putLong(16, 0);
        change(pair.theirs(), 1);
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.read(1, 4, 4, 16));
            pair.sent();
        });
        pair.simulation.node("right", node -> {
            node.store(pair.theirs(), 16, -1);
            change(node, pair.theirs(), -1);
        });
        return pair.run() + Long.toHexString(pair.mine().buffer().getLong(8));
    }

    /** A WRITE and a READ of two words each, whose regions may end meanwhile. */
    static String endsOfRegions(LitmusPair pair) {
        StringBuilder seen = new StringBuilder();
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 16));
            seen.append(pair.sent().status());
        });
        pair.simulation.node("its owner", node -> pair.left.region.close());
        pair.simulation.node("second", node -> {
            pair.second.postSend(pair.read(2, 16, 16, 16));
            seen.append(pair.sent().status());
        });
        pair.simulation.node("right", node -> pair.right.region.close());
        return pair.run() + seen;
    }

    /** A READ of a word, an atomic and an ATOMIC_WRITE, whose words are written meanwhile. */
    static String wholeWords(LitmusPair pair) {
        change(pair.theirs(), 0);
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 0);
            pair.left.qp.postSend(pair.read(1, 0, 16, 8));
            pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(2, pair.right.address(0), pair.right.rkey(), 0, pair.left.sge(24, 8)));
            pair.left.qp.postSend(
                    SendWorkRequest.atomicWrite(3, pair.right.address(16), pair.right.rkey(), pair.left.sge(0, 8)));
            node.store(pair.mine(), 0, -1);
            for (int i = 0; i < 3; i++) {
                pair.sent();
            }
        });
        pair.simulation.node("right", node -> node.store(pair.theirs(), 0, -1));
        return pair.run()
                + pair.mine().buffer().getLong(16)
                + pair.mine().buffer().getLong(24)
                + pair.theirs().buffer().getLong(16);
    }

    private static void change(Node node, Memory memory, long value) {
        node.store(memory, 8, value);
        node.store(memory, 0, value);
    }

    private static void change(Memory memory, long value) {
        memory.buffer().putLong(8, value).putLong(0, value);
    }

    private static String words(Memory memory, int at) {
        return "x=" + memory.buffer().getLong(at) + " y=" + memory.buffer().getLong(at + 8);
    }
}
