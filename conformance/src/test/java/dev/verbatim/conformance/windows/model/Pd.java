// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

/** A protection domain. */
public final class Pd {

    private final Hca hca;
    private final String name;
    boolean isFreed;

    Pd(Hca hca, String name) {
        this.hca = hca;
        this.name = name;
    }

    /** The device that it belongs to. */
    public Hca hca() {
        return hca;
    }

    /** Whether it was freed. */
    public boolean isFreed() {
        return isFreed;
    }

    @Override
    public String toString() {
        return name;
    }
}
