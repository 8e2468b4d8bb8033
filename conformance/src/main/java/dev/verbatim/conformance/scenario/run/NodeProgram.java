// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.NodeSpec.Leftovers;
import dev.verbatim.conformance.scenario.StepWords;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.node.StoreBuffer;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.sim.Actor;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A program of a node, taken step by step; behind its last step it takes the completions that are still owed to it. */
final class NodeProgram implements Actor {

    private final StepContext context;
    private final NodeState node;
    private final ProgramCode code;
    private final Leftovers leftovers;

    /** What runs it besides the CPU's first thread: the domain of a GPU, or the name of a thread; null for that. */
    private final @Nullable String part;

    private final boolean isKernel;
    private final boolean isLaunched;
    private BooleanSupplier isGone = () -> false;

    /** Its steps that wait for one value, each once. */
    private final List<Step> awaiting;

    NodeProgram(StepContext context, List<Step> steps, Leftovers leftovers) {
        this(context, steps, leftovers, null, false, false);
    }

    private NodeProgram(
            StepContext context,
            List<Step> steps,
            Leftovers leftovers,
            @Nullable String part,
            boolean isKernel,
            boolean isLaunched) {
        this.context = context;
        this.node = context.node();
        this.leftovers = leftovers;
        this.part = part;
        this.isKernel = isKernel;
        this.isLaunched = isLaunched;
        this.code = new ProgramCode(context, steps, path());
        this.awaiting = code.steps().stream()
                .filter(step -> step.awaitsValue(context))
                .distinct()
                .toList();
    }

    /**
     * The kernel of a GPU. What it posts, the program of the node takes the completions of.
     *
     * @param isLaunched whether it begins only when a step launches it
     */
    static NodeProgram ofKernel(StepContext context, List<Step> steps, String domain, boolean isLaunched) {
        return new NodeProgram(context, steps, Leftovers.LEAVE, domain, true, isLaunched);
    }

    /** Another thread of the CPU. What it posts, and takes no completion of, the program of the node takes that of. */
    static NodeProgram ofThread(StepContext context, List<Step> steps, String thread) {
        return new NodeProgram(context, steps, Leftovers.LEAVE, thread, false, false);
    }

    NodeState node() {
        return node;
    }

    @Override
    public String name() {
        return part == null ? node.name() : node.name() + "/" + part;
    }

    /** Where its steps are in the file. */
    private String path() {
        return "nodes." + node.name() + (part == null ? ".program" : (isKernel ? ".kernels." : ".threads.") + part);
    }

    /** The program ends with its device; who waits for its signals goes on, since a crash is told outside the network too. */
    NodeProgram diesWith(BooleanSupplier device) {
        isGone = device;
        return this;
    }

    /** What is left of a program whose device is gone are its signals: each is a step, so that others see it happen. */
    @Override
    public boolean isDone() {
        if (context.isDiscarded()) {
            return true;
        }
        return isGone.getAsBoolean() ? !code.hasLeft(Signal.class) : isAtEnd();
    }

    private boolean isAtEnd() {
        return code.isAtEnd()
                && (leftovers == Leftovers.LEAVE || node.pendingSends().qpThatOwes() == null);
    }

    @Override
    public boolean canStep() {
        if (isDone()) {
            return false;
        }
        if (isGone.getAsBoolean()) {
            return true;
        }
        if (part != null && isLaunched && code.isAtBegin() && !context.run().isSet(node.launched(part))) {
            return false;
        }
        if (code.isAtEnd()) {
            return node.completions().peek(leftoverCq()) != null;
        }
        Step step = code.current().step();
        return !(step.waitsForStores() && hasBuffered()) && step.isReady(context);
    }

    private boolean hasBuffered() {
        StoreBuffer buffer = context.storeBuffer();
        return buffer != null && !buffer.isEmpty();
    }

    /** What drains the store buffer of its thread; null if it has none. */
    @Nullable
    Actor drain() {
        StoreBuffer buffer = context.storeBuffer();
        return buffer == null ? null : new StoreBufferDrain(buffer, this::isDone);
    }

    /** But what a thread sees that has stored depends on more than the word, and a place may be part of two words. */
    @Override
    public boolean awaitsOneThing() {
        return code.isAtEnd()
                || !(code.current().step() instanceof Until until)
                || (!hasBuffered() && node.memory().isInOneWord(until.at()));
    }

    @Override
    public List<BooleanSupplier> conditions() {
        return awaiting.stream()
                .map(step -> (BooleanSupplier) () -> step.isReady(context))
                .toList();
    }

    @Override
    public int condition() {
        return isGone.getAsBoolean() || code.isAtEnd()
                ? -1
                : awaiting.indexOf(code.current().step());
    }

    @Override
    public String source() {
        return code.isAtEnd() ? "end of node " + node.name() : code.current().path();
    }

    @Override
    public void step() {
        if (isGone.getAsBoolean()) {
            code.skipTo(Signal.class);
        }
        describe();
        if (!code.isAtEnd()) {
            if (part != null && isLaunched && code.isAtBegin()) {
                context.run().seen(node.launched(part));
            }
            StoreBuffer buffer = context.storeBuffer();
            if (buffer != null && code.current().step().waitsForStores()) {
                buffer.foundEmpty();
            }
            code.current().step().run(context);
            code.advance();
            if (part != null && isKernel && code.isAtEnd()) {
                context.run().set(node.ended(part));
            }
        } else {
            takeLeftover();
        }
    }

    private void describe() {
        if (code.isAtEnd()) {
            context.at("nodes." + node.name(), () -> "end of the program");
        } else {
            ProgramCode.Placed placed = code.current();
            context.at(placed.path(), () -> placed.label() + " " + StepWords.text(placed.step()));
        }
    }

    private String leftoverCq() {
        return node.sendCqOf(String.valueOf(node.pendingSends().qpThatOwes()));
    }

    private void takeLeftover() {
        WorkCompletion completion = node.completions().take(leftoverCq());
        if (leftovers == Leftovers.SUCCESS
                && !completion.isSuccess()
                && !completion.opcode().isReceive()) {
            context.fail("a completion that no step takes is no success: " + completion
                    + "; take it by a completion step, or say leftovers: any");
        }
    }

    /** Lets its device get on. */
    void poll() {
        node.progress();
    }

    /** It will never be done: notes what it waits for. */
    void giveUp() {
        if (!isDone()) {
            describe();
            String owed = node.pendingSends().qpThatOwes();
            String waits = code.isAtEnd()
                    ? "it waits for a completion of queue pair " + owed + ", and nothing happens any more"
                    : "it waits here, and nothing happens any more";
            context.fail(waits + node.standstill() + node.queuesInError());
        }
    }
}
