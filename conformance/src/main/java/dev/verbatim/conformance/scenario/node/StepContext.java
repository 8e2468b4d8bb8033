// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a step works with: its node, the other nodes of the run by name, and where failures of the step go. */
public final class StepContext {

    private final NodeState node;
    private final Map<String, NodeState> nodes;
    private final RunShared run;
    private final @Nullable Observer observer;
    private final @Nullable StoreBuffer storeBuffer;
    private boolean isDiscarded;
    private String path = "";
    private Supplier<String> text = () -> "";

    /**
     * The context of all steps of one node.
     *
     * @param nodes all nodes of the run by name, which may be added later
     * @param observer who its program is to the memory of the node; null where that makes no difference
     * @param storeBuffer of its thread; null where memory has what it stores at once
     */
    public StepContext(
            NodeState node,
            Map<String, NodeState> nodes,
            RunShared run,
            @Nullable Observer observer,
            @Nullable StoreBuffer storeBuffer) {
        this.storeBuffer = storeBuffer;
        this.node = node;
        this.nodes = nodes;
        this.run = run;
        this.observer = observer;
    }

    /** Who the program is to the memory of its node; null where that makes no difference. */
    @Nullable
    public Observer observer() {
        return observer;
    }

    /** What its thread stored and memory does not have yet; null where memory has that at once. */
    @Nullable
    public StoreBuffer storeBuffer() {
        return storeBuffer;
    }

    /** The program loads 1, 2, 4 or 8 bytes. */
    public long load(Place place) {
        StoreBuffer buffer = storeBuffer;
        return buffer == null ? node.memory().load(observer, place) : buffer.load(place);
    }

    /** The program stores 1, 2, 4 or 8 bytes. */
    public void store(Place place, long value) {
        StoreBuffer buffer = storeBuffer;
        if (buffer == null) {
            node.memory().store(observer, place, value);
        } else {
            buffer.store(place, value);
        }
    }

    /** Whether the program may see that value in a place. */
    public boolean maySee(Place place, long value) {
        StoreBuffer buffer = storeBuffer;
        return buffer == null ? node.memory().maySee(observer, place, value) : buffer.look(place) == value;
    }

    /** Whether the program sees what memory holds, and nothing older and nothing of its own. */
    public boolean seesMemory() {
        return storeBuffer == null && node.memory().system() == null;
    }

    /** The program sees the value that it waited for. */
    public void loadAwaited(Place place, long value) {
        StoreBuffer buffer = storeBuffer;
        if (buffer == null) {
            node.memory().loadAwaited(observer, place, value);
        } else {
            long unused = buffer.load(place);
        }
    }

    /** The node whose program the step is part of. */
    public NodeState node() {
        return node;
    }

    /** The load of a kernel is an acquire, if {@code acquires}: behind it the GPU sees host memory as it was then. */
    public void acquire(boolean acquires) {
        MemorySystem system = node.memory().system();
        Observer self = observer;
        if (acquires && system != null && self != null && self.kind() == Observer.Kind.GPU) {
            system.acquire(self);
        }
    }

    /** Another node, or the same. */
    public NodeState node(String name) {
        NodeState found = nodes.get(name);
        if (found == null) {
            throw new IllegalArgumentException("node=" + name + " is not part of the run; add it to the scenario");
        }
        return found;
    }

    /** What all nodes share. */
    public RunShared run() {
        return run;
    }

    /** The node at the other end of a queue pair. */
    public NodeState peer(@Nullable String qp) {
        QpRef peer = node.names().peer(node.qpName(qp));
        if (peer == null) {
            throw new IllegalStateException("queue pair " + qp + " has no peer; check the scenario first");
        }
        return node(peer.node());
    }

    /** From now on the program is at this step; the text is made when a failure is reported. */
    public void at(String stepPath, Supplier<String> stepText) {
        path = stepPath;
        text = stepText;
    }

    /** The step did not end as it should. */
    public void fail(String message) {
        run.add(new Failure(node.name(), path, text.get(), message));
    }

    /** The program ends here, and how the run ends counts for nothing. */
    public void discard() {
        isDiscarded = true;
        run.discard();
    }

    /** Whether the program was ended by {@link #discard}. */
    public boolean isDiscarded() {
        return isDiscarded;
    }

    /** Calls a verb that succeeds, or fails as expected; otherwise that is a failure. False if it failed. */
    public boolean verb(@Nullable ExpectedError expected, Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            String difference = expected == null ? "the verb failed" : expected.differenceTo(e);
            if (difference != null) {
                fail(difference + ": " + e.getMessage());
            }
            return false;
        }
        if (expected != null) {
            fail("the verb succeeded, but should have failed with " + expected.errno());
        }
        return true;
    }

    /** The window of that name, also if it was deallocated; null, and a failure of the step, if it was never allocated. */
    @Nullable
    public MemoryWindow window(String name) {
        MemoryWindow window = node.windows().window(name);
        if (window == null) {
            fail("window " + name + " was never allocated; allocate it first");
        }
        return window;
    }

    /** What a local element names. */
    public Sge sge(Element element) {
        NodeMemory memory = node.memory();
        return element instanceof Place place
                ? new Sge(memory.address(place), node.names().lengthOf(place), key(place, node, false))
                : memory.literal((Literal) element);
    }

    /**
     * The key of a place.
     *
     * @param there whose memory it is
     * @param remote whether it is towards a peer
     */
    public int key(Place place, NodeState there, boolean remote) {
        KeyRef key = place.key();
        return key == null
                ? there.memory().key(String.valueOf(place.name()), KeyRef.Which.FITTING, remote)
                : key(key, there, remote);
    }

    /** A key of an object of {@code there}, or from an own register; as {@link #key(Place, NodeState, boolean)}. */
    public int key(KeyRef key, NodeState there, boolean remote) {
        String named = key.name();
        if (named == null) {
            return key.number();
        }
        if (!there.equals(node)) {
            there.keysRead();
        }
        Integer plain = there.hasKeys(named) ? there.key(key, named, remote) : node.numberIn(named);
        if (plain == null) {
            fail(key + " has no value yet; let an earlier step give it one");
            return 0;
        }
        return key.twisted(plain);
    }
}
