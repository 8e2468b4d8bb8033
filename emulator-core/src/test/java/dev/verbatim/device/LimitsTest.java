// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AtomicCapability;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit of a device: exactly as much as it says is there, and one more has its errno. */
class LimitsTest {

    private static final DeviceLimits LIMITS =
            new DeviceLimits(3, 4, 2, 5, 8, 3, 16, 4, 9, 2, 2, 4, 2, 3, 3, 6, 2, 1024, 100, 2);
    private static final Memory MEMORY = Memory.allocate(8);
    private static final Memory LONGER = Memory.allocate(101);

    /** A limit, what exceeding it is refused with, and how to use so much. */
    private record Limit(String name, Errno errno, String rule, int most, int more, ObjIntConsumer<Device> use) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Limit count(String name, String rule, int most, ObjIntConsumer<Device> use) {
        return new Limit(name, Errno.ENOMEM, rule, most, most + 1, use);
    }

    private static Limit size(String name, String rule, int most, ObjIntConsumer<Device> use) {
        return new Limit(name, Errno.EINVAL, rule, most, most + 1, use);
    }

    private static void times(int count, Runnable work) {
        for (int i = 0; i < count; i++) {
            work.run();
        }
    }

    static Stream<Limit> limits() {
        return Stream.of(
                count("maxPd", "MR-16", LIMITS.maxPd(), (it, n) -> times(n, it::allocatePd)),
                count("maxMr", "MR-16", LIMITS.maxMr(), (it, n) -> {
                    ProtectionDomain pd = it.allocatePd();
                    times(n, () -> pd.register(MEMORY, 0));
                }),
                size(
                        "maxMrSizeBytes",
                        "MR-16",
                        (int) LIMITS.maxMrSizeBytes(),
                        (it, n) -> it.allocatePd().register(LONGER, 0, n, 0)),
                count("maxMw", "MW-03", LIMITS.maxMw(), (it, n) -> {
                    ProtectionDomain pd = it.allocatePd();
                    times(n, () -> pd.allocateWindow(MemoryWindowType.TYPE_1));
                }),
                count("maxQp", "MR-16", LIMITS.maxQp(), (it, n) -> {
                    ProtectionDomain pd = it.allocatePd();
                    CompletionQueue cq = it.createCq(1);
                    QpCapabilities small = new QpCapabilities(1, 1, 1, 1, 0);
                    times(n, () -> pd.createQp(QpInitAttributes.rc(cq, cq, small)));
                }),
                size("maxQpWr", "QP-02", LIMITS.maxQpWr(), (it, n) -> queuePair(it, n, 1, 0)),
                size("maxSge", "QP-02", LIMITS.maxSge(), (it, n) -> queuePair(it, 1, n, 0)),
                size("maxInlineDataBytes", "QP-03", LIMITS.maxInlineDataBytes(), (it, n) -> queuePair(it, 1, 1, n)),
                count("maxCq", "MR-16", LIMITS.maxCq(), (it, n) -> times(n, () -> it.createCq(1))),
                size("maxCqe", "CQ-01", LIMITS.maxCqe(), Device::createCq),
                count("maxAh", "MR-16", LIMITS.maxAh(), (it, n) -> {
                    ProtectionDomain pd = it.allocatePd();
                    times(n, () -> pd.createAddressHandle(AddressVector.to(it.gid())));
                }),
                count("maxSrq", "SRQ-01", LIMITS.maxSrq(), (it, n) -> {
                    ProtectionDomain pd = it.allocatePd();
                    times(n, () -> sharedQueue(pd, 1, 1));
                }),
                size("maxSrqWr", "SRQ-01", LIMITS.maxSrqWr(), (it, n) -> sharedQueue(it.allocatePd(), n, 1)),
                size("maxSrqSge", "SRQ-01", LIMITS.maxSrqSge(), (it, n) -> sharedQueue(it.allocatePd(), 1, n)),
                count("maxXrcd", "XRC-01", LIMITS.maxXrcd(), (it, n) -> times(n, it::openXrcDomain)),
                size(
                        "maxQpRdAtom",
                        "QV-04",
                        LIMITS.maxQpRdAtom(),
                        (it, n) -> receiving(it, RcConnection.USUAL.withDepth(n))),
                size(
                        "maxQpInitRdAtom",
                        "QV-04",
                        LIMITS.maxQpInitRdAtom(),
                        (it, n) -> RcConnection.USUAL
                                .withDepth(n)
                                .readyToSend(receiving(it, RcConnection.USUAL.withDepth(1)), 0)),
                size(
                        "completionVectors",
                        "CQ-01",
                        LIMITS.completionVectors(),
                        (it, n) -> it.createCq(1, null, null, n - 1)),
                size("physicalPorts", "QV-06", LIMITS.physicalPorts(), Device::queryPort),
                new Limit(
                        "activeMtuBytes",
                        Errno.EINVAL,
                        "QV-03",
                        LIMITS.activeMtuBytes(),
                        2 * LIMITS.activeMtuBytes(),
                        (it, n) -> receiving(it, RcConnection.USUAL.withDepth(1).withPathMtu(PathMtu.ofBytes(n)))));
    }

    private static void queuePair(Device device, int wr, int sge, int inlineBytes) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(1);
        pd.createQp(QpInitAttributes.rc(cq, cq, new QpCapabilities(wr, 1, sge, 1, inlineBytes)));
        pd.createQp(QpInitAttributes.rc(cq, cq, new QpCapabilities(1, wr, 1, sge, inlineBytes)));
    }

    private static void sharedQueue(ProtectionDomain pd, int wr, int sge) {
        pd.createSrq(new SrqInitAttributes(new SrqAttributes(wr, sge, 0), null, null, null));
    }

    private static QueuePair receiving(Device device, RcConnection connection) {
        CompletionQueue cq = device.createCq(1);
        QueuePair qp = device.allocatePd().createQp(QpInitAttributes.rc(cq, cq, new QpCapabilities(1, 1, 1, 1, 0)));
        connection.withPathMtu(connection.pathMtu()).withAccess(0).readyToReceive(qp, RcConnection.Endpoint.of(qp, 0));
        return qp;
    }

    private static Verbatim fabric() {
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().limits(LIMITS).build();
        return Verbatim.inProcess().profile(profile).tap(new RecordingTap());
    }

    @ParameterizedTest
    @MethodSource("limits")
    @Rule({"MR-16", "MW-03", "QP-02", "QP-03", "CQ-01", "SRQ-01", "XRC-01", "QV-03", "QV-04", "QV-06"})
    void asMuchAsTheLimitIsThereAndOneMoreIsRefused(Limit limit) {
        try (Verbatim rdma = fabric()) {
            limit.use().accept(rdma.open("exactly"), limit.most());
            Device device = rdma.open("more");
            assertRefused(
                    limit.errno(),
                    limit.rule(),
                    () -> limit.use().accept(device, limit.more()),
                    Integer.toString(limit.name().equals("completionVectors") ? limit.most() - 1 : limit.most()));
            asserted();
        }
    }

    @Test
    void everyLimitIsTriedAndReported() throws ReflectiveOperationException {
        Set<String> tried = limits().map(Limit::name).collect(Collectors.toSet());
        assertThat(tried)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(DeviceLimits.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
        try (Verbatim rdma = fabric()) {
            Device device = rdma.open("device");
            DeviceAttributes reported = device.query();
            assertThat(reported.atomicCapability()).isEqualTo(AtomicCapability.GLOB);
            assertThat(device.queryPort(1).maxMtu()).isEqualTo(PathMtu.MTU_4096);
            for (RecordComponent component : DeviceLimits.class.getRecordComponents()) {
                Object expected = component.getAccessor().invoke(LIMITS);
                Object actual = component.getName().equals("activeMtuBytes")
                        ? (Object) device.queryPort(1).activeMtu().bytes()
                        : DeviceAttributes.class.getMethod(component.getName()).invoke(reported);
                assertThat(actual).as(component.getName()).isEqualTo(expected);
            }
        }
    }

    @Test
    void restOfTheAttributesIsWhatASoftwareDeviceCanSay() {
        try (Verbatim rdma = fabric()) {
            Device device = rdma.open("device");
            DeviceAttributes it = device.query();
            assertThat(it.firmwareVersion()).isEmpty();
            assertThat(it.systemImageGuid()).isEqualTo(it.guid()).isNotZero();
            assertThat(device.gid()).isEqualTo(Gid.ofGuid(it.guid()));
            assertThat(it.pageSizes()).isEqualTo(0xffff_f000L);
            assertThat(it.vendorId()).isEqualTo(0xff_ffff);
            assertThat(it.vendorPartId() + it.hardwareVersion() + it.localAckDelay())
                    .isZero();
            assertThat(it.maxSgeRd()).isEqualTo(LIMITS.maxSge());
            assertThat(it.maxResRdAtom()).isEqualTo(LIMITS.maxQp() * LIMITS.maxQpRdAtom());
            PortAttributes port = device.queryPort(1);
            assertThat(port)
                    .isEqualTo(new PortAttributes(
                            PortState.ACTIVE,
                            PathMtu.MTU_4096,
                            PathMtu.MTU_1024,
                            1L << 31,
                            1,
                            it.maxPkeys(),
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            1,
                            LinkWidth.X1,
                            LinkSpeed.SDR,
                            PortAttributes.LINK_UP,
                            LinkLayer.ETHERNET,
                            PortAttributes.GRH_REQUIRED));
        }
    }
}
