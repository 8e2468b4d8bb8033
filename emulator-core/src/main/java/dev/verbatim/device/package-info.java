// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The emulated adapter behind the verbs: tables, keys, access checks, memory, completions. */
@NullMarked
package dev.verbatim.device;

import org.jspecify.annotations.NullMarked;
