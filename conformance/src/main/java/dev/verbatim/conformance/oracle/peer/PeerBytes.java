// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a peer's memory, each with what can stand there: what it began with, and what the own device wrote over
 * connections whose order is known. A byte that others may write too is not judged.
 */
final class PeerBytes {

    /** Stands for a value that is not known. */
    static final int UNKNOWN = -1;

    /** One byte. */
    private static final class Cell {
        private int initial = UNKNOWN;
        private int current = UNKNOWN;
        private int writer = UNKNOWN;
        private boolean isShared;
        private boolean isAnything;
        private boolean isAtomic;
        private final TreeSet<Integer> values = new TreeSet<>();
        private final List<int[]> writes = new ArrayList<>();
    }

    private final Map<Long, Cell> cells = new HashMap<>();

    private Cell cell(long address) {
        return cells.computeIfAbsent(address, key -> new Cell());
    }

    /** The memory begins with these bytes. */
    void begin(long address, byte... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            Cell cell = cell(address + i);
            cell.isAnything |= cell.initial != UNKNOWN;
            cell.initial = bytes[i] & 0xff;
            cell.current = cell.initial;
        }
    }

    /** A writer whose order is unknown may write there. */
    void anything(long address, long lengthBytes) {
        each(address, lengthBytes, at -> cell(at).isAnything = true);
    }

    /** A connection writes there; that comes first, for all its writes. */
    void claim(int writer, long address, byte... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            Cell cell = claim(writer, address + i);
            cell.values.add(bytes[i] & 0xff);
        }
    }

    private Cell claim(int writer, long address) {
        Cell cell = cell(address);
        cell.isShared |= cell.writer != UNKNOWN && cell.writer != writer;
        cell.writer = writer;
        return cell;
    }

    /** A connection does an atomic there. */
    void claimWord(int writer, long address) {
        each(address, Long.BYTES, at -> claim(writer, at).isAtomic = true);
    }

    /**
     * In the order of its connection: bytes that were written, or perhaps.
     *
     * @param order the place of the request among those of the connection
     */
    void write(int order, long address, boolean isSure, byte... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            Cell cell = cell(address + i);
            cell.current = isSure ? bytes[i] & 0xff : UNKNOWN;
            cell.writes.add(new int[] {order, bytes[i] & 0xff});
        }
    }

    /** Whether the order of all that happens to the word is known. */
    boolean isWordOf(int writer, long address) {
        for (long at = address; at < address + Long.BYTES; at++) {
            Cell cell = cell(at);
            if (cell.isShared || cell.isAnything || cell.writer != writer) {
                return false;
            }
        }
        return true;
    }

    int current(long address) {
        return cell(address).current;
    }

    void current(long address, int value) {
        cell(address).current = value;
    }

    /**
     * Whether a READ of the connection can have found that byte: what stood there when it was asked, or what is written behind it,
     * for which it need not wait.
     *
     * @return null if that is not known
     */
    @Nullable
    Boolean canRead(int reader, int order, long address, int value) {
        Cell cell = cell(address);
        if (cell.isAnything || cell.isAtomic || cell.initial == UNKNOWN) {
            return null;
        }
        if (cell.isShared || (cell.writer != UNKNOWN && cell.writer != reader)) {
            return cell.initial == value || cell.values.contains(value);
        }
        int before = cell.initial;
        for (int[] write : cell.writes) {
            if (write[0] > order && write[1] == value) {
                return true;
            }
            before = write[0] < order ? write[1] : before;
        }
        return before == value;
    }

    /** Whether the byte can stand there in the end; null if that is not known. */
    @Nullable
    Boolean canBe(long address, int value) {
        Cell cell = cells.get(address);
        if (cell == null || cell.isAnything || cell.initial == UNKNOWN) {
            return null;
        }
        if (cell.isShared) {
            return cell.isAtomic ? null : Boolean.valueOf(cell.initial == value || cell.values.contains(value));
        }
        return cell.current == UNKNOWN ? null : Boolean.valueOf(cell.current == value);
    }

    private static void each(long address, long lengthBytes, LongConsumer consumer) {
        for (long at = address; at < address + lengthBytes; at++) {
            consumer.accept(at);
        }
    }
}
