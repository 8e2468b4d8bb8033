// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Unreliable datagram: one packet a message, to and from anybody. */
@NullMarked
package dev.verbatim.device.ud;

import org.jspecify.annotations.NullMarked;
