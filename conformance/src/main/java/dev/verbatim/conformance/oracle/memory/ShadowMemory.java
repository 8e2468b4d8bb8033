// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.memory;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that programs see at each address, as far as the trace has them; other bytes are unknown. Remembers so many
 * pages, and forgets those that were not touched for longest. Of some bytes observers see different ones.
 */
public final class ShadowMemory {

    /** 64 MiB. */
    private static final int MOST_PAGES = 1 << 14;

    private final Map<Long, ShadowPage> pages = new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ShadowPage> eldest) {
            return size() > MOST_PAGES;
        }
    };
    private @Nullable ShadowPage last;
    private long lastNumber;
    /** By first address; the one behind the last. */
    private final TreeMap<Long, Long> incoherent = new TreeMap<>();

    /** Different observers may see different bytes there from now on. */
    public void incoherent(long address, long lengthBytes) {
        long begin = address;
        long end = address + lengthBytes;
        Map.Entry<Long, Long> before = incoherent.floorEntry(end);
        while (before != null && before.getValue() >= begin) {
            begin = Math.min(begin, before.getKey());
            end = Math.max(end, before.getValue());
            incoherent.remove(before.getKey());
            before = incoherent.floorEntry(end);
        }
        incoherent.put(begin, end);
    }

    /** Whether all observers see the same bytes there. */
    public boolean isCoherent(long address, long lengthBytes) {
        if (incoherent.isEmpty()) {
            return true;
        }
        Map.Entry<Long, Long> before = incoherent.lowerEntry(address + lengthBytes);
        return before == null || before.getValue() <= address;
    }

    private ShadowPage page(long number) {
        ShadowPage page = last;
        if (page == null || lastNumber != number) {
            page = pages.computeIfAbsent(number, key -> new ShadowPage());
            last = page;
            lastNumber = number;
        }
        return page;
    }

    /** These bytes stand there from now on. */
    public void write(long address, ByteBuffer data) {
        int done = 0;
        int count = data.remaining();
        while (done < count) {
            long at = address + done;
            int from = (int) (at & ShadowPage.OFFSET_MASK);
            int run = Math.min(count - done, ShadowPage.BYTES - from);
            page(at >>> ShadowPage.BITS).write(from, data, data.position() + done, run);
            done += run;
        }
    }

    /**
     * Compares bytes that were read with those expected. Unknown ones are taken from what was read.
     *
     * @return how many were unknown; or, if a known one differs, -1 less its index
     */
    int compare(long address, ByteBuffer data) {
        int done = 0;
        int unknown = 0;
        int count = data.remaining();
        while (done < count) {
            long at = address + done;
            int from = (int) (at & ShadowPage.OFFSET_MASK);
            int run = Math.min(count - done, ShadowPage.BYTES - from);
            int found = page(at >>> ShadowPage.BITS).compare(from, data, data.position() + done, run);
            if (found < 0) {
                return found - done;
            }
            unknown += found;
            done += run;
        }
        return unknown;
    }

    /** Copies what stands there; returns whether all of it is known. Unknown bytes are 0. */
    boolean read(long address, byte[] target) {
        boolean known = true;
        for (int i = 0; i < target.length; i++) {
            long at = address + i;
            ShadowPage page = page(at >>> ShadowPage.BITS);
            int offset = (int) (at & ShadowPage.OFFSET_MASK);
            target[i] = page.get(offset);
            known &= page.isKnown(offset);
        }
        return known;
    }
}
