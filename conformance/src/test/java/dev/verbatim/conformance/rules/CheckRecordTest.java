// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("smoke")
class CheckRecordTest {

    @TempDir
    private Path home;

    @Test
    void testsOfAllModulesAndRunsAreTakenTogether() throws IOException {
        recordsOfAllModules(10);
        record("emulator-core", "unit", 10, "MR-22\ta.B#second\nMR-22\ta.B#first\n");
        record("conformance", "unit", 10, "WC-23\ta.C#one\n");
        record("conformance", "integration", 10, "MR-22\ta.DIT#far\n");
        CheckRecord read = CheckRecord.read(home);
        assertThat(read.testsOf(Rule.MR_22)).containsExactly("a.B#first", "a.B#second", "a.DIT#far");
        assertThat(read.testsOf(Rule.WC_23)).containsExactly("a.C#one");
        assertThat(read.doubt()).isEmpty();
    }

    @Test
    void everyTestClassOfAModuleHasItsRecord() throws IOException {
        recordsOfAllModules(10);
        record("conformance", "unit", "a.B", 10, "MR-22\ta.B#first\n");
        record("conformance", "unit", "c.D", 10, "MR-22\tc.D#second\n");
        assertThat(CheckRecord.read(home).testsOf(Rule.MR_22)).containsExactly("a.B#first", "c.D#second");
    }

    @Test
    void recordOfATestClassThatIsGoneDoesNotCount() throws IOException {
        recordsOfAllModules(20);
        record("conformance", "unit", "a.Gone", 10, "MR-22\ta.Gone#first\n");
        compiled("conformance", 15);
        Files.delete(home.resolve("conformance/target/test-classes/a/Gone.class"));
        assertThat(CheckRecord.read(home).testsOf(Rule.MR_22)).isEmpty();
        assertThat(CheckRecord.read(home).doubt()).isEmpty();
    }

    @Test
    void oneOutdatedRecordOfManyIsNamed() throws IOException {
        recordsOfAllModules(20);
        record("cli", "unit", "a.B", 14, "");
        compiled("cli", 15);
        assertThat(CheckRecord.read(home).doubt())
                .contains("the record of cli is older than the classes; run ./mvnw verify");
    }

    @Test
    void withoutAnyRecordNothingIsCheckedAndTheRemedyIsSaid() {
        CheckRecord read = CheckRecord.read(home);
        assertThat(read.isAbsent()).isTrue();
        assertThat(read.testsOf(Rule.MR_22)).isEmpty();
        assertThat(read.doubt()).contains("there is no record of which tests checked which rules; run ./mvnw verify");
    }

    @Test
    void moduleWithoutARecordIsNamed() throws IOException {
        recordsOfAllModules(10);
        Files.delete(home.resolve("conformance/target/rules/unit/a.Tests.tsv"));
        CheckRecord read = CheckRecord.read(home);
        assertThat(read.isAbsent()).isFalse();
        assertThat(read.doubt()).contains("there is no record of the tests of conformance; run ./mvnw verify");
    }

    @Test
    void recordOlderThanTheClassesOfItsModuleIsNamed() throws IOException {
        recordsOfAllModules(20);
        compiled("cli", 21);
        assertThat(CheckRecord.read(home).doubt())
                .contains("the record of cli is older than the classes; run ./mvnw verify");
    }

    @Test
    void recordOlderThanTheClassesThatItsModuleUsesIsNamed() throws IOException {
        recordsOfAllModules(20);
        compiled("conformance", 21);
        assertThat(CheckRecord.read(home).doubt())
                .contains("the record of conformance, lab/interop, lab/bench, cli is older than the classes;"
                        + " run ./mvnw verify");
    }

    @Test
    void recordOfAModuleBuiltBeforeTheNextIsNotOutdatedByThat() throws IOException {
        int seconds = 0;
        for (String module : CheckRecord.MODULES) {
            compiled(module, seconds += 10);
            record(module, "unit", seconds += 10, "");
        }
        assertThat(CheckRecord.read(home).doubt()).isEmpty();
    }

    private void recordsOfAllModules(int seconds) throws IOException {
        for (String module : CheckRecord.MODULES) {
            record(module, "unit", seconds, "");
        }
    }

    private void record(String module, String run, int seconds, String lines) throws IOException {
        record(module, run, "a.Tests", seconds, lines);
    }

    private void record(String module, String run, String testClass, int seconds, String lines) throws IOException {
        Path target = home.resolve(module).resolve("target");
        write(target.resolve("rules").resolve(run).resolve(testClass + ".tsv"), seconds, lines);
        write(target.resolve("test-classes").resolve(testClass.replace('.', '/') + ".class"), seconds, "");
    }

    private void compiled(String module, int seconds) throws IOException {
        write(home.resolve(module).resolve("target/classes/a/b/C.class"), seconds, "");
        write(home.resolve(module).resolve("target/classes/newer.properties"), 1000, "");
    }

    private static void write(Path file, int seconds, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000L));
    }
}
