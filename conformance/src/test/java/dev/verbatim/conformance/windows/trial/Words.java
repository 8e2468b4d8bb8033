// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.KeyWord;
import dev.verbatim.conformance.windows.Spot;
import dev.verbatim.conformance.windows.Thing;
import dev.verbatim.conformance.windows.model.Binding;
import dev.verbatim.conformance.windows.model.Keys;
import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.conformance.windows.model.Region;
import dev.verbatim.conformance.windows.model.Window;

/** What words of a step mean at this moment. */
final class Words {

    private static final int ODD_BYTES = 3;
    private static final int ONE_INDEX = 1 << 8;

    private final Bench bench;

    Words(Bench bench) {
        this.bench = bench;
    }

    /** The key. */
    int keyOf(KeyWord word) {
        if (word.of().isWindow()) {
            Window window = bench.windows.get(word.of().number() - 1).model;
            return switch (word.twist()) {
                case RKEY -> window.rkey();
                case FORMER -> window.formerKey(word.bindsAgo());
                default -> twisted(window.lastKey(), window.lastKey(), word);
            };
        }
        Region region = bench.regions.get(word.of().number() - 1).model;
        return twisted(region.rkey(), region.lkey(), word);
    }

    private static int twisted(int key, int localKey, KeyWord word) {
        return switch (word.twist()) {
            case NONE, RKEY -> key;
            case NEXT_VARIANT -> Keys.next(key);
            case NEXT_INDEX -> key + ONE_INDEX;
            case LOCAL, FORMER -> localKey;
            case ZERO -> 0;
        };
    }

    /** The address of the first byte. */
    long addressOf(Spot spot, Operation operation, int length) {
        long base = base(spot.in());
        long end = base + length(spot.in());
        int aside = operation.isAtomic() ? Long.BYTES : 1;
        return switch (spot.edge()) {
            case START -> base;
            case END -> end - length;
            case BEFORE_START -> base - aside;
            case BEYOND_END -> end - length + aside;
            case ODD -> base + ODD_BYTES;
            case OFFSET -> 0;
            case LAST_ADDRESSES -> aside - length - (operation.isAtomic() ? aside : 0);
        };
    }

    private long base(Thing thing) {
        if (!thing.isWindow()) {
            return bench.regions.get(thing.number() - 1).model.address();
        }
        WindowSlot window = bench.windows.get(thing.number() - 1);
        Binding binding = window.lastBinding;
        return binding == null ? bench.domains.get(0).space.address() : binding.base();
    }

    private long length(Thing thing) {
        if (!thing.isWindow()) {
            return bench.regions.get(thing.number() - 1).model.lengthBytes();
        }
        Binding binding = bench.windows.get(thing.number() - 1).lastBinding;
        return binding == null ? Long.BYTES : binding.lengthBytes();
    }
}
