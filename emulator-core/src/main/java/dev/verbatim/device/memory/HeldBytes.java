// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DeferredEffect;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.visibility.MemoryDomain;
import org.jspecify.annotations.Nullable;

/** A run of bytes that a device accepted and programs do not see yet. */
final class HeldBytes extends DeferredEffect {

    private final PlacementBuffer buffer;
    private final SgeAccess owner;
    private final int piece;
    private final MemoryEffect effect;
    private final EmulatedMemoryRegion region;
    private final long index;
    private final int psn;
    private final byte[] data;
    private final long number;
    private final @Nullable MemoryDomain domain;

    /** How many pieces are held still that have bytes of these, and were accepted before. */
    private int older;

    HeldBytes(
            PlacementBuffer buffer,
            SgeAccess owner,
            MemoryEffect effect,
            EmulatedMemoryRegion region,
            long index,
            int psn,
            byte[] data,
            long number,
            @Nullable MemoryDomain domain) {
        super(ChoicePoint.PLACEMENT);
        this.buffer = buffer;
        this.owner = owner;
        this.piece = owner.nextPiece(effect == MemoryEffect.RETURNED);
        this.effect = effect;
        this.region = region;
        this.index = index;
        this.psn = psn;
        this.data = data;
        this.number = number;
        this.domain = domain;
    }

    long number() {
        return number;
    }

    /** So many pieces of the same bytes, accepted before, came to be held, or if negative ceased to be. */
    void olderWere(int change) {
        older += change;
    }

    EmulatedMemoryRegion region() {
        return region;
    }

    /** Where they are going; null if all memory is coherent host memory. */
    @Nullable
    MemoryDomain domain() {
        return domain;
    }

    boolean isOnPathOf(HeldBytes other) {
        return domain != null && domain.equals(other.domain);
    }

    /** Whether their region has relaxed ordering. */
    boolean isRelaxed() {
        return region.isRelaxed();
    }

    /** Whether a READ need not return them (MR-71). */
    boolean isUnordered() {
        return region.isUnordered();
    }

    /** Address of the first byte, as the memory has it. */
    long address() {
        return region.memory().address() + index;
    }

    /** Names those that are accepted in order: of a queue pair, what arrives, or what is returned. Of others either may be older. */
    String source() {
        return owner.source(isReturned());
    }

    /** Behind the last byte. */
    long end() {
        return address() + data.length;
    }

    int lengthBytes() {
        return data.length;
    }

    /** Whether the queue pair with that access accepted them. */
    boolean isOf(SgeAccess candidate) {
        return owner.equals(candidate);
    }

    /** Whether it is what a request of the queue pair itself returned. */
    boolean isReturned() {
        return effect == MemoryEffect.RETURNED;
    }

    boolean overlaps(long from, long count) {
        return from < address() + data.length && address() < from + count;
    }

    /** Puts those of its bytes that lie there onto {@code seen}, which begins at {@code from}. */
    void copyOnto(byte[] seen, long from) {
        long begin = Math.max(from, address());
        long end = Math.min(from + seen.length, address() + data.length);
        System.arraycopy(data, (int) (begin - address()), seen, (int) (begin - from), (int) (end - begin));
    }

    @Override
    public boolean isNext() {
        return older == 0;
    }

    @Override
    public void happen() {
        buffer.showsAlone(this);
        showNow();
    }

    /** Becomes visible as something else needs it. */
    void showNow() {
        try {
            show();
        } catch (RuntimeException | Error e) {
            owner.stepFailed(e);
        }
    }

    private void show() {
        buffer.shown(this);
        try {
            if (!region.isUsable(index, data.length, true)) {
                return;
            }
            buffer.arriving(region, index, data.length);
            PlacementBuffer.write(region, index, data);
        } catch (RuntimeException | InternalError closed) {
            // The program took its memory away; nobody can see what would be there (MR-08).
            return;
        }
        owner.trace().visible(effect, address(), data.length);
        owner.trace().shown(psn, address(), data);
    }

    /** Which of the pieces it is that were held for its queue pair in the same direction. */
    int piece() {
        return piece;
    }

    int qpNumber() {
        return owner.qpNumber();
    }

    /** Named by what its queue pair did, so that the name does not depend on what others do meanwhile. */
    @Override
    public String toString() {
        return owner.trace() + (isReturned() ? " shows returned piece " : " shows piece ") + piece + " of psn=" + psn;
    }
}
