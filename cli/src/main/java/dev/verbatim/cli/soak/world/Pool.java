// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Objects of one kind that threads share, and may find closed by another. */
public final class Pool<T> {

    private final int most;
    private final List<T> members = new ArrayList<>();

    Pool(int most) {
        this.most = most;
    }

    /** Whether one more is too many; threads that ask at once may go beyond. */
    public synchronized boolean isFull() {
        return members.size() >= most;
    }

    public synchronized void add(T member) {
        members.add(member);
    }

    public synchronized void remove(T member) {
        members.remove(member);
    }

    /** One of them; null if there is none. */
    public synchronized @Nullable T any(RandomGenerator random) {
        return members.isEmpty() ? null : members.get(random.nextInt(members.size()));
    }

    /** The oldest, mostly: what belongs together has to be of one domain. */
    public synchronized @Nullable T usual(RandomGenerator random) {
        return members.isEmpty() || random.nextInt(8) == 0 ? any(random) : members.get(0);
    }

    public synchronized List<T> all() {
        return List.copyOf(members);
    }
}
