// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.verbatim.testing.Spoken;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The extension runs wherever a test of JUnit 5 does, and stands at the door of the core as users do. */
@Tag("smoke")
class JunitArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.verbatim.junit");

    @Test
    void onlyTheApiOfJunitAndPublicPackagesAreSeen() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.verbatim",
                        "dev.verbatim.junit",
                        "dev.verbatim.fabric",
                        "dev.verbatim.page",
                        "dev.verbatim.page.fold",
                        "dev.verbatim.place",
                        "dev.verbatim.profile",
                        "dev.verbatim.sanitizer",
                        "dev.verbatim.sim",
                        "dev.verbatim.trace",
                        "dev.verbatim.verbs",
                        "java..",
                        "org.jspecify.annotations",
                        "org.junit.jupiter.api..",
                        "org.junit.platform.commons.support",
                        "org.opentest4j")
                .check(CLASSES);
    }

    @Test
    void whatPublicMethodsReturnHasAText() {
        assertThat(Spoken.mute(OnFabric.class, Set.of("dev.verbatim.junit"))).isEmpty();
    }
}
