// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import java.net.InetSocketAddress;

/** How left connects: it asks. */
final class ActiveConnect implements ConnectMethod {

    private final DemoEndpoint left;
    private final InetSocketAddress right;

    ActiveConnect(DemoEndpoint left, InetSocketAddress right) {
        this.left = left;
        this.right = right;
    }

    @Override
    public void begin() {
        // Whoever asks needs nothing before it does.
    }

    @Override
    public void complete() {
        left.disconnect();
        left.tidy();
        left.connect(right);
    }
}
