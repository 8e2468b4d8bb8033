// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a switch of a profile takes away is refused, and not in the capabilities any more. */
class SwitchesTest {

    /**
     * Something that a device has or lacks.
     *
     * @param name of the switch
     * @param capability of {@link DeviceCapabilities}; empty if no bit says it
     * @param off turns it off
     * @param use what needs it
     */
    private record Feature(
            String name,
            String capability,
            UnaryOperator<DeviceProfile.Builder> off,
            Errno errno,
            String rule,
            Consumer<RcPair> use) {

        @Override
        public String toString() {
            return name + " " + rule;
        }
    }

    private static UnaryOperator<DeviceProfile.Builder> windows(UnaryOperator<WindowSwitches.Builder> change) {
        return profile ->
                profile.windows(change.apply(WindowSwitches.STRICT.toBuilder()).build());
    }

    private static Feature managementExtension(Supplier<SendWorkRequest> request) {
        return new Feature(
                "type2",
                "MEM_MGT_EXTENSIONS",
                windows(it -> it.type2(Type2.NONE)),
                Errno.EINVAL,
                "NW-04",
                it -> it.left.qp.postSend(request.get()));
    }

    static Stream<Feature> features() {
        return Stream.of(
                new Feature(
                        "xrc",
                        "XRC",
                        it -> it.xrc(false),
                        Errno.EOPNOTSUPP,
                        "XRC-01",
                        it -> it.left.device.openXrcDomain()),
                new Feature(
                        "srqResize",
                        "SRQ_RESIZE",
                        it -> it.srqResize(false),
                        Errno.EOPNOTSUPP,
                        "SRQ-05",
                        it -> it.left
                                .pd
                                .createSrq(new SrqInitAttributes(new SrqAttributes(1, 1, 0), null, null, null))
                                .modify(SrqAttributes.ofSize(2), SrqAttributes.MAX_WR)),
                new Feature(
                        "type1",
                        "MEM_WINDOW",
                        windows(it -> it.type1(false)),
                        Errno.EOPNOTSUPP,
                        "MW-03",
                        it -> it.left.pd.allocateWindow(MemoryWindowType.TYPE_1)),
                new Feature(
                        "type2",
                        "MEM_WINDOW_TYPE_2B",
                        windows(it -> it.type2(Type2.NONE)),
                        Errno.EOPNOTSUPP,
                        "MW-03",
                        it -> it.left.pd.allocateWindow(MemoryWindowType.TYPE_2)),
                managementExtension(() -> SendWorkRequest.sendWithInvalidate(1, 0x102)),
                managementExtension(() -> SendWorkRequest.localInvalidate(1, 0x102)),
                new Feature(
                        "atomicWrite",
                        "ATOMIC_WRITE",
                        it -> it.atomicWrite(false),
                        Errno.EINVAL,
                        "NW-04",
                        it -> it.left.qp.postSend(SendWorkRequest.atomicWrite(1, 0, 0, it.left.sge(0, 8)))),
                new Feature(
                        "flush",
                        "FLUSH_GLOBAL",
                        it -> it.flush(false),
                        Errno.EINVAL,
                        "NW-04",
                        it -> it.left.qp.postSend(SendWorkRequest.flush(1, 0, 0, new FlushTarget(1, 0, 8)))),
                new Feature(
                        "flush",
                        "FLUSH_PERSISTENT",
                        it -> it.flush(false),
                        Errno.EOPNOTSUPP,
                        "MR-06",
                        it -> it.left.pd.register(it.left.region.memory(), AccessFlags.FLUSH_GLOBAL)),
                new Feature(
                        "privilegedQkeys",
                        "",
                        it -> it.privilegedQkeys(false),
                        Errno.EPERM,
                        "QV-11",
                        it -> it.left
                                .pd
                                .createQp(QpInitAttributes.ud(
                                        it.left.device.createCq(1), it.left.device.createCq(1), QpCapabilities.USUAL))
                                .modify(new QpAttributes()
                                        .state(QpState.INIT)
                                        .pkeyIndex(0)
                                        .portNumber(1)
                                        .queueKey(0x80010000))),
                new Feature(
                        "deviceMemory",
                        "",
                        it -> it.deviceMemory(false),
                        Errno.EOPNOTSUPP,
                        "DM-01",
                        it -> it.left.device.allocateDeviceMemory(8, 0)),
                new Feature(
                        "onDemandPaging",
                        "",
                        it -> it.onDemandPaging(false),
                        Errno.EOPNOTSUPP,
                        "MR-05",
                        it -> it.left.pd.register(it.left.region.memory(), AccessFlags.ON_DEMAND)),
                new Feature(
                        "nullRegions",
                        "",
                        it -> it.nullRegions(false),
                        Errno.EOPNOTSUPP,
                        "MR-75",
                        it -> it.left.pd.allocateNullRegion()),
                new Feature(
                        "reregChangesTranslation",
                        "",
                        it -> it.reregChangesTranslation(false),
                        Errno.EOPNOTSUPP,
                        "MR-68",
                        it -> it.left.region.reregister(
                                ReregistrationFlags.CHANGE_TRANSLATION, null, it.left.region.memory(), 0, 8, 0)),
                new Feature(
                        "reregChangesAccess",
                        "",
                        it -> it.reregChangesAccess(false),
                        Errno.EOPNOTSUPP,
                        "MR-63",
                        it -> it.left.region.reregister(
                                ReregistrationFlags.CHANGE_ACCESS, null, null, 0, 0, AccessFlags.LOCAL_WRITE)));
    }

    /** With everything that a device may have. */
    private static DeviceProfile.Builder full() {
        return DeviceProfile.STRICT_IBTA.toBuilder()
                .xrc(true)
                .srqResize(true)
                .deviceMemory(true)
                .onDemandPaging(true)
                .nullRegions(true)
                .privilegedQkeys(true);
    }

    private static RcPair pair(DeviceProfile profile) {
        return RcPair.over(Verbatim.inProcess().profile(profile), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER);
    }

    @ParameterizedTest
    @MethodSource("features")
    @Rule({"NW-04", "MW-03", "XRC-01"})
    void whatIsOffIsRefusedAndNotAmongTheCapabilities(Feature feature) throws ReflectiveOperationException {
        long bit = feature.capability().isEmpty() ? 0 : capability(feature.capability());
        try (RcPair with = pair(full().build())) {
            assertThat(with.left.device.query().capabilities() & bit).isEqualTo(bit);
            feature.use().accept(with);
        }
        try (RcPair without = pair(feature.off().apply(full()).build())) {
            assertThat(without.left.device.query().capabilities() & bit).isZero();
            assertRefused(feature.errno(), feature.rule(), () -> feature.use().accept(without));
        }
    }

    private static long capability(String name) throws ReflectiveOperationException {
        return ((Number) DeviceCapabilities.class.getField(name).get(null)).longValue();
    }

    /** RC_RNR_NAK_GEN cannot be turned off, and 2A takes the place of 2B. */
    @Test
    void everyCapabilityHasAFeature() {
        List<String> tried = features().map(Feature::capability).toList();
        assertThat(Arrays.stream(DeviceCapabilities.class.getFields())
                        .filter(field -> Modifier.isStatic(field.getModifiers()))
                        .map(Field::getName))
                .isSubsetOf(Stream.concat(tried.stream(), Stream.of("RC_RNR_NAK_GEN", "MEM_WINDOW_TYPE_2A"))
                        .toList());
    }

    /** By itself, or by a preset, whose tests compare what it does. */
    @Test
    void everySwitchIsTurnedInATest() throws IOException {
        Path presets = Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolve("src/main/java/dev/verbatim/profile/Presets.java");
        StringBuilder tests = new StringBuilder(Files.readString(presets));
        for (String module : List.of("emulator-core", "conformance")) {
            try (Stream<Path> files = Files.walk(Path.of(System.getProperty("basedir", ""))
                    .toAbsolutePath()
                    .resolveSibling(module)
                    .resolve("src/test/java"))) {
                for (Path file :
                        (Iterable<Path>) files.filter(each -> each.toString().endsWith(".java"))::iterator) {
                    tests.append(Files.readString(file));
                }
            }
        }
        List<String> untried = new ArrayList<>();
        for (Class<?> builder : List.of(
                DeviceProfile.Builder.class,
                WindowSwitches.Builder.class,
                PostingSwitches.Builder.class,
                CompletionSwitches.Builder.class)) {
            for (Method setter : builder.getMethods()) {
                if (setter.getReturnType() == builder && tests.indexOf("." + setter.getName() + "(") < 0) {
                    untried.add(setter.toString());
                }
            }
        }
        assertThat(untried).isEmpty();
    }
}
