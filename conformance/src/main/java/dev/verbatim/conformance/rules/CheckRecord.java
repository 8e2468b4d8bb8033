// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which tests checked which rules when they ran last. Each test class leaves a file {@code CLASS.tsv} with lines
 * {@code RULE<tab>CLASS#METHOD} in the build directory of its module; it counts as long as there is such a class.
 */
public final class CheckRecord {

    /** In the order in which they are built: each depends on those before it. */
    static final List<String> MODULES = List.of(
            "emulator-core",
            "bindings/networkdirect",
            "transport-netty",
            "conformance",
            "lab/interop",
            "lab/bench",
            "cli");

    private static final String UNIT = "unit";
    private static final String INTEGRATION = "integration";

    private final Map<String, SortedSet<String>> testsOfRule = new TreeMap<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> outdated = new ArrayList<>();

    private final boolean isKept;

    private CheckRecord(boolean isKept) {
        this.isKept = isKept;
    }

    /** Where there is no project, and so no tests. */
    public static CheckRecord none() {
        CheckRecord record = new CheckRecord(false);
        record.missing.addAll(MODULES);
        return record;
    }

    /**
     * Reads what there is.
     *
     * @param home the project's directory
     * @throws UncheckedIOException if a file is there but cannot be read
     */
    public static CheckRecord read(Path home) {
        CheckRecord record = new CheckRecord(true);
        try {
            FileTime newestClass = FileTime.fromMillis(0);
            for (String module : MODULES) {
                Path target = home.resolve(module).resolve("target");
                newestClass = latest(newestClass, newestClassIn(target.resolve("classes")));
                record.read(module, target, newestClass);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return record;
    }

    private void read(String module, Path target, FileTime newestClass) throws IOException {
        Set<Path> ofUnitTests = filesOf(target, UNIT);
        if (ofUnitTests.isEmpty()) {
            // A module without integration tests leaves no record of them.
            missing.add(module);
        }
        Set<Path> files = new TreeSet<>(ofUnitTests);
        files.addAll(filesOf(target, INTEGRATION));
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                String[] columns = line.split("\t", 2);
                testsOfRule
                        .computeIfAbsent(columns[0], unused -> new TreeSet<>())
                        .add(columns[columns.length - 1]);
            }
            if (Files.getLastModifiedTime(file).compareTo(newestClass) < 0 && !outdated.contains(module)) {
                outdated.add(module);
            }
        }
    }

    private static Set<Path> filesOf(Path target, String run) throws IOException {
        Path directory = target.resolve("rules").resolve(run);
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        Path classes = target.resolve("test-classes");
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> Files.exists(classes.resolve(classFileOf(file))))
                    .collect(Collectors.toSet());
        }
    }

    private static String classFileOf(Path record) {
        return record.getFileName().toString().replaceFirst("\\.tsv$", "").replace('.', '/') + ".class";
    }

    private static FileTime newestClassIn(Path directory) throws IOException {
        FileTime newest = FileTime.fromMillis(0);
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (file.toString().endsWith(".class")) {
                        newest = latest(newest, Files.getLastModifiedTime(file));
                    }
                }
            }
        }
        return newest;
    }

    private static FileTime latest(FileTime one, FileTime other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Whether no module has a record. */
    public boolean isAbsent() {
        return missing.size() == MODULES.size();
    }

    /** What it means where no test of a rule is in the record. */
    String silence() {
        if (!isKept) {
            return "its tests are listed by 'rules' in the source tree";
        }
        if (isAbsent()) {
            return "nothing was recorded of its tests";
        }
        return missing.isEmpty() ? "checked by no test" : "checked by no test that was recorded";
    }

    /** Why the record may not tell the truth, in one sentence with the remedy; nothing if it does. */
    public Optional<String> doubt() {
        if (!isKept) {
            return Optional.empty();
        }
        String remedy = "; run ./mvnw verify";
        if (isAbsent()) {
            return Optional.of("there is no record of which tests checked which rules" + remedy);
        }
        List<String> doubts = new ArrayList<>();
        if (!missing.isEmpty()) {
            doubts.add("there is no record of the tests of " + String.join(", ", missing));
        }
        if (!outdated.isEmpty()) {
            doubts.add("the record of " + String.join(", ", outdated) + " is older than the classes");
        }
        return doubts.isEmpty() ? Optional.empty() : Optional.of(String.join(", and ", doubts) + remedy);
    }

    /** The tests that checked a rule, as {@code CLASS#METHOD}, in alphabetical order. */
    public SortedSet<String> testsOf(Rule rule) {
        return testsOfRule.getOrDefault(rule.id(), Collections.emptySortedSet());
    }
}
