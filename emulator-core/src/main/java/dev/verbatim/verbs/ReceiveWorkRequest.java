// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Arrays;

/**
 * A receive work request ({@code struct ibv_recv_wr}): immutable, but for a {@link Refillable}, and reusable. A message fills the elements in order;
 * bytes beyond its end stay as they are (WR-30).
 */
public sealed class ReceiveWorkRequest permits ReceiveWorkRequest.Refillable {

    private long id;
    private final Sge[] elements;
    private int elementCount;

    private ReceiveWorkRequest(long id, Sge[] elements) {
        this.id = id;
        this.elements = elements;
        this.elementCount = elements.length;
    }

    /** A receive into {@code elements}; without elements for messages without data. */
    public static ReceiveWorkRequest of(long id, Sge... elements) {
        return new ReceiveWorkRequest(id, elements.clone());
    }

    /** The wr_id of the caller, returned in the completion. */
    public long id() {
        return id;
    }

    /** Number of scatter/gather elements. */
    public int elementCount() {
        return elementCount;
    }

    /** One scatter/gather element. */
    public Sge element(int index) {
        return elements[index];
    }

    /** One line such as {@code RECV wr_id=7 elements=1}. */
    @Override
    public String toString() {
        return "RECV wr_id=" + id + " elements=" + elementCount;
    }

    /** Returns an immutable request: a copy if this is a {@link Refillable}. */
    public ReceiveWorkRequest frozen() {
        return this;
    }

    /**
     * A receive that can be refilled for each post, for programs that must not allocate. It can be reused as soon as
     * the post returns.
     */
    public static final class Refillable extends ReceiveWorkRequest {

        /** Creates a request with room for a number of elements. */
        public Refillable(int mostElements) {
            super(0, new Sge[mostElements]);
            ReceiveWorkRequest self = this;
            self.elementCount = 0;
        }

        /** Sets the id and removes all elements. */
        public Refillable fill(long id) {
            ReceiveWorkRequest self = this;
            self.id = id;
            self.elementCount = 0;
            return this;
        }

        /** Appends an element. */
        public Refillable add(Sge element) {
            ReceiveWorkRequest self = this;
            self.elements[self.elementCount++] = element;
            return this;
        }

        @Override
        public ReceiveWorkRequest frozen() {
            ReceiveWorkRequest self = this;
            return new ReceiveWorkRequest(self.id, Arrays.copyOf(self.elements, self.elementCount));
        }
    }
}
