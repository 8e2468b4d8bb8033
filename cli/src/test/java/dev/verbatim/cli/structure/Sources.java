// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Java files of all modules, as they stand in the checkout. */
final class Sources {

    static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final List<String> MODULES = List.of(
            "emulator-core",
            "simulation/junit",
            "bindings/ibverbs",
            "bindings/networkdirect",
            "transport-netty",
            "conformance",
            "lab/interop",
            "lab/bench",
            "lab/site",
            "cli");

    private Sources() {}

    /** The files of {@code kind}, which is {@code main} or {@code test}. */
    static List<JavaFile> ofAllModules(String kind) throws IOException {
        List<JavaFile> files = new ArrayList<>();
        for (String module : MODULES) {
            Path root = PROJECT.resolve(module).resolve("src").resolve(kind).resolve("java");
            try (Stream<Path> found = Files.walk(root)) {
                found.filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("module-info.java"))
                        .map(path -> new JavaFile(root, path))
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** @param root the directory of the default package */
    record JavaFile(Path root, Path path) {

        String packageName() {
            Path folder = root.relativize(path).getParent();
            List<String> names = new ArrayList<>();
            folder.forEach(name -> names.add(name.toString()));
            return String.join(".", names);
        }
    }
}
