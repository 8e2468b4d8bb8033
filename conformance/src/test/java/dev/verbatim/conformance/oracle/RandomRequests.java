// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.SplittableRandom;

/**
 * Random requests that nothing keeps out of each other's way: they gather from, fetch from and place into the same few pages,
 * so that every order shows in the bytes.
 */
final class RandomRequests {

    /** Bytes of each region. */
    static final int AREA_BYTES = 8192;

    /** Longest message. */
    static final int LONGEST_BYTES = 2500;

    /** Most bytes of an inline request. */
    static final int INLINE_BYTES = 48;

    private static final int WORDS = 4;
    private static final int IDS = 1000;
    private static final int TOO_SHORT_BYTES = 100;

    private final SplittableRandom random;
    private final boolean withErrors;

    /** Draws from {@code random}; with errors some have a wrong key, and some receives are too short. */
    RandomRequests(SplittableRandom random, boolean withErrors) {
        this.random = random;
        this.withErrors = withErrors;
    }

    ReceiveWorkRequest receive(MemoryRegion region) {
        int most = withErrors && random.nextInt(8) == 0 ? TOO_SHORT_BYTES : LONGEST_BYTES;
        return ReceiveWorkRequest.of(random.nextInt(IDS), pieces(region, most));
    }

    /** One that goes to what the other queue pair shares, or invalidates something of it. */
    SendWorkRequest send(MemoryRegion own, RandomWindows other) {
        SendWorkRequest request = unflagged(random.nextInt(IDS), own, other);
        int fence = random.nextInt(4) == 0 ? SendFlags.FENCE : 0;
        int signal = random.nextBoolean() ? SendFlags.SIGNALED : 0;
        return request.withFlags((request.flags() & SendFlags.INLINE) | fence | signal);
    }

    private SendWorkRequest unflagged(long id, MemoryRegion own, RandomWindows windows) {
        RandomWindows.Target other =
                windows.targets().get(random.nextInt(windows.targets().size()));
        int length = random.nextInt(3) == 0 ? random.nextInt(LONGEST_BYTES) : random.nextInt(300);
        int key = withErrors && random.nextInt(60) == 0 ? other.key() + 1 : other.key();
        int inline = random.nextInt(4) == 0 ? SendFlags.INLINE : 0;
        int gathered = inline == 0 ? length : random.nextInt(INLINE_BYTES);
        long there = other.base() + WORDS * 8L + random.nextInt(AREA_BYTES - WORDS * 8 - Math.max(length, gathered));
        long word = other.base() + random.nextInt(WORDS) * 8L;
        int invalidated = random.nextInt(12) == 0 ? windows.takeKeyToInvalidate() : 0;
        if (invalidated != 0) {
            return SendWorkRequest.sendWithInvalidate(id, invalidated, pieces(own, gathered))
                    .plus(inline);
        }
        return switch (random.nextInt(8)) {
            case 0 -> SendWorkRequest.send(id, pieces(own, gathered)).plus(inline);
            case 1 ->
                SendWorkRequest.sendWithImmediate(id, 7, pieces(own, gathered)).plus(inline);
            case 2, 3 ->
                SendWorkRequest.write(id, there, key, pieces(own, gathered)).plus(inline);
            case 4 ->
                SendWorkRequest.writeWithImmediate(id, there, key, 7, pieces(own, gathered))
                        .plus(inline);
            case 5 -> SendWorkRequest.read(id, there, key, pieces(own, length));
            case 6 -> SendWorkRequest.fetchAndAdd(id, word, key, random.nextLong(), pieces(own, 8));
            default -> SendWorkRequest.compareAndSwap(id, word, key, 0, random.nextLong(), pieces(own, 8));
        };
    }

    /** A range as three elements at different places, which may be empty and may overlap. */
    private Sge[] pieces(MemoryRegion region, int lengthBytes) {
        int first = random.nextInt(lengthBytes + 1);
        int second = random.nextInt(lengthBytes - first + 1);
        return new Sge[] {piece(region, first), piece(region, second), piece(region, lengthBytes - first - second)};
    }

    private Sge piece(MemoryRegion region, int lengthBytes) {
        return region.sge(random.nextInt(AREA_BYTES - lengthBytes), lengthBytes);
    }
}
