// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.DroppedPackets;
import dev.verbatim.verbs.Refusal;
import java.util.ArrayList;
import java.util.List;

/** The packets that a device dropped without an answer, or that could not leave it, by reason. On the lane. */
public final class Drops {

    /** Further kinds are not kept. */
    private static final int MOST_KINDS = 64;

    private final List<Kind> kinds = new ArrayList<>();

    private static final class Kind {

        private final int qp;
        private final boolean isOwn;
        private final Refusal first;
        private long count;

        Kind(int qp, boolean isOwn, Refusal first) {
            this.qp = qp;
            this.isOwn = isOwn;
            this.first = first;
        }

        boolean is(int number, boolean own, Refusal reason) {
            return qp == number && isOwn == own && first.isLike(reason);
        }
    }

    /** One more that was for a queue pair, or was its own. */
    public void add(int qp, boolean isOwn, Refusal reason) {
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            if (kind.is(qp, isOwn, reason)) {
                kind.count++;
                return;
            }
        }
        if (kinds.size() < MOST_KINDS) {
            Kind fresh = new Kind(qp, isOwn, reason);
            fresh.count = 1;
            kinds.add(fresh);
        }
    }

    /** All so far, in the order of their first packets. */
    public List<DroppedPackets> all() {
        return kinds.stream()
                .map(kind -> new DroppedPackets(kind.qp, kind.isOwn, kind.first, kind.count))
                .toList();
    }
}
