// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Reliable connection: requester, responder and completer as separate state machines. */
@NullMarked
package dev.verbatim.device.rc;

import org.jspecify.annotations.NullMarked;
