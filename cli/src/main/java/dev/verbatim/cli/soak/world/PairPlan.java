// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.verbs.QpType;
import java.util.List;

/**
 * Queue pairs that are meant for each other.
 *
 * @param nearType service of one
 * @param farType service of the other
 * @param near index of the side of one
 * @param far index of the side of the other
 * @param pairs how many
 */
record PairPlan(QpType nearType, QpType farType, int near, int far, int pairs) {

    /** All there are. */
    static final List<PairPlan> TABLE = List.of(
            new PairPlan(QpType.RC, QpType.RC, 0, 1, 8),
            new PairPlan(QpType.RC, QpType.RC, 0, 0, 1),
            new PairPlan(QpType.RC, QpType.RC, 1, 1, 1),
            new PairPlan(QpType.UC, QpType.UC, 0, 1, 3),
            new PairPlan(QpType.UC, QpType.UC, 1, 1, 1),
            new PairPlan(QpType.UD, QpType.UD, 0, 1, 3),
            new PairPlan(QpType.XRC_SEND, QpType.XRC_RECV, 0, 1, 2),
            new PairPlan(QpType.XRC_SEND, QpType.XRC_RECV, 1, 0, 1));

    QpSlotPair pair(List<Side> sides) {
        return new QpSlotPair(new QpSlot(sides.get(near), nearType), new QpSlot(sides.get(far), farType));
    }
}
