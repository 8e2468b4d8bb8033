// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/** Checks of the NetworkDirect face, and what other tests need to have two of its sides. */
@NullMarked
package dev.verbatim.networkdirect;

import org.jspecify.annotations.NullMarked;
