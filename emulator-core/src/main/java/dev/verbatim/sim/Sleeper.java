// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * An event that need not be taken for now, since all that can follow it was seen elsewhere.
 *
 * @param key which event
 * @param footprint all that it touches, whatever is chosen inside of it
 * @param isLast whether a run ended with it
 */
record Sleeper(String key, Footprint footprint, boolean isLast) {}
