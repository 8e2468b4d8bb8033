// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

/** Bytes that a peer may reach by a key. */
public record Target(long address, long lengthBytes, int key) {}
