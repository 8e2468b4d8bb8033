// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the objects of an adapter deliver what they complete ({@code CreateOverlappedFile}): to a completion port, if one was
 * {@linkplain NdCompletionPort#associate associated}.
 */
public final class NdOverlappedFile {

    private final NdContext context;
    private volatile @Nullable NdCompletionPort port;
    private volatile long key;

    NdOverlappedFile(NdContext context) {
        this.context = context;
    }

    NdContext context() {
        return context;
    }

    synchronized void associate(NdCompletionPort newPort, long newKey) {
        if (port != null) {
            throw new IllegalStateException("the file has a completion port already; it cannot be changed");
        }
        key = newKey;
        port = Objects.requireNonNull(newPort, "port");
    }

    void deliver(NdOverlapped overlapped, NdStatus status) {
        NdCompletionPort to = port;
        if (to != null && !overlapped.suppressesPort()) {
            to.deliver(new NdCompletionPort.Entry(key, overlapped, status));
        }
    }

    @Override
    public String toString() {
        return "NdOverlappedFile of " + context;
    }
}
