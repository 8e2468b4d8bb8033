// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import dev.verbatim.transport.netty.SocketTransport;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table: what is measured, where and for messages of which size.
 *
 * @param transport the way to sockets; null in-process
 */
public record Line(
        BenchCase what, Setting setting, @Nullable SocketTransport transport, int sizeBytes) {

    /** Whether a line under another one belongs to the same table. */
    public boolean isBeside(Line other) {
        return what == other.what && setting == other.setting;
    }
}
