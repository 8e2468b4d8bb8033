// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that gives one frame after another. */
interface FrameSource {

    /**
     * Returns the next frame; null at the end of the file.
     *
     * @throws CaptureException if the file is broken here; nothing more can be read of it
     */
    @Nullable
    CapturedFrame next() throws IOException;
}
