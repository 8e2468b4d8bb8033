// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.rules.RuleCatalogue;
import dev.verbatim.conformance.rules.RuleEntry;
import dev.verbatim.conformance.rules.Scope;
import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

    private static final Pattern CONSTANT = Pattern.compile("\\bRule\\.([A-Z]\\w+)");
    private static final Pattern ID = Pattern.compile("\\b[A-Z][A-Z0-9]*-[A-Z]?\\d+\\b");

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
    void eachRuleOfTheDeviceIsMarkedInItsCode() throws IOException {
        Set<String> unmarked = new TreeSet<>();
        int counted = 0;
        for (RuleEntry rule : RuleCatalogue.load().entries()) {
            if (rule.scope() == Scope.OUT || OF_TESTS.matcher(rule.id()).matches()) {
                continue;
            }
            counted++;
            if (!USED.contains(rule.id().replace('-', '_')) && !NAMED.contains(rule.id())) {
                unmarked.add(rule.id());
            }
        }
        assertThat(counted).isGreaterThan(400);
        assertThat(unmarked).isEmpty();
    }

    @Test
    void deviceReportsEachRuleByItself() {
        assertThat(COLLECTING).isEmpty();
    }

    @Test
    void eachConstantIsUsed() {
        Set<String> unused = Stream.of(Rule.values()).map(Rule::name).collect(Collectors.toCollection(TreeSet::new));
        unused.removeAll(USED);
        assertThat(unused).isEmpty();
    }
}
