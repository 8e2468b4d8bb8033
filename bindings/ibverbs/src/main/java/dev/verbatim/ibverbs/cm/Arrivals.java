// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import org.jspecify.annotations.Nullable;

/** Events of the device as the program gets them. */
final class Arrivals {

    private Arrivals() {}

    /**
     * Describes an event that was fetched; null if it is of an identifier that another thread destroys: it is acknowledged then, and a
     * request is rejected.
     */
    static @Nullable Event describe(CmEvent event, EvChannel channel, Home home) {
        CmId listener = event.listenId();
        Object about = (listener == null ? event.id() : listener).context();
        if (!(about instanceof Id known) || !known.eventTaken()) {
            event.acknowledge();
            if (listener != null) {
                event.id().close();
            }
            return null;
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            return new Event(event, new Id(event.id(), known, channel, home), known);
        }
        known.happened(event.type());
        return new Event(event, known, null);
    }
}
