// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects by number. Numbers are handed out upwards and start over at the end, so a freed one is not used again before
 * all others were (QP-08, KEY-05). Looking up costs two array reads. Visits in order of number.
 */
final class NumberedTable<T> {

    private static final int PAGE_BITS = 9;
    private static final int PAGE_SIZE = 1 << PAGE_BITS;

    private final int first;
    private final int last;
    private final Object[] @Nullable [] pages;
    private int next;
    private int size;

    /** A table for the numbers {@code first} to {@code last}. */
    NumberedTable(int first, int last) {
        this.first = first;
        this.last = last;
        this.next = first;
        this.pages = new Object[(last >> PAGE_BITS) + 1][];
    }

    int size() {
        return size;
    }

    /** The next free number, or -1 if all are taken; {@link #put} takes it. */
    int nextFree() {
        if (size > last - first) {
            return -1;
        }
        while (get(next) != null) {
            next = next == last ? first : next + 1;
        }
        return next;
    }

    /** Puts an object at a free number that {@link #nextFree()} gave. */
    void put(int number, T object) {
        Object[] page = pages[number >> PAGE_BITS];
        if (page == null) {
            page = new Object[PAGE_SIZE];
            pages[number >> PAGE_BITS] = page;
        }
        page[number & PAGE_SIZE - 1] = object;
        next = number == last ? first : number + 1;
        size++;
    }

    /** The object of that number; null if there is none, whatever the number. */
    @SuppressWarnings("unchecked")
    @Nullable
    T get(int number) {
        if (number < first || number > last) {
            return null;
        }
        Object[] page = pages[number >> PAGE_BITS];
        return page == null ? null : (T) page[number & PAGE_SIZE - 1];
    }

    void remove(int number) {
        Object[] page = pages[number >> PAGE_BITS];
        if (page != null && page[number & PAGE_SIZE - 1] != null) {
            page[number & PAGE_SIZE - 1] = null;
            size--;
        }
    }

    @SuppressWarnings("unchecked")
    void forEach(Consumer<T> visitor) {
        for (Object[] page : pages) {
            for (int i = 0; page != null && i < PAGE_SIZE; i++) {
                if (page[i] != null) {
                    visitor.accept((T) page[i]);
                }
            }
        }
    }
}
