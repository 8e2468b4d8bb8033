// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Footprint;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.PossibleEvent;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever a program calls of an object of NetworkDirect, exploration hears that it looked at it. */
class NdReportsTest {

    private static final int FEWEST = 50;

    /** What they say does not change. */
    private static final Set<String> CONSTANT =
            Set.of("query", "queryAddressList", "getNotifyAffinity", "toString", "createOverlappedFile", "associate");

    @Test
    void everyMethodReportsThatItLooked() {
        List<Method> methods = methods();
        assertThat(methods).hasSizeGreaterThan(FEWEST);
        assertThat(methods.stream().filter(method -> !isReported(method)))
                .as("methods that exploration does not hear of")
                .isEmpty();
    }

    private static List<Method> methods() {
        return Stream.of(
                        NdAdapter.class,
                        NdCompletionPort.class,
                        NdCompletionQueue.class,
                        NdConnector.class,
                        NdListener.class,
                        NdMemoryRegion.class,
                        NdMemoryWindow.class,
                        NdOverlapped.class,
                        NdQueuePair.class,
                        NdSharedReceiveQueue.class)
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
                .filter(method -> !method.getDeclaringClass().equals(Object.class))
                .filter(method -> !CONSTANT.contains(method.getName()))
                .toList();
    }

    private static boolean isReported(Method method) {
        Listening heard = new Listening();
        try (Simulation simulation = new Simulation(heard, SimulationOptions.TIMELESS)) {
            NdSide side = new NdSide(simulation.open("left"));
            NdSide.connect(side, new NdSide(simulation.open("right")));
            Object object = object(side, method.getDeclaringClass());
            Object[] arguments = Stream.of(method.getParameterTypes())
                    .map(type -> argument(side, type))
                    .toArray();
            simulation.node("left", node -> call(method, object, arguments));
            heard.all.clear();
            boolean unused = simulation.run();
        }
        return heard.all.stream()
                .anyMatch(text -> text.equals("everything") || text.contains("left objects of NetworkDirect"));
    }

    private static void call(Method method, Object object, Object[] arguments) {
        try {
            Object unused = method.invoke(object, arguments);
        } catch (InvocationTargetException refused) {
            // Whatever it says, it has looked.
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Object object(NdSide side, Class<?> type) {
        if (type.equals(NdAdapter.class)) {
            return side.adapter;
        } else if (type.equals(NdCompletionPort.class)) {
            NdCompletionPort port = new NdCompletionPort();
            port.associate(side.file, 1);
            return port;
        } else if (type.equals(NdConnector.class)) {
            return side.adapter.createConnector(side.file);
        } else if (type.equals(NdListener.class)) {
            return side.adapter.createListener(side.file);
        } else if (type.equals(NdMemoryRegion.class)) {
            return side.mr;
        } else if (type.equals(NdMemoryWindow.class)) {
            return side.adapter.createMemoryWindow();
        } else if (type.equals(NdOverlapped.class)) {
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus unused = side.cq.notify(NdNotifyType.ANY, overlapped);
            return overlapped;
        } else if (type.equals(NdQueuePair.class)) {
            return side.qp;
        } else if (type.equals(NdSharedReceiveQueue.class)) {
            return side.adapter.createSharedReceiveQueue(side.file, 1, 1, 0, 0, 0);
        }
        return side.cq;
    }

    private static @Nullable Object argument(NdSide side, Class<?> type) {
        if (type.equals(int.class)) {
            return 0;
        } else if (type.equals(long.class)) {
            return 0L;
        } else if (type.equals(boolean.class)) {
            return false;
        } else if (type.equals(Duration.class)) {
            return Duration.ZERO;
        } else if (type.equals(NdOverlapped.class)) {
            return new NdOverlapped();
        } else if (type.equals(NdOverlappedFile.class)) {
            return side.file;
        } else if (type.equals(NdNotifyType.class)) {
            return NdNotifyType.ANY;
        } else if (type.equals(NdSize.class)) {
            return new NdSize();
        } else if (type.equals(NdSge[].class)) {
            return new NdSge[0];
        } else if (type.equals(NdResult[].class)) {
            return NdResult.array(1);
        } else if (type.equals(InetSocketAddress.class)) {
            return side.ownAddress(0);
        } else if (type.equals(ByteBuffer.class)) {
            return ByteBuffer.allocateDirect(1);
        }
        return null;
    }

    /** The canonical run, and what its events touched. */
    private static final class Listening implements Schedule {

        private final Schedule canonical = Schedule.by(Choices.canonical(), OpenChoices.LEGAL);
        private final List<String> all = new ArrayList<>();

        @Override
        public int next(List<? extends PossibleEvent> events) {
            return canonical.next(events);
        }

        @Override
        public void happened(PossibleEvent event, Footprint footprint) {
            all.add(footprint.toString());
        }

        @Override
        public boolean isOpen(ChoicePoint point) {
            return canonical.isOpen(point);
        }

        @Override
        public int choose(ChoicePoint point, int alternatives) {
            return canonical.choose(point, alternatives);
        }

        @Override
        public boolean chance(ChoicePoint point, int perMille) {
            return canonical.chance(point, perMille);
        }
    }
}
