// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Connections in the words of {@code librdmacm}: identifiers and event channels; resolve, listen, connect, accept, reject, disconnect. The
 * messages are those of the InfiniBand communication manager, over queue pair 1 ({@code cm.protocol}).
 *
 * <p>Begin with {@link dev.verbatim.cm.Endpoint}, the short form for programs that wait for each step; inside with {@code Identifier},
 * which is behind each {@link dev.verbatim.cm.CmId}.
 */
@NullMarked
package dev.verbatim.cm;

import org.jspecify.annotations.NullMarked;
