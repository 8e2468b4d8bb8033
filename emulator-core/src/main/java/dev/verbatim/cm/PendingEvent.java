// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import java.util.function.Supplier;

/**
 * An event that was not fetched yet.
 *
 * @param about who has to be closed only after it was acknowledged; of a request its listener
 * @param brought the identifier in the event; of a request the new one
 * @param making does what has to be done when it is fetched, and makes what the application sees
 */
record PendingEvent(Identifier about, Identifier brought, Supplier<CmEvent> making) {

    @SuppressWarnings("ReferenceEquality") // an identifier is its identity
    boolean isAbout(Identifier identifier) {
        return about == identifier || brought == identifier;
    }

    /** Whether it is a request, which brought an identifier. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOfRequest() {
        return about != brought;
    }

    /** On the lane. */
    CmEvent fetch() {
        return about.fetched(this);
    }
}
