// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The protocol of UC: what is lost stays lost, and nothing is acknowledged. It sees {@code device.message} and what is below. Begin
 * with {@link dev.verbatim.device.uc.UcEngine}.
 */
@NullMarked
package dev.verbatim.device.uc;

import org.jspecify.annotations.NullMarked;
