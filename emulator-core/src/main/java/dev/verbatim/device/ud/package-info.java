// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The protocol of UD: each message is one packet, to and from any queue pair. It sees {@code device.message} and what is below. Begin
 * with {@link dev.verbatim.device.ud.UdEngine}.
 */
@NullMarked
package dev.verbatim.device.ud;

import org.jspecify.annotations.NullMarked;
