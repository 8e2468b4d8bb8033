// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The memory of a device as programs and as the device see it, and the placements that programs do not see yet. It sees
 * requests and keys. Begin with {@link dev.verbatim.conformance.oracle.memory.MemoryModel}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.memory;

import org.jspecify.annotations.NullMarked;
