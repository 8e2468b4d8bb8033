// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The accounts of a soak: what was posted, what completed, what failed, and how often. It sees the plan. Begin with
 * {@link dev.verbatim.cli.soak.account.Ledger}.
 */
@NullMarked
package dev.verbatim.cli.soak.account;

import org.jspecify.annotations.NullMarked;
