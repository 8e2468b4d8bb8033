// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

/** A window or a region, by its name. */
public record Thing(boolean isWindow, int number) {

    @Override
    public String toString() {
        return (isWindow ? "w" : "m") + number;
    }
}
