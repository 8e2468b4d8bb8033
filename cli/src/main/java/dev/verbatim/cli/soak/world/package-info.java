// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The objects that threads of the soak share, each with its own account, and what a thread draws with. It sees the plan
 * and the accounts. Begin with {@link dev.verbatim.cli.soak.world.SoakState}.
 */
@NullMarked
package dev.verbatim.cli.soak.world;

import org.jspecify.annotations.NullMarked;
