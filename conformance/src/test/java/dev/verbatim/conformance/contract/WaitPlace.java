// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a thread, or a program of a simulation, waits while another one does something about it. */
abstract class WaitPlace implements AutoCloseable {

    /** The kinds of places. */
    enum Kind {
        IN_PROCESS {
            @Override
            WaitPlace open() {
                return new Threads(Verbatim.inProcess(), null);
            }
        },
        SIMULATION {
            @Override
            WaitPlace open() {
                return new Programs();
            }
        },
        TCP {
            @Override
            WaitPlace open() {
                return new Threads(Verbatim.over(NettyFabric.open()), NettyFabric.open());
            }
        };

        abstract WaitPlace open();
    }

    /** How a wait ended: what it threw, if it did, and whether its thread was interrupted then. */
    record Outcome(@Nullable RuntimeException thrown, boolean interrupted) {

        static Outcome of(Runnable wait) {
            RuntimeException thrown = null;
            try {
                wait.run();
            } catch (RuntimeException e) {
                thrown = e;
            }
            return new Outcome(thrown, Thread.interrupted());
        }
    }

    /** The device at which it is waited. */
    abstract Device near();

    /** Its peer. */
    abstract Device far();

    /** What the near device was opened by. */
    abstract Verbatim door();

    /** What the far device was opened by. */
    abstract Verbatim farDoor();

    /** Lets a thread wait, and does something when it does; how the wait ended. */
    abstract Outcome waiting(Runnable wait, Consumer<Thread> meanwhile);

    /** Does two things at once, each of which may wait for the other. */
    abstract void together(Runnable one, Runnable other);

    /** Where somebody at the device can be found. */
    static InetSocketAddress address(Device device, int port) {
        return new InetSocketAddress(device.gid().toInetAddress(), port);
    }

    @Override
    public abstract void close();

    private static final class Threads extends WaitPlace {

        private final Verbatim door;
        private final Verbatim farDoor;
        private final Device near;
        private final Device far;

        Threads(Verbatim door, @Nullable NettyFabric farFabric) {
            this.door = door;
            this.farDoor = farFabric == null ? door : Verbatim.over(farFabric);
            this.near = door.open("near");
            this.far = farDoor.open("far");
            if (farFabric != null) {
                meet(farFabric);
            }
        }

        private void meet(NettyFabric farFabric) {
            InetSocketAddress there = farFabric.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            AtomicReference<Gid> met = new AtomicReference<>();
            ManagementPort port = ((ManagedDevice) near).managementPort();
            Resolution outcome = new Resolution() {
                @Override
                public void found(Gid peer) {
                    met.set(peer);
                }

                @Override
                public void failed(VerbsException reason) {
                    throw reason;
                }
            };
            port.lane().call(() -> port.resolve(there, Wait.GENEROUS.toNanos(), outcome));
            Await.value("the other device", met::get, Objects::nonNull);
        }

        @Override
        Device near() {
            return near;
        }

        @Override
        Device far() {
            return far;
        }

        @Override
        Verbatim door() {
            return door;
        }

        @Override
        Verbatim farDoor() {
            return farDoor;
        }

        @Override
        Outcome waiting(Runnable wait, Consumer<Thread> meanwhile) {
            AtomicReference<Outcome> outcome = new AtomicReference<>();
            Thread thread = new Thread(() -> outcome.set(Outcome.of(wait)), "waits");
            thread.start();
            Await.state(thread, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
            meanwhile.accept(thread);
            Await.end(thread);
            return outcome.get();
        }

        @Override
        void together(Runnable one, Runnable other) {
            Thread thread = new Thread(one, "one");
            thread.start();
            other.run();
            Await.end(thread);
        }

        @Override
        public void close() {
            door.close();
            farDoor.close();
        }
    }

    private static final class Programs extends WaitPlace {

        private final Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL);
        private final Verbatim door = Verbatim.in(simulation);
        private final Device near = door.open("near");
        private final Verbatim farDoor = Verbatim.in(simulation);
        private final Device far = farDoor.open("far");

        @Override
        Device near() {
            return near;
        }

        @Override
        Device far() {
            return far;
        }

        @Override
        Verbatim door() {
            return door;
        }

        @Override
        Verbatim farDoor() {
            return farDoor;
        }

        @Override
        Outcome waiting(Runnable wait, Consumer<Thread> meanwhile) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            AtomicReference<Outcome> outcome = new AtomicReference<>();
            simulation.node("waits", node -> {
                thread.set(Thread.currentThread());
                outcome.set(Outcome.of(wait));
            });
            simulation.node("does something", node -> meanwhile.accept(thread.get()));
            simulation.run();
            return outcome.get();
        }

        @Override
        void together(Runnable one, Runnable other) {
            simulation.node("one", node -> one.run());
            simulation.node("other", node -> other.run());
            simulation.run();
        }

        @Override
        public void close() {
            simulation.close();
        }
    }
}
