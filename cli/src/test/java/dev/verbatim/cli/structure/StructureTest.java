// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.bench.Bench;
import dev.verbatim.cli.Main;
import dev.verbatim.conformance.rules.RuleCatalogue;
import dev.verbatim.interop.PingPong;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.testing.LongTest;
import dev.verbatim.transport.netty.NettyOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No circle of packages, no large group of classes that all need each other, no crowded package: in all modules. */
@Tag("smoke")
@LongTest
class StructureTest {

    private static final ClassGraph CLASSES = ClassGraph.of(places());

    private static final int MOST_LINES_OF_A_METHOD = 60;
    private static final int MOST_LINES_OF_A_FILE = 800;

    /** The API of libibverbs' vocabulary in one package: a queue pair names its domain, the domain makes queue pairs. */
    private static final String API = "dev.verbatim.verbs";

    /** Groups that may be larger than the limit of their room, each with its reason. */
    private static final Map<Set<String>, Integer> EXEMPT = Map.of(
            // Interfaces and values of the API.
            Set.of(API), 20,
            // A sealed interface and the records that it permits.
            Set.of("dev.verbatim.wire.mad"), 14);

    static List<Path> places() {
        return Stream.of(
                        Verbatim.class,
                        SimulatedTest.class,
                        NdAdapter.class,
                        NettyOptions.class,
                        RuleCatalogue.class,
                        PingPong.class,
                        Bench.class,
                        Main.class)
                .map(StructureTest::placeOf)
                .collect(Collectors.toList());
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void allModulesAreLookedAt() {
        assertThat(CLASSES.types())
                .contains(Verbatim.class.getName(), Bench.class.getName(), Main.class.getName())
                .hasSizeGreaterThan(1100);
    }

    @Test
    void noCircleOfPackages() {
        assertThat(CLASSES.ofPackages().groups()).isEmpty();
    }

    @Test
    void groupsOfClassesThatNeedEachOtherAreSmall() {
        List<String> large = new ArrayList<>();
        for (Set<String> group : CLASSES.groups()) {
            Set<String> packages = group.stream().map(ClassGraph::packageOf).collect(Collectors.toSet());
            int most = EXEMPT.getOrDefault(packages, mostOf(packages));
            if (Boolean.getBoolean("verbatim.structure")) {
                System.out.println(group.size() + " of at most " + most + ": " + group);
            }
            if (group.size() > most) {
                large.add(group.size() + " > " + most + ": " + group);
            }
        }
        assertThat(large).isEmpty();
    }

    private static int mostOf(Set<String> packages) {
        if (packages.stream()
                .anyMatch(name -> name.matches("dev\\.verbatim\\.(conformance|interop|bench|cli)(\\..*)?"))) {
            return 20;
        }
        return packages.stream().allMatch(name -> name.matches("dev\\.verbatim\\.device(\\..*)?")) ? 16 : 12;
    }

    @Test
    void everyPackageSaysWhatLivesThere() throws IOException {
        Set<String> packages = new TreeSet<>();
        Set<String> described = new TreeSet<>();
        for (Sources.JavaFile file : Sources.ofAllModules("main")) {
            packages.add(file.packageName());
            if (file.path().endsWith("package-info.java")) {
                described.add(file.packageName());
            }
        }
        assertThat(described).isEqualTo(packages);
    }

    @Test
    void methodsFitOnAScreen() throws IOException {
        assertThat(Sources.longMethods(Sources.ofAllModules("main"), MOST_LINES_OF_A_METHOD))
                .isEmpty();
    }

    /** Of tests that is all: tables and long texts make some of their methods longer than a screen. */
    @Test
    void filesAreShort() throws IOException {
        for (String kind : List.of("main", "test")) {
            assertThat(Sources.longFiles(Sources.ofAllModules(kind), MOST_LINES_OF_A_FILE))
                    .isEmpty();
        }
    }
}
