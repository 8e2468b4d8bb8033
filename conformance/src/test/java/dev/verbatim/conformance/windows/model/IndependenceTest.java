// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.verbatim.testing.LongTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A model that shared code with the device would share its mistakes. */
@Tag("smoke")
class IndependenceTest {

    @Test
    @LongTest
    void theModelSeesValuesOfVerbsOnly() {
        classes()
                .that(resideInAPackage("dev.verbatim.conformance.windows.model"))
                .and()
                .haveSimpleNameNotEndingWith("Test")
                .should()
                .onlyDependOnClassesThat(resideInAPackage("dev.verbatim.conformance.windows.model")
                        .or(resideInAPackage("java.."))
                        .or(resideInAPackage("org.jspecify.annotations"))
                        .or(Predicates.equivalentTo(dev.verbatim.verbs.AccessFlags.class))
                        .or(resideInAPackage("dev.verbatim.verbs").and(Predicates.assignableTo(Enum.class)))
                        .or(Predicates.equivalentTo(dev.verbatim.verbs.WcFlags.class)))
                .check(new ClassFileImporter()
                        .importPackages("dev.verbatim.conformance.windows.model", "dev.verbatim.verbs"));
    }
}
