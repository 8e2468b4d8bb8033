// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Pd;
import dev.verbatim.conformance.windows.model.Space;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.ProtectionDomain;

/** What has a name such as {@code pd1}, and the memory that regions are registered on there. */
final class PdSlot {

    final Memory memory;
    final Space space;
    Pd model;
    ProtectionDomain real;

    PdSlot(Pd model, ProtectionDomain real, Memory memory, Space space) {
        this.model = model;
        this.real = real;
        this.memory = memory;
        this.space = space;
    }
}
