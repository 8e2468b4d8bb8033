// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The sanitizer finds mistakes of programs that the rules of RDMA permit: buffers touched too early, accesses that nothing orders,
 * objects closed too soon. It watches by the seam of {@link dev.verbatim.inspect} and changes nothing. Begin with
 * {@link dev.verbatim.sanitizer.Sanitizer}; {@link dev.verbatim.sanitizer.Mistake} lists what it finds.
 */
@NullMarked
package dev.verbatim.sanitizer;

import org.jspecify.annotations.NullMarked;
