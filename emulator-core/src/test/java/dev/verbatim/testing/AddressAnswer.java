// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of a search for a device; that it comes once, and on the lane, is looked at here. */
public final class AddressAnswer implements Resolution {

    private final Lane lane;
    private volatile @Nullable Gid peer;
    private volatile @Nullable VerbsException reason;

    /** None yet. */
    public AddressAnswer(Lane lane) {
        this.lane = lane;
    }

    @Override
    public void found(Gid found) {
        require(found);
        peer = found;
    }

    @Override
    public void failed(VerbsException why) {
        require(why);
        reason = why;
    }

    private void require(Object answer) {
        if (isThere() || !lane.isCurrent()) {
            throw new AssertionError("a second answer, or one that is not on the lane: " + answer);
        }
    }

    /** Whether it has come. */
    public boolean isThere() {
        return peer != null || reason != null;
    }

    /** The device that was found; null if none was. */
    public @Nullable Gid peer() {
        return peer;
    }

    /** Why none was. */
    public Errno errno() {
        return reason().errno();
    }

    /** The same with its sentence. */
    public VerbsException reason() {
        return Objects.requireNonNull(reason, "it did not fail");
    }
}
