// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import java.net.InetSocketAddress;

/** Left's way: it asks. */
final class Calling implements Way {

    private final Party left;
    private final InetSocketAddress right;

    Calling(Party left, InetSocketAddress right) {
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
