// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemorySource;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.verbs.XrcDomain;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Null for any argument of any verb that may not be null: a refusal with its errno and a sentence that says what is missing. */
class NullArgumentsTest {

    /** Files are mapped elsewhere; the method leads to the one that takes a buffer. */
    private static final Set<String> NOT_TRIED = Set.of("java.nio.MappedByteBuffer");

    @AutoClose
    private final CmWorld world = new CmWorld();

    @AutoClose
    private final Verbatim onboard = Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE);

    private final Device device = world.client.device;
    private final ProtectionDomain pd = world.client.pd;
    private final CompletionQueue cq = world.client.cq;
    private final Memory memory = Memory.allocate(64);
    private final Map<Class<?>, Object> arguments = new LinkedHashMap<>();
    private final Map<String, Throwable> wrong = new TreeMap<>();
    private int tried;

    @Test
    @Rule("N-09")
    void nullIsRefusedByName() throws IllegalAccessException {
        ListeningEndpoint listener = Endpoint.listen(world.server.device, world.server.address(CmWorld.PORT), 0);
        fillArguments();
        Map<Class<?>, Object> objects = new LinkedHashMap<>();
        objects.put(Device.class, device);
        objects.put(ProtectionDomain.class, pd);
        objects.put(QueuePair.class, pd.createQp(QpInitAttributes.rc(cq)));
        objects.put(CompletionQueue.class, cq);
        objects.put(CompletionChannel.class, device.createCompletionChannel());
        objects.put(SharedReceiveQueue.class, pd.createSrq(SrqInitAttributes.basic(4)));
        objects.put(MemoryRegion.class, pd.register(memory, AccessFlags.LOCAL_WRITE));
        objects.put(MemoryWindow.class, pd.allocateWindow(MemoryWindowType.TYPE_2));
        objects.put(XrcDomain.class, device.openXrcDomain());
        objects.put(DeviceMemory.class, onboard.open("other").allocateDeviceMemory(64, 0));
        objects.put(EventChannel.class, world.client.channel);
        objects.put(CmId.class, world.client.channel.createId());
        objects.put(ListeningEndpoint.class, listener);
        arguments.putAll(objects);
        for (Map.Entry<Class<?>, Object> entry : objects.entrySet()) {
            tryAll(entry.getKey(), entry.getValue());
        }
        tryAll(Endpoint.class, null);
        tryAll(Memory.class, null);

        assertThat(wrong).isEmpty();
        assertThat(tried).as("arguments that were null").isGreaterThan(60);
        listener.close();
    }

    /** What is good enough for the arguments that are not null. */
    private void fillArguments() {
        arguments.put(int.class, 1);
        arguments.put(long.class, 1L);
        arguments.put(boolean.class, false);
        arguments.put(String.class, "name");
        arguments.put(Object.class, "context");
        arguments.put(Duration.class, Duration.ofSeconds(1));
        Runnable nothing = () -> {};
        arguments.put(Runnable.class, nothing);
        arguments.put(InetSocketAddress.class, world.server.address(CmWorld.PORT));
        arguments.put(List.class, List.of());
        arguments.put(byte[].class, new byte[1]);
        arguments.put(byte.class, (byte) 1);
        arguments.put(Memory.class, memory);
        arguments.put(MemorySource.class, (MemorySource) (offset, lengthBytes) -> ByteBuffer.allocateDirect(64));
        arguments.put(ByteBuffer.class, ByteBuffer.allocateDirect(64));
        arguments.put(MemoryWindowType.class, MemoryWindowType.TYPE_2);
        arguments.put(AddressVector.class, AddressVector.to(world.server.device.gid()));
        arguments.put(WorkCompletion.class, new WorkCompletion());
        arguments.put(WorkCompletion[].class, new WorkCompletion[1]);
        arguments.put(Grh.class, new Grh(0, 0, 0, 17, 1, Gid.ofGuid(1), Gid.ofGuid(2)));
        arguments.put(QpInitAttributes.class, QpInitAttributes.rc(cq));
        arguments.put(SrqInitAttributes.class, SrqInitAttributes.basic(4));
        arguments.put(QpAttributes.class, new QpAttributes().state(QpState.INIT));
        arguments.put(SrqAttributes.class, new SrqAttributes(4, 1, 1));
        arguments.put(SendWorkRequest.class, SendWorkRequest.send(1));
        arguments.put(ReceiveWorkRequest.class, ReceiveWorkRequest.of(1));
        arguments.put(WindowBind.class, new WindowBind(1, 0, BindInfo.NOTHING));
        arguments.put(WrOpcode.class, WrOpcode.RDMA_WRITE);
        arguments.put(EventType.class, EventType.PORT_ACTIVE);
        arguments.put(PathMtu.class, PathMtu.MTU_1024);
        arguments.put(LinkWidth.class, LinkWidth.values()[0]);
        arguments.put(LinkSpeed.class, LinkSpeed.values()[0]);
        arguments.put(QpState.class, QpState.INIT);
        arguments.put(PortSpace.class, PortSpace.TCP);
        arguments.put(CmOptions.class, CmOptions.USUAL);
        arguments.put(ConnectionParameters.class, ConnectionParameters.USUAL);
    }

    private void tryAll(Class<?> type, @Nullable Object object) throws IllegalAccessException {
        for (Method verb : type.getMethods()) {
            boolean canBeCalled = object != null || Modifier.isStatic(verb.getModifiers());
            if (verb.getDeclaringClass() != Object.class && canBeCalled) {
                for (int i = 0; i < verb.getParameterCount(); i++) {
                    if (mustBeThere(verb, i)) {
                        tried++;
                        tryNull(verb, object, i);
                    }
                }
            }
        }
    }

    private static boolean mustBeThere(Method verb, int index) {
        AnnotatedType type = verb.getAnnotatedParameterTypes()[index];
        Class<?> plain = verb.getParameterTypes()[index];
        return !plain.isPrimitive()
                && !type.isAnnotationPresent(Nullable.class)
                && !NOT_TRIED.contains(plain.getName())
                && !verb.getName().equals("equals");
    }

    private void tryNull(Method verb, @Nullable Object object, int index) throws IllegalAccessException {
        Object[] values = Arrays.stream(verb.getParameterTypes())
                .map(type -> {
                    assertThat(arguments).as(verb.toString()).containsKey(type);
                    return arguments.get(type);
                })
                .toArray();
        values[index] = null;
        String call = verb.getDeclaringClass().getSimpleName() + "." + verb.getName() + " "
                + Arrays.toString(verb.getParameterTypes()) + " " + index;
        try {
            verb.invoke(object, values);
            wrong.put(call, new AssertionError("was not refused"));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof VerbsException refused
                    && refused.errno() == Errno.EINVAL
                    && refused.refusal().sentence().matches(".*(null|needs).*")) {
                RuleCoverage.assertOutcome(refused.refusal());
            } else {
                wrong.put(call, e.getCause());
            }
        }
    }
}
