// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;

/** Keys that cannot be invalidated over a queue pair of the owner, which is not that of the first connection. */
enum UnfitKey {
    /** The key of nothing. */
    UNKNOWN("MW-81", "names no memory") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            return 0x00fffe07;
        }
    },

    /** The index of a window that is bound over this queue pair, but another variant. */
    OTHER_VARIANT("MW-81", "of TYPE_2") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            return pair.bind(over.owner(), window(pair), bytes(pair)) ^ 1;
        }
    },

    /** The key of a window of type 1 that is bound. */
    TYPE_1("MW-81", "only type 2 can be invalidated") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_1), bytes(pair));
            served(pair, key);
            return key;
        }
    },

    /** The remote key of a region. */
    REGION("MW-81", "is of a region") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            return pair.owner.rkey();
        }
    },

    /** The local key of a region. */
    LOCAL_KEY("MW-81", "is of a region") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            return pair.owner.pd.register(Memory.allocate(8), Side.ALL_RIGHTS).lkey();
        }
    },

    /** The key of a window that is bound over another queue pair. */
    OTHER_QUEUE_PAIR("MW-81", "and not over qp") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            int key = pair.bind(window(pair), bytes(pair));
            served(pair, key);
            return key;
        }
    },

    /** The key that a free window had from the beginning. */
    NEVER_BOUND("MW-82", "window") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            return window(pair).rkey();
        }
    },

    /** The key of a window that was invalidated before. */
    INVALIDATED("MW-82", "window") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            int key = pair.bind(window(pair), bytes(pair));
            pair.invalidate(key);
            return key;
        }
    },

    /** The key that a window had which was deallocated. */
    DEALLOCATED("MW-81", "revoked by deallocation") {
        @Override
        int prepare(WindowPair pair, Connection over) {
            MemoryWindow window = window(pair);
            int key = pair.bind(over.owner(), window, bytes(pair));
            window.close();
            return key;
        }
    };

    /** By which LOCAL_INV of it is refused. */
    final String rule;

    /** What the explanation says of it. */
    final String words;

    UnfitKey(String rule, String words) {
        this.rule = rule;
        this.words = words;
    }

    /** Makes such a key. */
    abstract int prepare(WindowPair pair, Connection over);

    /** Whether the first connection reaches the memory with the key. */
    boolean isServed() {
        return this == TYPE_1 || this == OTHER_QUEUE_PAIR;
    }

    private static MemoryWindow window(WindowPair pair) {
        return pair.window(MemoryWindowType.TYPE_2);
    }

    private static BindInfo bytes(WindowPair pair) {
        return pair.bytes(0, 64, WindowPair.ALL);
    }

    private static void served(WindowPair pair, int key) {
        pair.assertReads(pair.first, key, 0, 64);
    }
}
