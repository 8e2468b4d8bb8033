// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * A receive work request ({@code struct ibv_recv_wr}): immutable and reusable. A message fills the elements in order;
 * bytes beyond its end stay as they are (WR-30).
 */
public final class ReceiveWorkRequest {

    private final long id;
    private final Sge[] elements;

    private ReceiveWorkRequest(long id, Sge[] elements) {
        this.id = id;
        this.elements = elements;
    }

    /** A receive into {@code elements}; none is right for messages without data. */
    public static ReceiveWorkRequest of(long id, Sge... elements) {
        return new ReceiveWorkRequest(id, elements.clone());
    }

    /** The caller's number, echoed in the completion. */
    public long id() {
        return id;
    }

    /** Number of scatter/gather elements. */
    public int elementCount() {
        return elements.length;
    }

    /** One scatter/gather element. */
    public Sge element(int index) {
        return elements[index];
    }

    /** One line such as {@code RECV wr_id=7 elements=1}. */
    @Override
    public String toString() {
        return "RECV wr_id=" + id + " elements=" + elements.length;
    }
}
