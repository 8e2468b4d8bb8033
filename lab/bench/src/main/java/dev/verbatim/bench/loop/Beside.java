// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.JavaProcess;
import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.plan.BenchFailure;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the present build is measured beside.
 *
 * @param tree the source tree of another revision, in which core and transport were compiled; null for the present classes
 * @param options of its JVM, such as {@code -Dverbatim.fast-path=false}
 */
public record Beside(@Nullable Path tree, List<String> options) {

    private static final List<String> CLASSES =
            List.of("emulator-core/target/classes", "transport-netty/target/classes");

    /**
     * Of a tree that was compiled.
     *
     * @throws BenchFailure if the tree has no classes
     */
    public Beside {
        if (tree != null) {
            for (String classes : CLASSES) {
                if (!Files.isDirectory(tree.resolve(classes))) {
                    throw new BenchFailure("--beside=" + tree + " has no " + classes
                            + "; compile that revision there first by ./mvnw -pl transport-netty -am compile");
                }
            }
        }
    }

    /** Starts its JVM. */
    public OrderedJvm start() {
        StringBuilder classPath = new StringBuilder();
        if (tree != null) {
            // The loops are those of the present build; what they measure comes first.
            CLASSES.forEach(classes -> classPath.append(tree.resolve(classes)).append(File.pathSeparatorChar));
        }
        classPath.append(System.getProperty("java.class.path"));
        return new OrderedJvm(
                "the JVM of --beside", JavaProcess.start(options, classPath.toString(), BesideMain.class));
    }
}
