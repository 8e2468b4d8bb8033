// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Management datagrams (MADs) of 256 bytes: their common header, and the messages of communication management as values that are
 * parsed and emitted. Nothing here does anything.
 *
 * <p>Each message has a table of its {@link dev.verbatim.wire.mad.Field fields}, with the offsets that the specification gives:
 * counted from the end of the header (MAD-08). Reserved bits are emitted as zero and not looked at.
 */
@NullMarked
package dev.verbatim.wire.mad;

import org.jspecify.annotations.NullMarked;
