// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What all parts of a device share: {@link dev.verbatim.device.context.DeviceContext}, the identities of protection domains and queue
 * pairs, the trace of a queue pair, tables by number. Nothing here knows another package of the device. Begin with
 * {@code DeviceContext}.
 */
@NullMarked
package dev.verbatim.device.context;

import org.jspecify.annotations.NullMarked;
