// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The protocol of RC and XRC: requester, completer, retransmission, responder. It sees {@code device.message} and what is below. Begin
 * with {@link dev.verbatim.device.rc.RcEngine}.
 */
@NullMarked
package dev.verbatim.device.rc;

import org.jspecify.annotations.NullMarked;
