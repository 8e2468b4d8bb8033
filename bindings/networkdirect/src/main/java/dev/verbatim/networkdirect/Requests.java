// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/**
 * The outstanding requests of one queue. Verbs echo a number of 64 bits with each completion: the upper half names the queue, the lower
 * half the request.
 *
 * @param <R> what is remembered of a request; the objects are made once and reused
 */
abstract sealed class Requests<R> permits RequestRing, ReceivePool {

    private long tag;

    Requests() {}

    /** The upper half of its requests' numbers; set once, when it is added to the table. */
    final void tag(long value) {
        tag = value;
    }

    final long tag() {
        return tag;
    }

    /** The number that verbs echo. */
    public final long id(int number) {
        return tag | Integer.toUnsignedLong(number);
    }

    /** What is remembered of a request. */
    public abstract R get(int number);

    /** The result of the request was taken: its slot is free, and in a ring those of the requests before it. */
    public abstract void taken(int number);
}
