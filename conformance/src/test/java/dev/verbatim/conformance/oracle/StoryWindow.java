// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBinding;
import java.util.List;

/** A window of a {@link Story}, of which requests know the handle and the type. */
record StoryWindow(int handle, MemoryWindowType type, int rkey) implements MemoryWindow {

    /** A signaled bind of part of the story's region. */
    SendWorkRequest bind(long id, int key, BindInfo info) {
        return SendWorkRequest.bind(id, SendFlags.SIGNALED, this, key, info);
    }

    @Override
    public ProtectionDomain pd() {
        throw new UnsupportedOperationException("nothing in a story has a domain");
    }

    @Override
    public int currentRkey() {
        return rkey;
    }

    @Override
    public List<WindowBinding> life() {
        return List.of();
    }

    @Override
    public void close() {}
}
