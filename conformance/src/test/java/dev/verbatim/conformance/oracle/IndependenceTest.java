// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.verbatim.testing.LongTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A checker that shared code with what it checks would share its mistakes. */
@Tag("smoke")
class IndependenceTest {

    @Test
    @LongTest
    void theOracleSeesVerbsAndTracesOnly() {
        classes()
                .that(resideInAPackage("dev.verbatim.conformance.oracle.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.verbatim.conformance.oracle..",
                        "dev.verbatim.verbs",
                        "dev.verbatim.trace",
                        "java..",
                        "org.jspecify.annotations")
                .check(new ClassFileImporter()
                        .withImportOption(location -> !location.contains("/test-classes/"))
                        .importPackages("dev.verbatim.conformance.oracle"));
    }
}
