// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;

/** The outcome of resolving an address: one of the two methods is called, once, on the lane. */
public interface Resolution {

    /** The device exists; packets to this GID reach it. */
    void found(Gid peer);

    /** There is no such device; the errors are those of {@link FabricPort#resolve}. */
    void failed(VerbsException reason);
}
