// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Queue pairs: posting and its checks, send queue, states and attributes, window operations, outputs. It sees
 * {@code device.receive} and what is below, and knows a transport service as a {@link dev.verbatim.device.qp.TransportEngine}. Begin
 * with {@link dev.verbatim.device.qp.QpContext}.
 */
@NullMarked
package dev.verbatim.device.qp;

import org.jspecify.annotations.NullMarked;
