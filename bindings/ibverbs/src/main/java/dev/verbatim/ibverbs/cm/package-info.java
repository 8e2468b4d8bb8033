// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The functions of librdmacm but for its sockets. */
@NullMarked
package dev.verbatim.ibverbs.cm;

import org.jspecify.annotations.NullMarked;
