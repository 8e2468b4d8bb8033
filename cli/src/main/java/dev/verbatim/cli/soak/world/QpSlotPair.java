// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

/** Two places for queue pairs that are connected with each other, mostly. */
public record QpSlotPair(QpSlot near, QpSlot far) {

    public QpSlot other(QpSlot end) {
        return end.equals(near) ? far : near;
    }
}
