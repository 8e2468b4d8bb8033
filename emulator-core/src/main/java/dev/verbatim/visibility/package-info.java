// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Who sees what in the memory of a node. A device places bytes when they arrive at the home of their domain; which version of a
 * word a load returns depends on who loads it: the CPU, a GPU, another adapter, or whoever comes after a power failure. Begin
 * with {@link dev.verbatim.visibility.MemorySystem}; {@link dev.verbatim.visibility.Platform} is what differs between nodes. A
 * node without a memory system has coherent host memory only.
 */
@NullMarked
package dev.verbatim.visibility;

import org.jspecify.annotations.NullMarked;
