// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Links to peers and the connections that serve them: who may have which ({@link dev.verbatim.transport.netty.link.LinkTable}), what
 * goes over them ({@link dev.verbatim.transport.netty.link.Connection}), and when a lost one is dialled anew. Sees {@code lane},
 * {@code frame} and {@code hello}, and neither ports nor options.
 */
@NullMarked
package dev.verbatim.transport.netty.link;

import org.jspecify.annotations.NullMarked;
