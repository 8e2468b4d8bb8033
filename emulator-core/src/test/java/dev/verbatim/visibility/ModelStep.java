// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import java.util.List;

/** What a program of {@link ModelNodes} does next. Words, domains, queue pairs and queues are numbers that these gave. */
public sealed interface ModelStep {

    /** The program writes a word. */
    record Store(int word, long value) implements ModelStep {}

    /** The program reads a word into a register; if it acquires, behind an acquire of system scope. */
    record Load(int word, String register, boolean acquires) implements ModelStep {}

    /** The program reads a word until it has that value. */
    record Until(int word, long value, boolean acquires) implements ModelStep {}

    /** A fence. */
    record Fence(Scope scope) implements ModelStep {}

    /** The CPU flushes what adapters wrote into the memory of a GPU. */
    record FlushGpu(int domain, FlushScope scope) implements ModelStep {}

    /** The CPU starts a kernel. */
    record Launch(int domain) implements ModelStep {}

    /** The CPU waits for the end of a kernel. */
    record Synchronize(int domain) implements ModelStep {}

    /** The CPU writes words back from its caches. */
    record Persist(List<Integer> words) implements ModelStep {}

    /** The power of the node fails. */
    record PowerFail() implements ModelStep {}

    /** Tells all programs something outside the network. */
    record Tell(String signal) implements ModelStep {}

    /** Waits until it was told. */
    record Await(String signal) implements ModelStep {}

    /** Posts a receive without room for data. */
    record Receive(int queuePair) implements ModelStep {}

    /** Takes the next completion. */
    record Completion(int queue) implements ModelStep {}

    /** Posts a request. */
    record Post(int queuePair, Request request) implements ModelStep {}

    /** What a request does. */
    enum Kind {
        WRITE,
        WRITE_IMM,
        SEND,
        READ,
        FETCH_ADD,
        ATOMIC_WRITE,
        FLUSH_GLOBAL,
        FLUSH_PERSISTENT;

        boolean takesReceive() {
            return this == WRITE_IMM || this == SEND;
        }

        boolean returns() {
            return this == READ || this == FETCH_ADD;
        }
    }

    /**
     * One word that a request moves.
     *
     * @param remote word at the peer
     * @param local word of the sender; -1 for a number
     * @param value the number, or what FETCH_ADD adds
     */
    record Move(int remote, int local, long value) {}

    /**
     * A request.
     *
     * @param isRelaxed whether the remote words are in a region with relaxed ordering
     * @param isUnordered whether that is unordered too
     */
    record Request(Kind kind, List<Move> moves, boolean isRelaxed, boolean isUnordered, boolean isSignaled) {

        /** Copies the list. */
        public Request {
            moves = List.copyOf(moves);
        }
    }
}
