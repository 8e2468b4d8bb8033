// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Random programs between a device of Verbatim and another device, whose outcome is held against that of the same programs between
 * devices of Verbatim, and judged by the oracle. Programs have no races: what they leave behind does not depend on when things
 * happen. Begin at {@link dev.verbatim.interop.differential.Differential}.
 */
@NullMarked
package dev.verbatim.interop.differential;

import org.jspecify.annotations.NullMarked;
