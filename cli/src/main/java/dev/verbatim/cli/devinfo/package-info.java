// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A device's attributes as text, in the way of {@code ibv_devinfo -v}. Sees the public packages only; begin with
 * {@link DeviceInfo}.
 */
@NullMarked
package dev.verbatim.cli.devinfo;

import org.jspecify.annotations.NullMarked;
