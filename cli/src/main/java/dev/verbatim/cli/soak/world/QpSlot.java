// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.verbs.QpType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A place for a queue pair: one after the other, and sometimes none. */
public final class QpSlot {

    private final Side side;
    private final QpType type;
    private final AtomicReference<@Nullable TrackedQp> present = new AtomicReference<>();

    QpSlot(Side side, QpType type) {
        this.side = side;
        this.type = type;
    }

    public Side side() {
        return side;
    }

    public QpType type() {
        return type;
    }

    @Nullable
    public TrackedQp qp() {
        return present.get();
    }

    /** Whether it was this one's place. */
    public boolean replace(@Nullable TrackedQp old, @Nullable TrackedQp fresh) {
        return present.compareAndSet(old, fresh);
    }
}
