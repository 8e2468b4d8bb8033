// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Where devices are: what the environment asks for, the fabric, addresses, GIDs and LIDs. */
@NullMarked
package dev.verbatim.ibverbs.place;

import org.jspecify.annotations.NullMarked;
