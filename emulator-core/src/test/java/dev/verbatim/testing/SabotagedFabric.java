// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.verbs.Gid;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A fabric of which one device has a lane that throws an Error when the device asks it for something in the middle of a step:
 * while a method of a certain name is under way in the device, and the device calls a certain method of its lane.
 */
public final class SabotagedFabric implements Fabric {

    /** What is thrown. */
    public static final class FakeError extends Error {
        private static final long serialVersionUID = 1L;

        FakeError(String message) {
            super(message);
        }
    }

    /** Packages whose methods are steps. */
    private static final List<String> PLACES = List.of("dev.verbatim.device.", "dev.verbatim.cm.");

    private record Plan(Gid victim, String step, String call, boolean again) {}

    private final Fabric fabric;
    private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();
    private volatile int thrown;

    /** A fabric that does what the other does. */
    public SabotagedFabric(Fabric fabric) {
        this.fabric = fabric;
    }

    /**
     * From now on it throws.
     *
     * @param step name of a method of the device that has to be under way, with or without its class
     * @param call name of the method of the lane that throws
     * @param again whether it throws each time, and not once
     */
    public void sabotage(Gid victim, String step, String call, boolean again) {
        plan.set(new Plan(victim, step, call, again));
    }

    /** It throws no more. */
    public void relent() {
        plan.set(null);
    }

    /** How often it has thrown. */
    public int thrown() {
        return thrown;
    }

    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        FabricPort port = fabric.attach(gid, sink);
        Lane lane = port.lane();
        Lane faulty = proxy(Lane.class, (method, arguments) -> {
            throwIfPlanned(gid, method.getName());
            return method.invoke(lane, arguments);
        });
        return proxy(
                FabricPort.class,
                (method, arguments) -> method.getName().equals("lane") ? faulty : method.invoke(port, arguments));
    }

    private interface Answer {
        @Nullable
        Object of(Method method, @Nullable Object @Nullable [] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return answer.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void throwIfPlanned(Gid gid, String call) {
        Plan now = plan.get();
        if (now != null && now.victim().equals(gid) && now.call().equals(call) && isUnderWay(now.step())) {
            if (!now.again()) {
                plan.compareAndSet(now, null);
            }
            thrown++;
            throw new FakeError("in " + now.step() + " at " + call);
        }
    }

    private static boolean isUnderWay(String step) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> PLACES.stream().anyMatch(frame.getClassName()::startsWith)
                        && (frame.getClassName() + "." + frame.getMethodName()).endsWith("." + step)));
    }

    @Override
    public long freshGuid() {
        return fabric.freshGuid();
    }

    @Override
    public OptionalLong freshKeySeed() {
        return fabric.freshKeySeed();
    }

    @Override
    public void close() {
        fabric.close();
    }
}
