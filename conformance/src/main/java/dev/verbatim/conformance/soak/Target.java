// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

/** Bytes that a peer may reach by a key. */
record Target(long address, long lengthBytes, int key) {}
