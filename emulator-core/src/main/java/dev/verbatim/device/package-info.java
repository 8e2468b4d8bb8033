// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The device as a whole: it makes the parts and passes to them what they need, takes packets in, and ends what failed. It sees all
 * other packages of the device, and none of them sees it. Begin with {@link dev.verbatim.device.EmulatedDevice}.
 */
@NullMarked
package dev.verbatim.device;

import org.jspecify.annotations.NullMarked;
