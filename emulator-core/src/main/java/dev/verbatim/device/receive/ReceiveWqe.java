// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.memory.SgeList;
import dev.verbatim.verbs.ReceiveWorkRequest;

/** A slot of a receive queue. */
public final class ReceiveWqe {

    private final SgeList elements;
    private long id;

    ReceiveWqe(PdIdentity pd, int maxSge) {
        this.elements = new SgeList(pd, maxSge);
    }

    void fill(ReceiveWorkRequest request) {
        id = request.id();
        elements.copyFrom(request);
    }

    public long id() {
        return id;
    }

    public SgeList elements() {
        return elements;
    }
}
