// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.verbs.XrcDomain;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Platform;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the thread that opened a simulation may do between {@code node} calls and runs: every public method is called there, with arguments by
 * their types, and an exploration has to find each outcome that seeds find. A method with a parameter of a type that has no argument here fails
 * the test.
 */
class OpeningThreadTest {

    /** Types of the public API with a state that programs share: each method of these is called; of Endpoint those that need none. */
    private static final List<Class<?>> TYPES = List.of(
            AddressHandle.class,
            AsyncEvent.class,
            CmEvent.class,
            CmId.class,
            CompletionChannel.class,
            CompletionEvent.class,
            CompletionQueue.class,
            Device.class,
            DeviceMemory.class,
            Endpoint.class,
            EventChannel.class,
            ListeningEndpoint.class,
            LossyFabric.class,
            MemoryRegion.class,
            MemorySystem.class,
            MemoryWindow.class,
            ProtectionDomain.class,
            QueuePair.class,
            RcConnection.class,
            RcPair.class,
            RcPeer.class,
            SharedReceiveQueue.class,
            Simulation.class,
            UcConnection.class,
            UdReadiness.class,
            XrcDomain.class);

    /** Packages of which nothing is shared by the programs of a simulation but through types of the others, and why. */
    private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("dev.verbatim.fabric", "is for carriers and their devices"),
            Map.entry("dev.verbatim.inspect", "is for tools, which are told"),
            Map.entry("dev.verbatim.live", "is for other processes, in real time"),
            Map.entry("dev.verbatim.page", "is for traces, after runs"),
            Map.entry("dev.verbatim.page.fold", "is for traces, after runs"),
            Map.entry("dev.verbatim.place", "has no state"),
            Map.entry("dev.verbatim.profile", "has values"),
            Map.entry("dev.verbatim.sanitizer", "is told, and changes nothing"),
            Map.entry("dev.verbatim.trace", "is told, and changes nothing"),
            Map.entry("dev.verbatim.wire", "has formats"));

    /** Types of the other packages that are not among {@link #TYPES}, and why. */
    private static final Map<String, String> NOT_SHARED = notShared();

    private static Map<String, String> notShared() {
        Map<String, List<String>> reasons = Map.of(
                "has constants and functions",
                List.of("AccessFlags", "QpAttributeMask", "ReregistrationFlags", "Rkey", "SendFlags", "WcFlags"),
                "is a value, or of one program",
                List.of(
                        "AddressVector",
                        "BindInfo",
                        "ConnectionParameters",
                        "DeviceCapabilities",
                        "QpAttributes",
                        "QpInitAttributes",
                        "ReceiveWorkRequest",
                        "Refusal",
                        "SendWorkRequest",
                        "SrqInitAttributes",
                        "WorkCompletion"),
                "has bytes and addresses, and no verb",
                List.of("AddressSpace", "ForeignBytes", "Memory", "MemorySource"),
                "makes, chooses or watches runs, from outside",
                List.of(
                        "Actor",
                        "Checkpoint",
                        "ChoiceListener",
                        "Exploration",
                        "ExplorationThreads",
                        "FaultPolicy",
                        "Footprint",
                        "MemoryInspector",
                        "PossibleEvent",
                        "Schedule",
                        "Shrinker"),
                "is of a program, which has begun",
                List.of("Node"),
                "is of real time",
                List.of("Processor", "Verbatim"),
                "comes when a peer connects, in ConnectionOrdersTest",
                List.of("ConnectionRequest"));
        Map<String, String> byType = new HashMap<>();
        reasons.forEach((reason, types) -> types.forEach(type -> byType.put(type, reason)));
        return byType;
    }

    /** What cannot be called so, and why. */
    private static final Map<String, String> NOT_CALLED = Map.of(
            "Simulation.close", "ends the simulation",
            "Simulation.node", "is what the others are called between",
            "Simulation.add", "is for programs of files",
            "Simulation.inspect", "comes before the first device",
            "LossyFabric.close", "ends the simulation",
            "LossyFabric.attach", "is for devices");

    /** What consists of many verbs, each of which may be anywhere among the events of a program that has begun; not all of these runs are made. */
    private static final Set<String> LARGE = Set.of(
            "RcPair.connect",
            "RcPair.close",
            "RcPeer.open",
            "RcPeer.close",
            "Endpoint.connect",
            "Endpoint.create",
            "Endpoint.listen");

    private static final Path CLASSES = classes();
    private static final Pattern TYPE_FILE = Pattern.compile("(\\w+)\\.class");

    private static final int MOST_RUNS = 500;

    /** Of so many methods one is explored beside a program that has begun, which takes longer; others in other builds. */
    private static final int ONE_OF = 302 / Tries.of("opening", 40, 72, 302);

    /** When it is called. */
    private enum When {
        /** Between two programs, of which none has begun. */
        BEFORE(2),
        /** The same, behind polls with which the first has begun. */
        BESIDE(8),
        /** Behind a run; then there is another. */
        BEHIND(2);

        final int seeds;

        When(int seeds) {
            this.seeds = seeds;
        }
    }

    /** All that a run has. */
    private static final class World implements AutoCloseable {

        final Simulation simulation;
        final RcPair rc;
        private final Map<Class<?>, Supplier<@Nullable Object>> objects = new HashMap<>();
        private final Method method;
        private final @Nullable Object receiver;
        private final Object[] arguments;

        /** With what the method needs. */
        World(Schedule schedule, Method method) {
            this.method = method;
            simulation = new Simulation(schedule, SimulationOptions.TIMELESS.withProfile(DeviceProfile.LINUX_LIKE));
            MemorySystem system = simulation.memorySystem("c", Platform.COHERENT_HOST);
            Device a = simulation.open("a");
            Device b = simulation.open("b");
            rc = RcPair.connect(a, b);
            RcPeer left = rc.left();
            ProtectionDomain pd = left.pd();
            CompletionChannel channel = a.createCompletionChannel();
            EventChannel events = EventChannel.open(a);
            BindInfo range = new BindInfo(left.region(), left.address(0), 8, AccessFlags.REMOTE_READ);
            put(AddressHandle.class, () -> pd.createAddressHandle(AddressVector.to(b.gid())));
            put(AddressVector.class, () -> AddressVector.to(b.gid()));
            put(ByteBuffer.class, () -> ByteBuffer.allocateDirect(8));
            put(CmEvent.class, () -> cmEvent(events, b));
            put(CmId.class, () -> events.createId());
            put(CmOptions.class, () -> CmOptions.USUAL);
            put(CompletionChannel.class, () -> channel);
            put(CompletionQueue.class, () -> left.sent());
            put(Device.class, () -> a);
            put(DeviceMemory.class, () -> a.allocateDeviceMemory(64, 0));
            put(DeviceProfile.class, () -> DeviceProfile.STRICT_IBTA);
            put(Duration.class, () -> Duration.ofNanos(1));
            put(EventChannel.class, () -> events);
            put(EventType.class, () -> EventType.PORT_ERR);
            put(FaultPolicy.class, () -> simulation.fabric().faults());
            put(Gid.class, () -> a.gid());
            put(InetSocketAddress.class, () -> new InetSocketAddress("127.0.0.1", 7));
            put(LinkSpeed.class, () -> LinkSpeed.values()[0]);
            put(LinkWidth.class, () -> LinkWidth.values()[0]);
            put(
                    ListeningEndpoint.class,
                    () -> Endpoint.listen(b, new InetSocketAddress(b.gid().toInetAddress(), 7), 1));
            put(LossyFabric.class, () -> simulation.fabric());
            put(Memory.class, () -> left.memory());
            put(MemoryRegion.class, () -> left.region());
            put(MemorySystem.class, () -> system);
            put(MemoryWindow.class, () -> pd.allocateWindow(MemoryWindowType.TYPE_1));
            put(MemoryWindowType.class, () -> MemoryWindowType.TYPE_2);
            put(PathMtu.class, () -> PathMtu.MTU_1024);
            put(Platform.class, () -> Platform.COHERENT_HOST);
            put(PortSpace.class, () -> PortSpace.TCP);
            put(ProtectionDomain.class, () -> pd);
            put(QpAttributes.class, () -> new QpAttributes().state(QpState.SQD));
            put(QpInitAttributes.class, () -> QpInitAttributes.rc(left.sent(), left.received(), QpCapabilities.USUAL));
            put(QpState.class, () -> QpState.INIT);
            put(QueuePair.class, () -> left.qp());
            put(RcConnection.class, () -> RcConnection.USUAL);
            put(RcPair.class, () -> rc);
            put(RcPeer.class, () -> left);
            put(ReceiveWorkRequest.class, () -> left.receive(7, 0, 8));
            put(Runnable.class, () -> (Runnable) () -> {});
            put(SendWorkRequest.class, () -> left.read(8, 8, 8, rc.right()));
            put(Sge.class, () -> left.sge(0, 8));
            put(SharedReceiveQueue.class, () -> pd.createSrq(SrqInitAttributes.basic(4)));
            put(Simulation.class, () -> simulation);
            put(SrqAttributes.class, () -> SrqAttributes.ofSize(4));
            put(SrqInitAttributes.class, () -> SrqInitAttributes.basic(4));
            put(String.class, () -> "d");
            put(UcConnection.class, () -> UcConnection.USUAL);
            put(UdReadiness.class, () -> new UdReadiness(1));
            put(WindowBind.class, () -> WindowBind.signaled(9, range));
            put(WrOpcode.class, () -> WrOpcode.RDMA_WRITE);
            put(XrcDomain.class, () -> a.openXrcDomain());
            put(MemoryDomain.class, () -> system.host());
            put(Observer.class, () -> system.cpu());
            put(Object.class, () -> "context");
            put(ConnectionParameters.class, () -> ConnectionParameters.USUAL);
            put(AsyncEvent.class, () -> asyncEvent());
            put(CompletionEvent.class, () -> completionEvent(left, channel));
            put(Grh.class, () -> null);
            put(MappedByteBuffer.class, () -> null);
            put(
                    RcConnection.Endpoint.class,
                    () -> new RcConnection.Endpoint(b.gid(), rc.right().qp().number(), 17));
            put(byte.class, () -> (byte) 1);
            put(boolean.class, () -> true);
            put(int.class, () -> 1);
            put(long.class, () -> 8L);
            this.receiver = Modifier.isStatic(method.getModifiers()) ? null : argument(method.getDeclaringClass());
            this.arguments = Stream.of(method.getGenericParameterTypes())
                    .map(this::argument)
                    .toArray();
        }

        private static CmEvent cmEvent(EventChannel events, Device to) {
            events.createId().resolveAddress(new InetSocketAddress(to.gid().toInetAddress(), 7), Duration.ofSeconds(1));
            return events.getEvent(Duration.ofSeconds(1));
        }

        private AsyncEvent asyncEvent() {
            Device other = simulation.open("d");
            other.inject(EventType.PORT_ERR);
            return other.getAsyncEvent(Duration.ofSeconds(1));
        }

        private static CompletionEvent completionEvent(RcPeer peer, CompletionChannel channel) {
            CompletionQueue armed = peer.device().createCq(4, null, channel, 0);
            armed.requestNotify(false);
            QueuePair failed = peer.pd().createQp(QpInitAttributes.rc(armed, armed, QpCapabilities.USUAL));
            int init = QpAttributeMask.STATE
                    | QpAttributeMask.PKEY_INDEX
                    | QpAttributeMask.PORT
                    | QpAttributeMask.ACCESS_FLAGS;
            failed.modify(new QpAttributes().state(QpState.INIT).portNumber(1), init);
            failed.modify(new QpAttributes().state(QpState.ERR), QpAttributeMask.STATE);
            failed.postRecv(peer.receive(1, 0, 8));
            return channel.getEvent(Duration.ofSeconds(1));
        }

        private void put(Class<?> type, Supplier<@Nullable Object> object) {
            objects.put(type, object);
        }

        @Nullable
        Object argument(Type type) {
            if (type instanceof ParameterizedType listed && listed.getRawType() == List.class) {
                return List.of(argument(listed.getActualTypeArguments()[0]));
            }
            if (type instanceof Class<?> array && array.isArray()) {
                Object elements = Array.newInstance(array.getComponentType(), 1);
                Array.set(elements, 0, argument(array.getComponentType()));
                return elements;
            }
            if (type == WorkCompletion.class) {
                return new WorkCompletion();
            }
            Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
            Supplier<@Nullable Object> known = objects.get(raw);
            if (known != null) {
                return known.get();
            }
            if (raw.isEnum()) {
                return raw.getEnumConstants()[0];
            }
            if (raw.isInterface() && !TYPES.contains(raw)) {
                return Proxy.newProxyInstance(raw.getClassLoader(), new Class<?>[] {raw}, OpeningThreadTest::answer);
            }
            throw new IllegalArgumentException("no argument of type " + type + "; give it one here");
        }

        /** What it does to other programs; in words, and without numbers that differ. */
        String call() {
            try {
                return inWords(method.invoke(receiver, arguments));
            } catch (InvocationTargetException e) {
                Throwable thrown = e.getCause();
                if (thrown instanceof EndsRun) {
                    throw (RuntimeException) thrown;
                }
                return thrown instanceof VerbsException refused
                        ? refused.errno().name()
                        : thrown.getClass().getSimpleName();
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        private static String inWords(@Nullable Object result) {
            if (result instanceof List<?> list) {
                return list.stream().map(World::inWords).toList().toString();
            }
            if (result instanceof WorkCompletion completion) {
                return completion.opcode() + " " + completion.status();
            }
            if (result instanceof QpAttributes attributes) {
                return attributes.state().name();
            }
            boolean isSaid = result instanceof Enum || result instanceof Boolean || result instanceof Integer;
            return isSaid || result == null
                    ? String.valueOf(result)
                    : result.getClass().getSimpleName();
        }

        @Override
        public void close() {
            simulation.close();
        }
    }

    private static String run(Schedule schedule, Method method, When when) {
        try (World world = new World(schedule, method)) {
            List<String> seen = new ArrayList<>();
            RcPeer left = world.rc.left();
            RcPeer right = world.rc.right();
            world.simulation.node("a", node -> {
                left.qp().postSend(left.write(1, 0, 8, right));
                seen.add("a "
                        + left.sent().awaitCompletion(Duration.ofSeconds(1)).status());
            });
            if (when == When.BESIDE) {
                right.received().poll(1);
                right.received().poll(1);
            } else if (when == When.BEHIND) {
                attempt(seen, world.simulation::run);
            }
            String result = world.call();
            world.simulation.node("b", node -> seen.add("b " + node.load(right.memory(), 0)));
            attempt(seen, world.simulation::run);
            seen.sort(Comparator.naturalOrder());
            return result + " " + seen;
        }
    }

    private static @Nullable Object answer(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "name", "toString" -> "proxy";
            case "hashCode" -> 1;
            case "equals" -> proxy == arguments[0];
            default -> method.getReturnType() == boolean.class ? (Object) true : null;
        };
    }

    private static void attempt(List<String> seen, Runnable run) {
        try {
            run.run();
        } catch (VerbsException e) {
            seen.add(e.errno().name());
        }
    }

    private static List<Method> methods() {
        return TYPES.stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !NOT_CALLED.containsKey(signature(method)) && !isOfValues(method))
                .sorted(Comparator.comparing(Method::toGenericString))
                .toList();
    }

    private static boolean isOfValues(Method method) {
        boolean isOfAll = List.of("hashCode", "toString", "equals").contains(method.getName());
        boolean isOfConnected =
                method.getDeclaringClass() == Endpoint.class && !Modifier.isStatic(method.getModifiers());
        return isOfAll
                || isOfConnected
                || (method.getDeclaringClass().isRecord()
                        && method.getParameterCount() == 0
                        && method.getReturnType() != void.class);
    }

    private static Path classes() {
        try {
            return Path.of(Simulation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it has a method, other than one that gives a part of a value, by which programs change what others see. */
    private static boolean mayChange(Class<?> type) {
        boolean isValue = type.isEnum() || type.isAnnotation() || Throwable.class.isAssignableFrom(type);
        return !isValue
                && (!type.isRecord()
                        || Stream.of(type.getDeclaredMethods())
                                .filter(method -> Modifier.isPublic(method.getModifiers()))
                                .flatMap(method -> Stream.of(method.getParameterTypes()))
                                .anyMatch(TYPES::contains));
    }

    private static List<Class<?>> publicTypes(String packageName) throws IOException, ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(CLASSES.resolve(packageName.replace('.', '/')))) {
            for (Path file : files.toList()) {
                Matcher name = TYPE_FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    Class<?> type = Class.forName(packageName + "." + name.group(1));
                    if (Modifier.isPublic(type.getModifiers())) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    /** So none is forgotten: a new one is called, or the reason stands here why not. */
    @Test
    void everyPublicTypeIsAmongThoseThatAreCalledOrHasAReason() throws IOException, ReflectiveOperationException {
        ModuleDescriptor module = ModuleDescriptor.read(Files.newInputStream(CLASSES.resolve("module-info.class")));
        Set<String> packages = new TreeSet<>(PACKAGES.keySet());
        Set<String> missing = new TreeSet<>();
        Set<String> unneeded = new TreeSet<>(NOT_SHARED.keySet());
        for (ModuleDescriptor.Exports exported : module.exports()) {
            if (!exported.isQualified() && !packages.remove(exported.source())) {
                for (Class<?> type : publicTypes(exported.source())) {
                    boolean hasReason = unneeded.remove(type.getSimpleName());
                    if (mayChange(type) && !hasReason && !TYPES.contains(type)) {
                        missing.add(type.getSimpleName());
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(unneeded).as("of no type").isEmpty();
        assertThat(packages).as("not exported").isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyPublicMethodIsExplored(When when) {
        List<String> wrong = new ArrayList<>();
        long runs = 0;
        List<Method> methods = methods();
        for (int i = 0; i < methods.size(); i++) {
            Method method = methods.get(i);
            if (when == When.BESIDE && i % ONE_OF != 0) {
                continue;
            }
            try {
                Set<String> expected = new TreeSet<>();
                for (long seed = 0; seed < when.seeds; seed++) {
                    expected.add(run(Schedule.by(SeedMix.choices(seed), OpenChoices.ORDERS), method, when));
                }
                Explored explored = new Exploration(OpenChoices.ORDERS)
                        .atMostExecutions(MOST_RUNS)
                        .run(schedule -> run(schedule, method, when));
                runs += explored.executions() + explored.abandoned();
                expected.removeAll(explored.outcomes().keySet());
                boolean isAll = explored.isComplete() || LARGE.contains(signature(method));
                if (!isAll || !expected.isEmpty()) {
                    wrong.add(method.toGenericString() + ": lost " + expected + " of " + explored);
                }
            } catch (RuntimeException e) {
                wrong.add(method.toGenericString() + ": " + e);
            }
        }
        System.out.println(when + ": " + methods.size() + " methods, " + runs + " runs");
        assertThat(wrong).isEmpty();
    }

    private static String signature(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
