// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The memory of the process as C sees it: structs of libibverbs and librdmacm, their fields, and what of the C library is called. */
@NullMarked
package dev.verbatim.ibverbs.abi;

import org.jspecify.annotations.NullMarked;
