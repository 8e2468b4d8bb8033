// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a device must offer before a rule can be observed on it. */
public enum Scope {
    /** Reliable connections, regions, keys, completion queues, channels, packets and their carriers. */
    RC("rc"),
    /** Memory windows of any type. */
    WINDOW("window"),
    /** Freedom that the specification leaves: litmus programs and everything explored rather than fixed. */
    CHOICES("choices"),
    /** Other transports, shared receive queues, the rarer verbs and operations, and differences between profiles. */
    TYPES("types"),
    /** Connection management, and queue pair 1 that carries its messages. */
    CM("cm"),
    /** The device seen through NetworkDirect. */
    NETWORKDIRECT("networkdirect"),
    /** Never emulated; the statement of such a rule ends with the reason. */
    OUT("out");

    private final String word;

    Scope(String word) {
        this.word = word;
    }

    /** The word that stands for this scope in the rule file, in lower case. */
    public String word() {
        return word;
    }

    /** The scope that {@code word} stands for, in exactly that spelling. */
    public static Optional<Scope> of(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word.equals(word)).findFirst();
    }

    /** All words in declaration order, for messages. */
    public static String words() {
        return Arrays.stream(values()).map(Scope::word).collect(Collectors.joining(", "));
    }
}
