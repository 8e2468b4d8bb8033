// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Packets as frames of a byte stream: {@link dev.verbatim.transport.netty.frame.WriteBatch} writes them,
 * {@link dev.verbatim.transport.netty.frame.FrameReader} takes them out of what was read, and long payloads land where they belong
 * without a copy. Sees {@code socket} only.
 */
@NullMarked
package dev.verbatim.transport.netty.frame;

import org.jspecify.annotations.NullMarked;
