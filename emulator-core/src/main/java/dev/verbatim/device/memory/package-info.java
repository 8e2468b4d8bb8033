// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Memory regions and windows, the table of their keys, the decision about each access, and what is done to registered memory. It sees
 * {@code device.context}. Begin with {@link dev.verbatim.device.memory.DeviceMemory} and
 * {@link dev.verbatim.device.memory.AccessDecision}.
 */
@NullMarked
package dev.verbatim.device.memory;

import org.jspecify.annotations.NullMarked;
