// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What two ends of a new connection say before the first packet: a {@link dev.verbatim.transport.netty.hello.Hello} each, a
 * {@link dev.verbatim.transport.netty.hello.Challenge} where a secret is to be proved, and the acceptor's
 * {@link dev.verbatim.transport.netty.hello.Verdict}. Values and their bytes only; the limits of {@code socket} are all they see.
 */
@NullMarked
package dev.verbatim.transport.netty.hello;

import org.jspecify.annotations.NullMarked;
