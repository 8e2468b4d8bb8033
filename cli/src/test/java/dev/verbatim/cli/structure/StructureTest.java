// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.bench.Bench;
import dev.verbatim.cli.Main;
import dev.verbatim.conformance.rules.CheckRecord;
import dev.verbatim.interop.PingPong;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.testing.LongTest;
import dev.verbatim.transport.netty.NettyOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No circle of packages, and each says what lives there: in all modules. */
@Tag("smoke")
@LongTest
class StructureTest {

    private static final ClassGraph CLASSES = ClassGraph.of(places());

    static List<Path> places() {
        return Stream.of(
                        Verbatim.class,
                        SimulatedTest.class,
                        NdAdapter.class,
                        NettyOptions.class,
                        CheckRecord.class,
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
}
