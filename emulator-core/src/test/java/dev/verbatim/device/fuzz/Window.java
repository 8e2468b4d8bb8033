// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A window and what it may be bound to by now: every binding that was asked for, until it is known to be no more. */
final class Window {

    /**
     * A binding that was asked for.
     *
     * @param request number of the bind
     * @param side the queue pair that it was posted to
     * @param address how peers name its first byte
     * @param begin its first byte in the ground
     */
    record Binding(
            long request, Side side, Region region, int key, long address, long begin, long lengthBytes, int access) {

        boolean gives(int rights, Touch touch, int index) {
            return (access & rights) != 0
                    && region.covers(index)
                    && index >= begin
                    && index < begin + lengthBytes
                    && touch.names(address + (index - begin));
        }
    }

    final MemoryWindowType type;
    final List<Binding> bindings = new ArrayList<>();
    private final Set<Long> executed = new HashSet<>();

    @Nullable
    MemoryWindow allocated;

    int key;
    long address;
    long lengthBytes;

    Window(MemoryWindowType type) {
        this.type = type;
    }

    /** Whether peers of this queue pair may do that to this byte: of type 2 it is for the one that it was bound over. */
    boolean gives(Side side, int rights, Touch touch, int index) {
        for (Binding binding : bindings) {
            boolean own = type == MemoryWindowType.TYPE_1 || binding.side().equals(side);
            if (own && binding.gives(rights, touch, index)) {
                return true;
            }
        }
        return false;
    }

    /** A bind is done: what the same queue pair bound before is not any more. */
    void bound(Side side, long request) {
        for (Binding binding : List.copyOf(bindings)) {
            if (binding.request() == request) {
                executed.add(request);
                bindings.removeIf(
                        before -> before.request() < request && before.side().equals(side));
            }
        }
    }

    /** The key was invalidated by the queue pair that bound it, in a request with this number. */
    void invalidated(Side side, int dead, long request) {
        bindings.removeIf(
                binding -> binding.key() == dead && binding.side().equals(side) && binding.request() < request);
    }

    /** The peer of the queue pair that bound it invalidated the key, after all binds that are known to have executed. */
    void invalidatedByPeer(Side side, int dead) {
        bindings.removeIf(binding ->
                binding.key() == dead && binding.side().equals(side) && executed.contains(binding.request()));
    }
}
