// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Sockets over RDMA: the r-functions of librdmacm, such as rsocket(7), with the protocol that it has. Data is written into a buffer of
 * the peer's with an immediate that says how much; the peer gives room back by writing where the next half of its buffer is.
 */
@NullMarked
package dev.verbatim.ibverbs.rsocket;

import org.jspecify.annotations.NullMarked;
