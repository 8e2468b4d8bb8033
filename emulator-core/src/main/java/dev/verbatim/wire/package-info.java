// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** InfiniBand transport packets as bytes: opcodes, header views and records, PSN arithmetic, ICRC. */
@NullMarked
package dev.verbatim.wire;

import org.jspecify.annotations.NullMarked;
