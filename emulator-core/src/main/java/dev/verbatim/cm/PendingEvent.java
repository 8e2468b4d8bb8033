// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import java.util.function.Supplier;

/**
 * An event that was not fetched yet.
 *
 * @param about the identifier that counts the event until it is acknowledged; of a request the listener
 * @param brought the identifier in the event; of a request the new one
 * @param making does the work of fetching the event, and makes what the application gets
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
