// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** What is under a port ({@code IBV_LINK_LAYER_*}). */
public enum LinkLayer {
    UNSPECIFIED(0),
    INFINIBAND(1),
    ETHERNET(2);

    private final int number;

    LinkLayer(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }
}
