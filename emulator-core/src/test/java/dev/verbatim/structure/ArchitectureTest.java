// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.structure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the rooms of the core apart, and keeps time, chance and the machine's habits out of them. */
@Tag("smoke")
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.verbatim");

    private static final String DOOR = "dev.verbatim";

    /** Where a replay must give the same trace byte for byte. */
    private static final DescribedPredicate<JavaClass> REPLAYED = resideInAnyPackage(
            "dev.verbatim.wire..", "dev.verbatim.trace..", "dev.verbatim.device..", "dev.verbatim.sim..");

    /** The rooms, ground floor first, each with the rooms it may look into; the door may look anywhere. */
    private enum Room {
        PLACE,
        WIRE,
        VERBS,
        OPERATION("wire", "verbs"),
        WIRE_MAD("wire", "verbs"),
        PROFILE,
        TRACE("wire", "verbs"),
        FABRIC_CARRIER("verbs"),
        FABRIC("place", "wire", "verbs", "trace", "fabric.carrier"),
        FABRIC_EVENT("verbs", "fabric"),
        VISIBILITY("verbs", "trace", "fabric"),
        INSPECT("verbs", "trace", "visibility"),
        DEVICE_CONTEXT("wire", "verbs", "profile", "trace", "inspect", "fabric", "visibility"),
        DEVICE_EVENT("verbs", "profile", "trace", "inspect", "fabric", "fabric.event", "device.context"),
        DEVICE_MEMORY(
                "wire",
                "verbs",
                "operation",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "fabric.carrier",
                "visibility",
                "device.context"),
        DEVICE_CQ(
                "verbs",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "fabric.event",
                "device.context",
                "device.event",
                "device.memory"),
        DEVICE_RECEIVE(
                "wire",
                "verbs",
                "operation",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "device.context",
                "device.event",
                "device.memory",
                "device.cq"),
        DEVICE_QP(
                "wire",
                "verbs",
                "operation",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "device.context",
                "device.event",
                "device.memory",
                "device.cq",
                "device.receive"),
        DEVICE_MESSAGE(
                "wire",
                "verbs",
                "operation",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "device.context",
                "device.memory",
                "device.receive",
                "device.qp"),
        DEVICE_RC(DEVICE_MESSAGE, "device.message"),
        DEVICE_UC(DEVICE_MESSAGE, "device.message"),
        DEVICE_UD(DEVICE_MESSAGE, "device.message"),
        DEVICE(
                DEVICE_RC,
                "wire.mad",
                "fabric.event",
                "device.event",
                "device.cq",
                "device.rc",
                "device.uc",
                "device.ud",
                "visibility"),
        SIM_NETWORK("wire", "verbs", "fabric", "fabric.carrier"),
        SIM_REPLAY("fabric"),
        SANITIZER("place", "verbs", "operation", "trace", "inspect", "visibility"),
        SIM_STRATEGY("fabric", "fabric.carrier"),
        SIM(
                "place",
                "wire",
                "verbs",
                "profile",
                "trace",
                "inspect",
                "fabric",
                "fabric.carrier",
                "visibility",
                "device",
                "sim.network",
                "sim.replay",
                "sim.strategy"),
        LIVE("wire", "verbs", "trace", "device"),
        PAGE_RESOURCE,
        PAGE_FOLD("trace", "fabric"),
        PAGE("verbs", "trace", "fabric", "page.resource", "page.fold"),
        CM_PROTOCOL("wire", "wire.mad", "verbs", "fabric", "fabric.carrier"),
        CM("wire", "wire.mad", "verbs", "fabric", "fabric.event", "cm.protocol");

        private final String[] seen;
        private final String[] visible;

        Room(String... seen) {
            this.seen = seen;
            this.visible = Stream.concat(
                            Stream.of(packageName()), Stream.of(seen).map(room -> DOOR + "." + room))
                    .toArray(String[]::new);
        }

        /** It sees what another room sees, and some more. */
        Room(Room below, String... more) {
            this(Stream.concat(Stream.of(below.seen), Stream.of(more)).toArray(String[]::new));
        }

        String packageName() {
            return DOOR + "." + name().toLowerCase(Locale.ROOT).replace('_', '.');
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRoomLooksOnlyIntoTheRoomsOfItsRow(Room room) {
        check(
                room.packageName() + " looks only into " + List.of(room.visible),
                noClasses()
                        .that(resideInAPackage(room.packageName()))
                        .should()
                        .dependOnClassesThat(
                                resideInAPackage("dev.verbatim..").and(not(resideInAnyPackage(room.visible)))));
    }

    /** So there is no circle of packages. */
    @ParameterizedTest
    @EnumSource
    void aRowNamesOnlyRoomsAboveItInTheTable(Room room) {
        List<String> above = Stream.of(Room.values())
                .limit(room.ordinal() + 1L)
                .map(Room::packageName)
                .toList();
        assertThat(room.visible).isSubsetOf(above);
    }

    @Test
    void everyPackageIsTheDoorOrHasARow() {
        List<String> rooms = Stream.concat(
                        Stream.of(DOOR), Stream.of(Room.values()).map(Room::packageName))
                .toList();
        assertThat(CORE.stream().map(JavaClass::getPackageName).distinct()).isSubsetOf(rooms);
    }

    @Test
    void coreNeedsNothingButTheJdk() {
        check(
                "core has no dependency at run time",
                classes()
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage(
                                "dev.verbatim..",
                                "java..",
                                "javax.management..",
                                "jdk.jfr..",
                                "org.jspecify.annotations"));
    }

    @Test
    void onlyTheSystemClockReadsTheTime() {
        check(
                "time is an argument: take a fabric.Clock",
                noClasses()
                        .that()
                        .doNotHaveFullyQualifiedName("dev.verbatim.fabric.SystemClock")
                        .should()
                        .accessTargetWhere(targetIs(
                                "java.lang.System.nanoTime(",
                                "java.lang.System.currentTimeMillis(",
                                "java.time.Clock.system",
                                "java.time.Instant.now(",
                                "java.time.LocalDateTime.now(",
                                "java.time.OffsetDateTime.now(",
                                "java.time.ZonedDateTime.now(",
                                "java.util.Date.<init>()")));
    }

    @Test
    void nothingDrawsUnseededRandomNumbers() {
        check(
                "chance is an argument: take a fabric.Choices or a seed",
                noClasses()
                        .should()
                        .accessTargetWhere(targetIs(
                                "java.lang.Math.random(",
                                "java.util.Random.",
                                "java.util.SplittableRandom.<init>()",
                                "java.util.UUID.randomUUID(",
                                "java.util.concurrent.ThreadLocalRandom.",
                                "java.util.random.RandomGenerator.getDefault(",
                                "java.util.random.RandomGenerator.of(")));
    }

    @Test
    void whatIsReplayedDrawsNothingUnpredictable() {
        check(
                "a replay gives the same keys: whoever wants SecureRandom passes its numbers in",
                noClasses().that(REPLAYED).should().accessTargetWhere(targetIs("java.security.SecureRandom.")));
    }

    /** HashMap orders by hash codes, which an object draws at random; Set.of and Map.of by a salt of the running JVM. */
    @Test
    void whatIsReplayedBuildsNothingOfAccidentalOrder() {
        check(
                "a replay walks the same order: use an array, a list, an EnumMap, a LinkedHashMap or a TreeMap",
                noClasses()
                        .that(REPLAYED)
                        .should()
                        .accessTargetWhere(targetIs(
                                "java.lang.System.identityHashCode(",
                                "java.util.HashMap.<init>(",
                                "java.util.HashSet.<init>(",
                                "java.util.IdentityHashMap.<init>(",
                                "java.util.WeakHashMap.<init>(",
                                "java.util.concurrent.ConcurrentHashMap.<init>(",
                                "java.util.concurrent.ConcurrentHashMap.newKeySet(",
                                "java.util.Map.copyOf(",
                                "java.util.Map.of(",
                                "java.util.Map.ofEntries(",
                                "java.util.Set.copyOf(",
                                "java.util.Set.of(",
                                "java.util.stream.Collectors.groupingBy",
                                "java.util.stream.Collectors.toMap(",
                                "java.util.stream.Collectors.toSet(",
                                "java.util.stream.Collectors.toUnmodifiableMap(",
                                "java.util.stream.Collectors.toUnmodifiableSet(")));
    }

    @Test
    void formattingNamesItsLocale() {
        check(
                "formatting names Locale.ROOT",
                noClasses()
                        .should()
                        .accessTargetWhere(targetIs(
                                "java.lang.String.format(java.lang.String,",
                                "java.lang.String.formatted(",
                                "java.lang.String.toLowerCase()",
                                "java.lang.String.toUpperCase()",
                                "java.io.PrintStream.format(java.lang.String,",
                                "java.io.PrintStream.printf(java.lang.String,",
                                "java.io.PrintWriter.format(java.lang.String,",
                                "java.io.PrintWriter.printf(java.lang.String,",
                                "java.util.Formatter.<init>()",
                                "java.util.Formatter.<init>(java.lang.Appendable)")));
    }

    @Test
    void nothingWritesToTheConsole() {
        check(
                "the console belongs to the application: use a Tap or the System.Logger",
                noClasses()
                        .should()
                        .accessTargetWhere(targetIs("java.lang.System.out", "java.lang.System.err")
                                .or(describe(
                                        "a stack trace is printed",
                                        access ->
                                                access.getTarget().getFullName().endsWith(".printStackTrace()")))));
    }

    @Test
    void logsGoThroughTheSystemLogger() {
        check(
                "logs go through System.Logger",
                noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging"));
    }

    /** Calls, method references and field accesses whose target, written {@code class.member(types)}, starts so. */
    private static DescribedPredicate<JavaAccess<?>> targetIs(String... prefixes) {
        return describe(
                "target is among those listed",
                access -> Stream.of(prefixes).anyMatch(access.getTarget().getFullName()::startsWith));
    }

    /** A rule about a room that is still empty holds. */
    private static void check(String law, ArchRule rule) {
        rule.as(law).allowEmptyShould(true).check(CORE);
    }
}
