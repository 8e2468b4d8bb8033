// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Counts the calls that one operation takes: how long the way of a WRITE, a bind and a connection is for a reader. Begin with
 * {@link dev.verbatim.conformance.path.LengthOfPathTest}.
 */
package dev.verbatim.conformance.path;
