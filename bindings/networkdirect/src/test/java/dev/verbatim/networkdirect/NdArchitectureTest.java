// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.verbatim.testing.Spoken;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NetworkDirect is made of verbs and connections, and knows nothing of the device below them. */
@Tag("smoke")
class NdArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("dev.verbatim.networkdirect");

    @Test
    void onlyVerbsConnectionsAndFabricsAreSeen() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.verbatim.networkdirect",
                        "dev.verbatim.verbs",
                        "dev.verbatim.cm",
                        "dev.verbatim.fabric",
                        "java..",
                        "org.jspecify.annotations")
                .check(CLASSES);
    }

    @Test
    void timeIsAskedOfTheDevice() {
        noClasses().should().callMethod(System.class, "nanoTime").check(CLASSES);
        noClasses().should().callMethod(System.class, "currentTimeMillis").check(CLASSES);
    }

    @Test
    void whatPublicMethodsReturnHasAText() {
        assertThat(Spoken.mute(NdAdapter.class, Set.of("dev.verbatim.networkdirect")))
                .isEmpty();
    }
}
