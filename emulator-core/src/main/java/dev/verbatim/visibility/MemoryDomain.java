// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

/**
 * Where memory of a node is: what is written into it by one adapter takes one path.
 *
 * @param name unique in its node
 * @param kind what memory it is
 * @param index its number in its node, from 0; that of host memory is 0
 */
public record MemoryDomain(String name, Kind kind, int index) {

    /** What memory a domain is. */
    public enum Kind {
        /** Memory of the CPU. */
        HOST,
        /** Memory of a GPU, which observes it. */
        DEVICE,
        /** Memory of the CPU that keeps what is durable when power fails. */
        PERSISTENT
    }

    @Override
    public String toString() {
        return name;
    }
}
