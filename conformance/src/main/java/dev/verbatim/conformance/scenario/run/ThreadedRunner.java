// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.node.RunEnvironment;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Real time: a thread for each program. */
abstract class ThreadedRunner implements FabricRunner {

    private static final long PAUSE_NANOS = 20_000;

    private final Tap tap;
    private final long patienceNanos;
    private final AddressSpace addresses = new AddressSpace();
    private final AtomicLong lastStepNanos = new AtomicLong();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    ThreadedRunner(Tap tap, long patienceNanos) {
        this.tap = tap;
        this.patienceNanos = patienceNanos;
    }

    /** Over devices that are connected directly. */
    static FabricRunner inProcess(Verbatim door, Tap tap, long patienceNanos) {
        return new ThreadedRunner(tap, patienceNanos) {
            @Override
            public Device open(String node, DeviceProfile profile) {
                return door.profile(profile).open(node);
            }

            @Override
            public void join(String a, String b) {
                // All devices of a fabric reach each other.
            }

            @Override
            public void close() {
                door.close();
            }
        };
    }

    @Override
    public AddressSpace addresses() {
        return addresses;
    }

    @Override
    public RunEnvironment environment() {
        return new RunEnvironment() {
            @Override
            public void cut(Gid a, Gid b) {
                disconnect(a, b, true);
            }

            @Override
            public void heal(Gid a, Gid b) {
                disconnect(a, b, false);
            }

            @Override
            public void touched(String node, boolean store, long address, ByteBuffer data) {
                tap.on(new TraceEvent.ProgramTouched(System.nanoTime(), node, store, address, data));
            }

            @Override
            public void shared(String object, boolean changed) {
                // Nobody weighs what threads do.
            }
        };
    }

    /** Cuts the way between two devices, or heals it. */
    void disconnect(Gid a, Gid b, boolean cut) {
        throw refusal();
    }

    @Override
    public void fail(List<PacketFault> faults, Map<String, Device> devices) {
        if (!faults.isEmpty()) {
            throw refusal();
        }
    }

    private static VerbsException refusal() {
        return VerbsException.of(
                Errno.EOPNOTSUPP, Rule.N_05, "the links of this fabric do not fail on command; run on fabric sim");
    }

    @Override
    public @Nullable String play(List<NodeProgram> programs) {
        lastStepNanos.set(System.nanoTime());
        List<Thread> threads = new ArrayList<>();
        for (NodeProgram program : programs) {
            Thread thread = new Thread(() -> follow(program), "scenario-" + program.name());
            threads.add(thread);
            thread.start();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, Rule.NT_06, "the waiting thread was interrupted");
        }
        RuntimeException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
        return null;
    }

    private void follow(NodeProgram program) {
        addresses.enter();
        try {
            while (!program.isDone() && goesOn()) {
                if (program.canStep()) {
                    program.step();
                    lastStepNanos.set(System.nanoTime());
                } else {
                    program.poll();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private boolean goesOn() {
        return failure.get() == null
                && !Thread.currentThread().isInterrupted()
                && System.nanoTime() - lastStepNanos.get() < patienceNanos;
    }
}
