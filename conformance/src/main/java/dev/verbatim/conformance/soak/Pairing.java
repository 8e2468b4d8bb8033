// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

import dev.verbatim.verbs.QpType;
import java.util.List;

/**
 * Queue pairs that are meant for each other.
 *
 * @param type their service
 * @param near index of the side of one
 * @param far index of the side of the other
 * @param pairs how many
 */
record Pairing(QpType type, int near, int far, int pairs) {

    /** All there are. */
    static final List<Pairing> TABLE = List.of(new Pairing(QpType.RC, 0, 1, 12));

    Pair pair(List<Side> sides) {
        return new Pair(type, new End(sides.get(near)), new End(sides.get(far)));
    }
}
