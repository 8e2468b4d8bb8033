// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.interop.InteropException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Nodes of an agent, one after the other on the same device, which is cheaper than a device for each. */
public final class AgentNodes implements Supplier<WalkNode>, AutoCloseable {

    private final InetSocketAddress agent;
    private @Nullable Kept current;

    /** A node that is closed with all of them. */
    private static final class Kept extends AgentNode {

        Kept(InetSocketAddress agent) {
            super(agent);
        }

        @Override
        public void close() {
            // The next node closes what this one has.
        }

        void end() {
            super.close();
        }
    }

    /** Of the agent at that address. */
    public AgentNodes(InetSocketAddress agent) {
        this.agent = agent;
    }

    /**
     * A node that has nothing. The one before has nothing either from now on.
     *
     * @throws InteropException if the agent cannot be reached
     */
    @Override
    public WalkNode get() {
        Kept node = current;
        if (node != null) {
            try {
                node.reset();
                return node;
            } catch (InteropException e) {
                close();
            }
        }
        Kept fresh = new Kept(agent);
        current = fresh;
        return fresh;
    }

    @Override
    public void close() {
        Kept node = current;
        current = null;
        if (node != null) {
            node.end();
        }
    }
}
