// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;

/** What becomes of the search for a device: one of the two is called, once, on the lane. */
public interface Resolution {

    /** The device is there; what is sent to this GID reaches it. */
    void found(Gid peer);

    /** It is not; the errors are those of {@link FabricPort#resolve}. */
    void failed(VerbsException reason);
}
