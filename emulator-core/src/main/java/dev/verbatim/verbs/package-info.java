// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What a user of RDMA calls: resources, work requests, completions and their attributes. */
@NullMarked
package dev.verbatim.verbs;

import org.jspecify.annotations.NullMarked;
