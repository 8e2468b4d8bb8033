// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.MemoryWindowType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A memory window (section L). Type 1 is Valid from the beginning, with nothing in it; type 2 is Free until it is bound. Both
 * are the same here: there is no {@link #binding}.
 */
public final class Window {

    private final Pd pd;
    private final MemoryWindowType type;
    private final List<Integer> keys = new ArrayList<>();
    boolean isAllocated = true;

    /** What the program's object says ({@code mw->rkey}; MW-20, MW-31). */
    int rkey;

    @Nullable
    Binding binding;

    Window(Pd pd, MemoryWindowType type, int rkey) {
        this.pd = pd;
        this.type = type;
        this.rkey = rkey;
        keys.add(rkey);
    }

    /** Its domain. */
    public Pd pd() {
        return pd;
    }

    /** Its type. */
    public MemoryWindowType type() {
        return type;
    }

    /** Whether it is bound by verb. */
    public boolean isType1() {
        return type == MemoryWindowType.TYPE_1;
    }

    boolean isType2() {
        return type == MemoryWindowType.TYPE_2;
    }

    /** What the program's object says. */
    public int rkey() {
        return rkey;
    }

    /** The key of the last bind that succeeded, whether or not it was revoked since. */
    public int lastKey() {
        return keys.get(keys.size() - 1);
    }

    /** A key that it had before, so many binds ago; the first one if there were fewer. */
    public int formerKey(int bindsAgo) {
        return keys.get(Math.max(0, keys.size() - 1 - bindsAgo));
    }

    /** Whether this was the key of its last binding (MW-33). */
    boolean hadBefore(int key) {
        return keys.size() > 1 && lastKey() == key;
    }

    /** Whether it was not deallocated yet. */
    public boolean isAllocated() {
        return isAllocated;
    }

    /** What it is bound to; null for nothing. */
    public @Nullable Binding binding() {
        return binding;
    }

    /** Whatever it was bound to, now it is bound to this, at once (MW-23). */
    void bind(int key, @Nullable Binding to) {
        binding = to;
        keys.add(key);
    }
}
