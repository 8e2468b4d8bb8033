// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

/**
 * A place in a file.
 *
 * @param line from 1
 * @param column from 1
 */
public record Mark(int line, int column) {

    /** The beginning of a file. */
    public static final Mark START = new Mark(1, 1);
}
