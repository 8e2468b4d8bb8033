// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.form.NearestWord;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a program accesses a location. */
public enum Access {
    /** RDMA_WRITE. */
    PUT(false, true, true),

    /** RDMA_READ. */
    GET(true, false, true),

    /** ATOMIC_FETCH_AND_ADD: where it only reads, of 0. */
    RMW(true, true, true),

    /** The CPU stores to memory of its node. */
    STORE(false, true, false),

    /** The CPU loads from memory of its node. */
    LOAD(true, false, false);

    private final boolean reads;
    private final boolean writes;
    private final boolean posted;

    Access(boolean reads, boolean writes, boolean posted) {
        this.reads = reads;
        this.writes = writes;
        this.posted = posted;
    }

    /**
     * The access of that name.
     *
     * @throws IllegalArgumentException if there is none, with the nearest
     */
    public static Access parse(String word) {
        for (Access access : values()) {
            if (access.toString().equals(word)) {
                return access;
            }
        }
        throw new IllegalArgumentException(
                "access \"" + word + "\" is unknown; " + NearestWord.advice(word, labels(), "see docs/litmus.md"));
    }

    private static List<String> labels() {
        return Arrays.stream(values()).map(Access::toString).toList();
    }

    /** Whether it can be the access of a cycle that writes, or that reads. */
    boolean fits(boolean write) {
        return write ? writes : reads;
    }

    /** Whether it is a work request. */
    boolean isPosted() {
        return posted;
    }

    /** Its name. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
