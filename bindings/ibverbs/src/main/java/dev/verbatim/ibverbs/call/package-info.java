// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** How a call of C becomes a call of Java: links functions by name, and makes errno of exceptions. */
@NullMarked
package dev.verbatim.ibverbs.call;

import org.jspecify.annotations.NullMarked;
