// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Choices were recorded in a run of something else: the run that replays them asks for others. The message says where. */
public final class StaleChoicesException extends IllegalStateException implements EndsRun {

    private static final long serialVersionUID = 1;

    StaleChoicesException(String message) {
        super(message);
    }
}
