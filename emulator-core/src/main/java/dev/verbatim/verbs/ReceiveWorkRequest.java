// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive work request ({@code struct ibv_recv_wr}): immutable, but for a {@link Refillable}, and reusable. A message fills the elements in order;
 * bytes beyond its end stay as they are (WR-30).
 */
public sealed class ReceiveWorkRequest permits ReceiveWorkRequest.Refillable {

    private long id;
    private final Sge[] elements;

    /** The elements instead, of a {@link Refillable}. */
    private final @Nullable ElementRoom room;

    private ReceiveWorkRequest(long id, Sge[] elements, @Nullable ElementRoom room) {
        this.id = id;
        this.elements = elements;
        this.room = room;
    }

    /** A receive into {@code elements}; without elements for messages without data. */
    public static ReceiveWorkRequest of(long id, Sge... elements) {
        return new ReceiveWorkRequest(id, elements.clone(), null);
    }

    /** The wr_id of the caller, returned in the completion. */
    public long id() {
        return id;
    }

    /** Number of scatter/gather elements. */
    public int elementCount() {
        ElementRoom held = room;
        return held == null ? elements.length : held.count();
    }

    /** One scatter/gather element; a new object each time if this is a {@link Refillable}. */
    public Sge element(int index) {
        ElementRoom held = room;
        return held == null ? elements[index] : new Sge(held.address(index), held.lengthBytes(index), held.lkey(index));
    }

    /** Whether that element is not null, which posting refuses (WR-10). */
    public boolean hasElement(int index) {
        return room != null || elements[index] != null;
    }

    /** Address of an element. */
    public long elementAddress(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].address() : held.address(index);
    }

    /** Number of bytes of an element, unsigned. */
    public int elementLengthBytes(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].lengthBytes() : held.lengthBytes(index);
    }

    /** Local key of an element. */
    public int elementLkey(int index) {
        ElementRoom held = room;
        return held == null ? elements[index].lkey() : held.lkey(index);
    }

    /** One line such as {@code RECV wr_id=7 elements=1}. */
    @Override
    public String toString() {
        return "RECV wr_id=" + id + " elements=" + elementCount();
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

        private static final Sge[] NO_OBJECTS = {};

        private final ElementRoom elements;

        /** Creates a request with room for a number of elements; it grows if there are more. */
        public Refillable(int elements) {
            this(new ElementRoom(elements));
        }

        private Refillable(ElementRoom elements) {
            super(0, NO_OBJECTS, elements);
            this.elements = elements;
        }

        /** Sets the id and removes all elements. */
        public Refillable fill(long id) {
            ReceiveWorkRequest self = this;
            self.id = id;
            elements.clear();
            return this;
        }

        /**
         * Appends an element.
         *
         * @throws VerbsException EINVAL if it is null
         */
        public Refillable add(Sge element) {
            VerbsException.requireNonNull(element, "element");
            return add(element.address(), element.lengthBytes(), element.lkey());
        }

        /** Appends an element, without an object for it. */
        public Refillable add(long address, int lengthBytes, int lkey) {
            elements.add(address, lengthBytes, lkey);
            return this;
        }

        @Override
        public ReceiveWorkRequest frozen() {
            return new ReceiveWorkRequest(id(), elements.toArray(), null);
        }
    }
}
