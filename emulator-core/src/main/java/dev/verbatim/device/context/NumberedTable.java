// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects by number. Numbers are handed out in a fixed order, over and over, so a freed one is not used again before all
 * other free ones were (QP-08, KEY-P5). Looking up costs two array reads, and none for the object that was asked for
 * twice in a row. Visits in order of number.
 */
public final class NumberedTable<T> {

    private static final int NO_NUMBER = Integer.MIN_VALUE;
    private static final int PAGE_BITS = 9;
    private static final int PAGE_SIZE = 1 << PAGE_BITS;
    private static final int LEAST_ROOM = 16;

    private final int first;
    private final int last;
    private final IntUnaryOperator order;
    /** Numbers count from the first on; both dimensions grow with the largest that was ever put. */
    private @Nullable Object[] @Nullable [] pages = {};

    private int next;
    private int size;

    /** The object that was asked for twice in a row: to remember it costs a fence, which many that take turns are spared. */
    private @Nullable T known;

    private int knownNumber = NO_NUMBER;
    private int foundNumber = NO_NUMBER;

    /** A table for the numbers {@code first} to {@code last}, handed out upwards. */
    public NumberedTable(int first, int last) {
        this(first, last, IntUnaryOperator.identity());
    }

    /** A table for the numbers {@code first} to {@code last}, handed out in this order: a permutation of them. */
    public NumberedTable(int first, int last, IntUnaryOperator order) {
        this.first = first;
        this.last = last;
        this.order = order;
        this.next = first;
    }

    public int size() {
        return size;
    }

    /** The next free number, or -1 if all are taken; {@link #put} takes it. */
    public int nextFree() {
        return nextFree(0);
    }

    /** The next free number after so many that are left out for now; -1 if all are taken. */
    public int nextFree(int leftOut) {
        if (size > last - first) {
            return -1;
        }
        int number = toFree();
        for (int i = 0; i < leftOut; i++) {
            advance();
            number = toFree();
        }
        return number;
    }

    private int toFree() {
        int number = order.applyAsInt(next);
        while (get(number) != null) {
            advance();
            number = order.applyAsInt(next);
        }
        return number;
    }

    private void advance() {
        next = next == last ? first : next + 1;
    }

    /** Puts an object at the number that {@link #nextFree()} gave last. */
    public void put(int number, T object) {
        int index = (number - first) >> PAGE_BITS;
        if (index >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(index + 1, 2 * pages.length));
        }
        int slot = slotOf(number);
        @Nullable Object[] page = pages[index];
        if (page == null || slot >= page.length) {
            int room = roomFor(slot);
            page = page == null ? new Object[room] : Arrays.copyOf(page, room);
            pages[index] = page;
        }
        page[slot] = object;
        advance();
        size++;
    }

    /** How many slots a page gets that grows to have this one: a power of two. */
    public static int roomFor(int slot) {
        return Math.max(LEAST_ROOM, Integer.highestOneBit(slot) << 1);
    }

    private int slotOf(int number) {
        return (number - first) & (PAGE_SIZE - 1);
    }

    /** Puts another object at a number that is taken. */
    public void replace(int number, T object) {
        @Nullable Object[] page = pageOf(number);
        if (page == null || page[slotOf(number)] == null) {
            throw new IllegalStateException("number=" + number + " is not taken; put() takes one");
        }
        page[slotOf(number)] = object;
        forget(number);
    }

    /** The object of that number; null if there is none, whatever the number. */
    @SuppressWarnings("unchecked")
    @Nullable
    public T get(int number) {
        if (number == knownNumber) {
            foundNumber = number;
            return known;
        }
        @Nullable Object[] page = pageOf(number);
        T found = page == null ? null : (T) page[slotOf(number)];
        if (found != null) {
            if (number == foundNumber) {
                known = found;
                knownNumber = number;
            }
            foundNumber = number;
        }
        return found;
    }

    private void forget(int number) {
        if (number == knownNumber) {
            known = null;
            knownNumber = NO_NUMBER;
        }
    }

    /** The page that has a slot for the number; null if none has. */
    private @Nullable Object @Nullable [] pageOf(int number) {
        int index = (number - first) >> PAGE_BITS;
        @Nullable Object[] page = index < 0 || index >= pages.length ? null : pages[index];
        return page == null || slotOf(number) >= page.length ? null : page;
    }

    public void remove(int number) {
        @Nullable Object[] page = pageOf(number);
        if (page != null && page[slotOf(number)] != null) {
            page[slotOf(number)] = null;
            forget(number);
            size--;
        }
    }

    @SuppressWarnings("unchecked")
    public void forEach(Consumer<T> visitor) {
        for (@Nullable Object[] page : pages) {
            for (int i = 0; page != null && i < page.length; i++) {
                if (page[i] != null) {
                    visitor.accept((T) page[i]);
                }
            }
        }
    }
}
