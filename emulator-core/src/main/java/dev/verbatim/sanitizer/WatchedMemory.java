// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.function.Predicate;

/** Memory of a node whose observers may see different things, as queue pairs tell it what their requests do. */
interface WatchedMemory {

    /** Whether these bytes are part of it. */
    boolean has(Range range);

    /**
     * A program has a completion.
     *
     * @param known what the program knows, which is added to
     * @param device the name of the device whose completion it is
     * @param accepted what that device has accepted then
     */
    void completed(VectorClock known, String device, VectorClock accepted);

    /**
     * A FLUSH of a peer is executed.
     *
     * @param isKnown whether who knows that much knows that it was executed
     * @param device the name of the device that executes it
     * @param before what was before it
     * @param gains what is known behind it, which is added to
     */
    void flushed(
            Predicate<VectorClock> isKnown,
            String device,
            Range range,
            boolean persistent,
            VectorClock before,
            VectorClock gains);
}
