// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

import dev.verbatim.verbs.QpType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A place for a queue pair: one after the other, and sometimes none. */
final class End {

    private final Side side;
    private final QpType type;
    private final AtomicReference<@Nullable TrackedQp> present = new AtomicReference<>();

    End(Side side, QpType type) {
        this.side = side;
        this.type = type;
    }

    Side side() {
        return side;
    }

    QpType type() {
        return type;
    }

    @Nullable
    TrackedQp qp() {
        return present.get();
    }

    /** Whether it was this one's place. */
    boolean replace(@Nullable TrackedQp old, @Nullable TrackedQp fresh) {
        return present.compareAndSet(old, fresh);
    }
}
