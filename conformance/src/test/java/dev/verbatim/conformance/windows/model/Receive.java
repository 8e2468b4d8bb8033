// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

/** A posted receive, and where it scatters to. */
public record Receive(long id, Space space, int offset, int lengthBytes) {}
