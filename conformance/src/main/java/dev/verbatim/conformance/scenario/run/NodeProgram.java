// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.NodeSpec.Leftovers;
import dev.verbatim.conformance.scenario.StepWords;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.sim.Actor;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The program of a node, taken step by step; behind its last step it takes the completions that are still owed to it. */
final class NodeProgram implements Actor {

    private final StepContext context;
    private final NodeState node;
    private final List<Step> steps;
    private final Leftovers leftovers;

    /** The domain of the GPU that runs it; null for the CPU. */
    private final @Nullable String kernel;

    private final boolean isLaunched;
    private BooleanSupplier isGone = () -> false;
    private int next;

    NodeProgram(StepContext context, List<Step> steps, Leftovers leftovers) {
        this(context, steps, leftovers, null, false);
    }

    private NodeProgram(
            StepContext context, List<Step> steps, Leftovers leftovers, @Nullable String kernel, boolean isLaunched) {
        this.context = context;
        this.node = context.node();
        this.steps = steps;
        this.leftovers = leftovers;
        this.kernel = kernel;
        this.isLaunched = isLaunched;
    }

    /**
     * The kernel of a GPU. What it posts, the program of the node takes the completions of.
     *
     * @param isLaunched whether it begins only when a step launches it
     */
    static NodeProgram ofKernel(StepContext context, List<Step> steps, String domain, boolean isLaunched) {
        return new NodeProgram(context, steps, Leftovers.LEAVE, domain, isLaunched);
    }

    NodeState node() {
        return node;
    }

    @Override
    public String name() {
        return kernel == null ? node.name() : node.name() + "/" + kernel;
    }

    /** Where its steps are in the file. */
    private String path() {
        return "nodes." + node.name() + (kernel == null ? ".program" : ".kernels." + kernel);
    }

    /** The program ends with its device; who waits for its signals goes on, since a crash is told outside the network too. */
    NodeProgram diesWith(BooleanSupplier device) {
        isGone = device;
        return this;
    }

    /** What is left of a program whose device is gone are its signals: each is a step, so that others see it happen. */
    private int nextOfTheDead() {
        int index = next;
        while (index < steps.size() && !(steps.get(index) instanceof Signal)) {
            index++;
        }
        return index;
    }

    @Override
    public boolean isDone() {
        return isGone.getAsBoolean() ? nextOfTheDead() == steps.size() : isAtEnd();
    }

    private boolean isAtEnd() {
        return next >= steps.size()
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
        if (kernel != null && isLaunched && next == 0 && !context.run().isSet(node.launched(kernel))) {
            return false;
        }
        return next < steps.size()
                ? steps.get(next).isReady(context)
                : node.completions().peek(leftoverCq()) != null;
    }

    /** But what a kernel sees depends on more than the word. */
    @Override
    public boolean awaitsOneThing() {
        return node.memory().system() == null;
    }

    @Override
    public String source() {
        return next < steps.size() ? path() + "[" + next + "]" : "end of node " + node.name();
    }

    @Override
    public void step() {
        if (isGone.getAsBoolean()) {
            next = nextOfTheDead();
        }
        describe();
        if (next < steps.size()) {
            if (kernel != null && isLaunched && next == 0) {
                context.run().seen(node.launched(kernel));
            }
            Step step = steps.get(next);
            step.run(context);
            next++;
            if (kernel != null && next == steps.size()) {
                context.run().set(node.ended(kernel));
            }
        } else {
            takeLeftover();
        }
    }

    private void describe() {
        int at = next;
        boolean inProgram = at < steps.size();
        context.at(
                inProgram ? path() + "[" + at + "]" : "nodes." + node.name(),
                () -> inProgram ? "step " + (at + 1) + " " + StepWords.text(steps.get(at)) : "end of the program");
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
            String waits = next < steps.size()
                    ? "it waits here, and nothing happens any more"
                    : "it waits for a completion of queue pair " + owed + ", and nothing happens any more";
            context.fail(waits + node.queuesInError());
        }
    }
}
