// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Connections, as {@code librdmacm} makes them: identifiers and event channels, resolve, listen, connect, accept, reject,
 * disconnect. The messages are those of the InfiniBand communication manager, on QP 1.
 *
 * <p>{@link dev.verbatim.cm.Endpoint} is the short form, for programs that wait for each step.
 */
@NullMarked
package dev.verbatim.cm;

import org.jspecify.annotations.NullMarked;
