// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the transport services share about the packets of messages: filling and reading them, their length, where their payload goes, the
 * completion of a receive. It sees {@code device.qp} and what is below. Begin with {@link dev.verbatim.device.message.MessagePackets}.
 */
@NullMarked
package dev.verbatim.device.message;

import org.jspecify.annotations.NullMarked;
