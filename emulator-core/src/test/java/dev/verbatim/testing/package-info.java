// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Fixtures for the tests of every module. */
@NullMarked
package dev.verbatim.testing;

import org.jspecify.annotations.NullMarked;
