// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("smoke")
class RulesCommandTest {

    private static final String NO_RECORD =
            "verbatim: there is no record of which tests checked which rules;" + " run ./mvnw verify\n";

    private static final List<String> MODULES = List.of(
            "emulator-core",
            "bindings/networkdirect",
            "transport-netty",
            "conformance",
            "lab/interop",
            "lab/bench",
            "cli");

    @TempDir
    private Path home;

    @BeforeEach
    void aProjectWithARecord() throws IOException {
        for (String module : MODULES) {
            Path target = home.resolve(module).resolve("target");
            Path classes = Files.createDirectories(target.resolve("test-classes/org/a"));
            Path run = Files.createDirectories(target.resolve("rules/unit"));
            String lines = module.equals("conformance")
                    ? "MR-22\torg.a.BoundsTest#oneByteTooFar\nMR-22\torg.a.MoreTest#wrapsAround\n"
                    : "";
            Files.writeString(run.resolve("org.a.BoundsTest.tsv"), lines);
            Files.createFile(classes.resolve("BoundsTest.class"));
        }
    }

    @Test
    void everyRuleIsListedWithTheTestsThatCheckIt() {
        String listed = rules().succeeded().out();
        assertThat(listed.lines().filter(line -> !line.startsWith(" "))).hasSizeGreaterThan(400);
        assertThat(listed)
                .containsPattern("(?m)^MR-22 +rc +An access one byte before .*\n"
                        + " +BoundsTest#oneByteTooFar, MoreTest#wrapsAround$")
                .containsPattern("(?m)^MW-32 +window ")
                .containsPattern("(?m)^N7 +choices ");
    }

    @Test
    void singleRulesAreShownInFullInTheOrderAsked() {
        assertThat(rules("WC-23", "MR-22").succeeded().out())
                .matches("(?s)WC-23  \\(section G\\.2, scope rc\\)\n  A .*\\.\n  checked by no test\n"
                        + "MR-22  \\(section A\\.3, scope rc\\)\n  An access .*\\.\n  checked by\n"
                        + "    org\\.a\\.BoundsTest#oneByteTooFar\n    org\\.a\\.MoreTest#wrapsAround\n");
    }

    @Test
    void missingRulesAreGroupedAndCounted() {
        String missing = rules("--missing").succeeded().out();
        assertThat(missing)
                .contains("MR-*: " + (count("MR-") - 1) + " of " + count("MR-") + "\n")
                .containsPattern("(?m)^KEY-P\\*: \\d+ of \\d+$")
                .containsPattern("(?m)^N\\*: 18 of 18$")
                .containsPattern("(?m)^N-\\*: \\d of \\d$")
                .doesNotContainPattern("(?m)^MR-22 ");
        String last = missing.lines().reduce((one, next) -> next).orElseThrow();
        assertThat(last).matches("(\\d+) of (\\d+) rules are checked by no test");
        assertThat(missing.lines()
                        .filter(line -> line.matches("[A-Z].* (rc|window|choices|types|cm|networkdirect) .*"))
                        .count())
                .isEqualTo(Integer.parseInt(last.split(" ")[0]));
    }

    @Test
    void whatIsNeverEmulatedIsListedButNotMissing() {
        assertThat(rules("--scope", "out").succeeded().out()).contains("WC-41 ");
        assertThat(rules("--missing").out()).doesNotContain("WC-41 ");
        assertThat(rules("--missing", "--scope", "out").out()).isEqualTo("0 of 0 rules are checked by no test\n");
    }

    @Test
    void scopeLeavesOutTheOthers() {
        String listed = rules("--scope", "networkdirect").succeeded().out();
        assertThat(listed.lines()).hasSize(1);
        assertThat(listed).contains(" networkdirect ");
    }

    @Test
    void jsonHasEveryField() throws IOException {
        String json = rules("MR-22", "--json").succeeded().out();
        Map<String, Object> rule = JSON.std.mapFrom(json.substring(1, json.length() - 2));
        assertThat(rule.keySet()).containsExactly("id", "section", "scope", "statement", "tests");
        assertThat(rule)
                .containsEntry("id", "MR-22")
                .containsEntry("section", "A.3")
                .containsEntry("scope", "rc");
        assertThat(rule)
                .containsEntry("tests", List.of("org.a.BoundsTest#oneByteTooFar", "org.a.MoreTest#wrapsAround"));
    }

    @Test
    void jsonOfTheMissingLeavesOutTheChecked() throws IOException {
        List<Object> missing = JSON.std.listFrom(
                rules("--missing", "--scope", "rc", "--json").succeeded().out());
        assertThat(missing)
                .hasSizeGreaterThan(200)
                .noneMatch(rule -> rule.toString().contains("id=MR-22,"));
    }

    @Test
    void withoutARecordTheListSaysSoOnStandardError() throws IOException {
        forgetRecord();
        Invocation listed = rules("MR-22");
        assertThat(listed.err()).isEqualTo(NO_RECORD);
        assertThat(listed.out())
                .endsWith("\n  nothing was recorded of its tests\n")
                .doesNotContain("checked by");
        assertThat(listed.exitCode()).isZero();
    }

    @Test
    void withHalfARecordARuleMayHaveOtherTests() throws IOException {
        Files.delete(home.resolve("emulator-core/target/rules/unit/org.a.BoundsTest.tsv"));

        assertThat(rules("MR-23").out()).endsWith("\n  checked by no test that was recorded\n");
    }

    @Test
    void withoutARecordProgramsAreToldThatTestsAreUnknown() throws IOException {
        forgetRecord();
        Invocation listed = rules("MR-22", "--json");

        assertThat(listed.out()).contains("\"statement\"").doesNotContain("\"tests\"");
        assertThat(JSON.std.mapFrom(listed.err()))
                .containsEntry("kind", "warning")
                .containsKey("text");
    }

    @Test
    void idsAreFoundInAnyCase() {
        assertThat(rules("mr-22", "Key-p1").succeeded().out())
                .startsWith("MR-22  (")
                .contains("\nKEY-P1  (");
    }

    @Test
    void withoutARecordNothingCanBeCalledMissing() throws IOException {
        forgetRecord();
        Invocation missing = rules("--missing");
        missing.failed(1, "there is no record");
        assertThat(missing.err()).isEqualTo(NO_RECORD);
    }

    @Test
    void unknownRuleIsAMistake() {
        rules("MR-22", "QQQQ-1").failed(2, "Unknown rule QQQQ-1; 'verbatim rules' lists all rules");
        rules("MR22").failed(2, "Unknown rule MR22; did you mean MR-22?");
    }

    @Test
    void unknownScopeIsAMistake() {
        rules("--scope", "rd").failed(2, "'rd' is not one of rc, window, choices, types, cm, networkdirect, out");
    }

    @Test
    void homeThatIsNoProjectIsRefused() {
        Invocation.of("rules", "--home", home.resolve("conformance").toString())
                .failed(1, "has no directory 'conformance'", "specify the project directory");
    }

    @Test
    void withoutAProjectThereAreRulesAndNoTests() {
        assertThat(System.getProperty("verbatim.home")).isNull();
        assertThat(Invocation.of("rules", "MR-22").succeeded().out())
                .startsWith("MR-22  (section A.3")
                .endsWith("  its tests are listed by 'rules' in the source tree\n");
        assertThat(Invocation.of("rules", "MR-22", "--json").succeeded().out()).doesNotContain("\"tests\"");
        Invocation.of("rules", "--missing").failed(1, "--missing is for the source tree", "--home");
    }

    private static long count(String prefix) {
        return Rule.catalogue().stream()
                .filter(rule -> rule.id().startsWith(prefix))
                .count();
    }

    private Invocation rules(String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "rules";
        all[1] = "--home=" + home;
        System.arraycopy(args, 0, all, 2, args.length);
        return Invocation.of(all);
    }

    private void forgetRecord() throws IOException {
        for (String module : MODULES) {
            Files.delete(home.resolve(module).resolve("target/rules/unit/org.a.BoundsTest.tsv"));
        }
    }
}
