// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * A scatter/gather element ({@code struct ibv_sge}).
 *
 * @param address first byte, an address of the memory region (MR-20)
 * @param lengthBytes number of bytes, unsigned
 * @param lkey local key of the memory region
 */
public record Sge(long address, int lengthBytes, int lkey) {}
