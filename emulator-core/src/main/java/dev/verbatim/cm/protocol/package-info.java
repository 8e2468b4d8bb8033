// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol of the InfiniBand communication manager: the states of connections, the datagrams that are exchanged and repeated, and the
 * tables by which a message finds its connection or listener. It sees {@code wire.mad}, {@code fabric} and {@code verbs}, and none of the
 * public types of {@code cm}: events for programs leave through callbacks. Begin with {@link dev.verbatim.cm.protocol.CmAgent} for what
 * comes in, and {@link dev.verbatim.cm.protocol.Transitions} for the states.
 */
@NullMarked
package dev.verbatim.cm.protocol;

import org.jspecify.annotations.NullMarked;
