// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The code of a rule is found by one search: for its constant, or, where a layout is the rule, for its id in a comment. */
@Tag("smoke")
class RuleMarksTest {

    /** Litmus programs, traces, test vectors and procedures of tests: the device decides nothing by them. */
    private static final Pattern OF_TESTS = Pattern.compile("(LT|T|TV|TR)-\\d+");

    /** Where a layout or a table is the rule: a comment there names it. */
    private static final Set<Rule> OF_LAYOUTS =
            EnumSet.of(Rule.KEY_02, Rule.MW_72, Rule.HD_01, Rule.PSN_03, Rule.ACK_06, Rule.IC_01, Rule.MAD_08);

    private static final Pattern CONSTANT = Pattern.compile("\\bRule\\.([A-Z]\\w+)");
    private static final Pattern ID = Pattern.compile("\\b[A-Z][A-Z0-9]*-[A-Z]?\\d+\\b");

    /** The ids in the annotation of a test. */
    private static final Pattern BY_TEST = Pattern.compile("@Rule\\(([^)]*)\\)");

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

    private static final Set<String> NOT_OF_SOURCES = Set.of("target", ".git", "node_modules");

    /** Rules that are reported together, apart from what decided each of them. */
    private static final Pattern COLLECTED =
            Pattern.compile("(List|Set|Collection)<Rule>|Rule\\[]|List\\.of\\(\\s*Rule\\.");

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Set<String> USED = new TreeSet<>();
    private static final Set<String> NAMED = new TreeSet<>();
    private static final Set<String> COLLECTING = new TreeSet<>();

    @BeforeAll
    static void readTheCode() throws IOException {
        for (String module : List.of("emulator-core", "bindings/networkdirect", "transport-netty")) {
            Path root = PROJECT.resolve(module).resolve("src/main/java");
            List<Path> files;
            try (Stream<Path> found = Files.walk(root)) {
                files = found.filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("verbs/Rule.java"))
                        .collect(Collectors.toList());
            }
            for (Path file : files) {
                String text = Files.readString(file);
                CONSTANT.matcher(text).results().forEach(match -> USED.add(match.group(1)));
                if (file.startsWith(root.resolve("dev/verbatim/device"))
                        && COLLECTED.matcher(text).find()) {
                    COLLECTING.add(root.relativize(file).toString());
                }
                ID.matcher(text).results().forEach(match -> NAMED.add(match.group()));
            }
        }
    }

    @Test
    void eachRuleOfTheDeviceIsMarkedInItsCode() {
        List<Rule> decided = Rule.catalogue().stream()
                .filter(rule -> rule.scope() != Rule.Scope.OUT
                        && !OF_TESTS.matcher(rule.id()).matches())
                .toList();
        assertThat(decided).hasSizeGreaterThan(400);
        assertThat(decided)
                .filteredOn(rule -> !OF_LAYOUTS.contains(rule))
                .allSatisfy(rule -> assertThat(USED).contains(rule.name()));
        assertThat(OF_LAYOUTS).allSatisfy(rule -> assertThat(NAMED).contains(rule.id()));
        assertThat(OF_LAYOUTS).noneSatisfy(rule -> assertThat(USED).contains(rule.name()));
    }

    /** A rule that went, or an id that was mistyped, would count as checked or explained. */
    @Test
    void testsAndDocumentsNameRulesOfTheCatalogue() throws IOException {
        String groups = Rule.catalogue().stream()
                .map(rule -> rule.id().replaceFirst("\\d+$", ""))
                .filter(group -> group.endsWith("-"))
                .distinct()
                .collect(Collectors.joining("|"));
        // Ids with one digit are those of other lists as well.
        Pattern inDocument = Pattern.compile("(?<![\\w.-])(?:" + groups + ")\\d{2,}(?!\\w)");
        Set<String> known = Rule.catalogue().stream().map(Rule::id).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        int[] looked = new int[1];
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return NOT_OF_SOURCES.contains(String.valueOf(directory.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.toString();
                Stream<String> ids = Stream.empty();
                if (name.endsWith(".md")) {
                    ids = inDocument.matcher(Files.readString(file)).results().map(MatchResult::group);
                } else if (name.endsWith("Test.java")) {
                    ids = BY_TEST.matcher(Files.readString(file))
                            .results()
                            .flatMap(mark -> QUOTED.matcher(mark.group(1)).results())
                            .map(id -> id.group(1));
                }
                ids.forEach(id -> {
                    looked[0]++;
                    if (!known.contains(id)) {
                        unknown.add(PROJECT.relativize(file) + ": " + id);
                    }
                });
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(looked[0]).isGreaterThan(2_000);
        assertThat(unknown).isEmpty();
    }

    @Test
    void deviceReportsEachRuleByItself() {
        assertThat(COLLECTING).isEmpty();
    }
}
