// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

/**
 * A record that is an object of JSON, in a line: its member {@code kind} is the name of the record in lower case, without {@code Line} at
 * its end, and the others are the components in their order. A component that is null is left out.
 */
public interface Line {}
