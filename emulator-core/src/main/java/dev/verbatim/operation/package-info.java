// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What each operation is, for the device and for everybody who words it differently. Sees {@code verbs} and {@code wire} only. */
@NullMarked
package dev.verbatim.operation;

import org.jspecify.annotations.NullMarked;
