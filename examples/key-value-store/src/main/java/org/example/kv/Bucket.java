// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

/**
 * One entry of the table: three words. The version is odd while the server changes the others, and 0 before the first put. A key has one
 * bucket: the keys of this example are numbers below {@link #COUNT}.
 */
final class Bucket {
    static final int COUNT = 64, BYTES = 24;
    static final int VERSION = 0, FIRST = 8, SECOND = 16;

    private Bucket() {}

    static int offset(long key) {
        if (key < 0 || key >= COUNT) {
            throw new IllegalArgumentException("key=" + key + " is not from 0 to " + (COUNT - 1));
        }
        return (int) key * BYTES;
    }
}
