// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.EndsRun;

/** Ends a run in which nothing new can come. Programs let it pass. */
final class RunAbandoned extends RuntimeException implements EndsRun {

    private static final long serialVersionUID = 1;

    RunAbandoned() {
        super(
                "the run ends here, since exploring it further shows nothing new; let this exception pass",
                null,
                false,
                false);
    }
}
