// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.windows.Ground;
import dev.verbatim.conformance.windows.Step;
import dev.verbatim.conformance.windows.Tally;
import dev.verbatim.conformance.windows.model.Answer;
import dev.verbatim.conformance.windows.model.Completion;
import dev.verbatim.conformance.windows.model.Hca;
import dev.verbatim.conformance.windows.model.Pd;
import dev.verbatim.conformance.windows.model.Reasons;
import dev.verbatim.conformance.windows.model.Space;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Devices in virtual time, the same things in the model, and what is compared between them. */
final class Bench implements AutoCloseable {

    private static final int SCRATCH_RIGHTS = AccessFlags.LOCAL_WRITE;
    private static final int MOST_EVENTS = 5_000;
    private static final DeviceLimits LEFT = limits(6);
    private static final DeviceLimits RIGHT = limits(2);

    final List<PdSlot> domains = new ArrayList<>();
    final List<QpSlot> queuePairs = new ArrayList<>();
    final List<WindowSlot> windows = new ArrayList<>();
    final List<RegionSlot> regions = new ArrayList<>();
    private final LossyFabric fabric = new LossyFabric(0, LinkFaults.NONE);
    private final Verbatim door = Verbatim.over(fabric);
    private final KeyTap keyTap = new KeyTap();
    private final Device left;
    private final Device right;
    private final Hca leftModel;
    private final Hca rightModel;
    private final List<PdSlot> memories;

    private final Tally tally;

    private Bench(Conducts conduct, Tally tally) {
        this.tally = tally;
        Tap tap = event -> {
            keyTap.on(event);
            RuleCoverage.observe(event);
        };
        door.tap(tap);
        DeviceProfile.Builder profile =
                DeviceProfile.STRICT_IBTA.toBuilder().name(conduct.name()).windows(conduct.ofDevice);
        left = door.profile(profile.limits(LEFT).build()).open("left");
        right = door.profile(profile.limits(RIGHT).build()).open("right");
        leftModel = new Hca(conduct.ofModel, Ground.MOST_WINDOWS, Ground.PATH_MTU_BYTES);
        rightModel = new Hca(conduct.ofModel, Ground.MOST_WINDOWS, Ground.PATH_MTU_BYTES);
        for (int pd = 1; pd < Ground.DOMAINS; pd++) {
            Memory memory = Memory.allocate(Ground.MEMORY_BYTES);
            domains.add(domain(pd, memory, new Space("the memory of pd" + pd, memory.address(), Ground.MEMORY_BYTES)));
        }
        memories = List.copyOf(domains);
        domains.add(domain(Ground.DOMAINS, domains.get(0).memory, domains.get(0).space));
        for (int pd : Ground.PD_OF_QP) {
            queuePairs.add(new QpSlot(queuePairs.size() + 1, domains.get(pd - 1), SCRATCH_RIGHTS));
        }
        for (Step.Register region : Ground.REGIONS) {
            regions.add(registered(region));
        }
        for (int i = 0; i < Ground.WINDOWS.size(); i++) {
            windows.add(allocated(Ground.WINDOWS.get(i).pd(), Ground.TYPES.get(i)));
        }
    }

    /** A ground as {@link Ground} says, but that nothing is connected yet. */
    static Bench set(Conducts conduct, Tally tally) {
        return new Bench(conduct, tally);
    }

    /** So few that their numbers and indexes come back soon. */
    private static DeviceLimits limits(int mostQueuePairs) {
        return DeviceLimits.DEFAULT.toBuilder()
                .maxMr(16)
                .maxMw(Ground.MOST_WINDOWS)
                .maxQp(mostQueuePairs)
                .build();
    }

    private PdSlot domain(int number, Memory memory, Space space) {
        boolean isLeft = Ground.isLeft(number);
        Pd model = (isLeft ? leftModel : rightModel).allocatePd("pd" + number);
        return new PdSlot(model, (isLeft ? left : right).allocatePd(), memory, space);
    }

    PdSlot domain(int number) {
        return domains.get(number - 1);
    }

    /** Registers it on both sides; it will succeed. */
    RegionSlot registered(Step.Register step) {
        PdSlot pd = domain(step.pd());
        MemoryRegion real = pd.real.register(pd.memory, step.offset(), step.length(), step.access());
        return new RegionSlot(
                pd.model
                        .hca()
                        .registered(
                                pd.model,
                                pd.space,
                                step.offset(),
                                step.length(),
                                step.access(),
                                real.lkey(),
                                real.rkey()),
                real);
    }

    /** Allocates it on both sides; it will succeed. */
    WindowSlot allocated(int pdNumber, MemoryWindowType type) {
        PdSlot pd = domain(pdNumber);
        MemoryWindow real = pd.real.allocateWindow(type);
        return new WindowSlot(pd.model.hca().allocated(pd.model, type, real.rkey()), real);
    }

    /** Makes a domain of that number anew on both sides. */
    void allocateDomain(int number) {
        PdSlot slot = domain(number);
        PdSlot fresh = domain(number, slot.memory, slot.space);
        slot.model = fresh.model;
        slot.real = fresh.real;
    }

    /** Calls the verb of the device and compares what it returns; whether it succeeded. */
    boolean agree(Answer expected, Runnable verb) {
        VerbsException refused = refusalOf(verb);
        if (expected.errno() != (refused == null ? null : refused.errno())) {
            throw new AssertionError(
                    "the verb should return " + expected + ", device said " + (refused == null ? "success" : refused));
        }
        if (refused != null && !refused.refusal().rule().equals(expected.rule())) {
            throw new AssertionError("expected " + expected + ", device said " + refused);
        }
        if (!expected.isOk()) {
            tally.outcome(String.valueOf(expected.errno()), expected.rule());
        }
        return expected.isOk();
    }

    private static @Nullable VerbsException refusalOf(Runnable verb) {
        try {
            verb.run();
            return null;
        } catch (VerbsException refused) {
            return refused;
        }
    }

    /** Lets everything happen that can happen, and compares all that can be seen. */
    void compare() {
        for (int events = 0; fabric.step(); events++) {
            if (events == MOST_EVENTS) {
                throw new AssertionError("there is no end of what happens");
            }
        }
        for (QpSlot qp : queuePairs) {
            compareQueuePair(qp);
        }
        compareEvents();
        for (int i = 0; i < windows.size(); i++) {
            windows.get(i).compare("w" + (i + 1));
        }
        for (PdSlot domain : memories) {
            compareMemory(domain.space, domain.memory);
        }
        keyTap.check();
        compareKeys(leftModel, left);
        compareKeys(rightModel, right);
    }

    private void compareQueuePair(QpSlot qp) {
        compareCompletions(qp + " sends", qp.model.takeSendCompletions(), qp.pollSends());
        compareCompletions(qp + " receives", qp.model.takeReceiveCompletions(), qp.pollReceives());
        if (!qp.model.isDestroyed() && qp.model.state() != qp.real.state()) {
            throw new AssertionError(qp + " should be in " + qp.model.state() + ", device said " + qp.real.state());
        }
        compareMemory(qp.space, qp.memory);
    }

    private void compareCompletions(String whose, List<Completion> expected, List<Completion> actual) {
        boolean agree = expected.size() == actual.size();
        for (int i = 0; agree && i < expected.size(); i++) {
            agree = expected.get(i).agreesWith(actual.get(i));
        }
        if (!agree) {
            throw new AssertionError(whose + ": expected " + expected + ", device said " + actual);
        }
        for (Completion completion : expected) {
            tally.outcome(completion.opcode() + " " + completion.status(), completion.rule());
        }
    }

    private void compareEvents() {
        List<String> actual = new ArrayList<>();
        take(left, actual);
        take(right, actual);
        for (QpSlot qp : queuePairs) {
            for (String rule : qp.model.takeAccessEvents()) {
                String event = EventType.QP_ACCESS_ERR + " of " + qp + ": ";
                if (!actual.removeIf(told -> told.startsWith(event) && Reasons.agree(rule, told))) {
                    throw new AssertionError("expected " + event + rule + ", device said " + actual);
                }
                tally.outcome(EventType.QP_ACCESS_ERR, rule);
            }
        }
        if (!actual.isEmpty()) {
            throw new AssertionError("expected no event, device said " + actual);
        }
    }

    private void take(Device device, List<String> events) {
        AsyncEvent event = device.pollAsyncEvent();
        while (event != null) {
            Object about = event.queuePair();
            for (QpSlot qp : queuePairs) {
                if (qp.real.equals(about)) {
                    about = qp;
                }
            }
            events.add(event.type() + " of " + about + ": " + event.refusal());
            event.acknowledge();
            event = device.pollAsyncEvent();
        }
    }

    private static void compareMemory(Space space, Memory memory) {
        int differs = ByteBuffer.wrap(space.bytes()).mismatch(memory.buffer());
        if (differs >= 0) {
            byte[] actual = new byte[space.bytes().length];
            memory.buffer().get(0, actual);
            int until = Math.min(actual.length, differs + Long.BYTES);
            throw new AssertionError("expected " + HexFormat.of().formatHex(space.bytes(), differs, until) + " at byte "
                    + differs + " of " + space + ", device has "
                    + HexFormat.of().formatHex(actual, differs, until));
        }
    }

    private void compareKeys(Hca model, Device device) {
        List<Integer> expected = model.liveKeys();
        Set<Integer> actual = keyTap.of(device.name());
        if (expected.size() != actual.size() || !actual.containsAll(expected)) {
            throw new AssertionError(device.name() + ": expected live keys " + hex(new TreeSet<>(expected))
                    + ", device said " + hex(new TreeSet<>(actual)));
        }
    }

    private static List<String> hex(Set<Integer> keys) {
        return keys.stream()
                .map(key -> String.format(Locale.ROOT, "0x%08x", key))
                .toList();
    }

    @Override
    public void close() {
        door.close();
    }
}
