// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SiteTest {

    /** So often that the reflection of older JVMs makes code for it. */
    private static final int OFTEN = 40;

    @Test
    void siteIsTheLineOfWhoCalls() {
        String line = World.next();
        Site site = Site.ofCaller();
        assertThat(site.isEmpty()).isFalse();
        assertThat(site).hasToString(line);
    }

    @Test
    void siteOfALambdaIsItsOwnLine() {
        String line = World.next();
        Supplier<Site> supplier = () -> Site.ofCaller();
        assertThat(supplier.get()).hasToString(line);
    }

    private static Site helper() {
        return Site.ofCaller();
    }

    @Test
    void siteInAHelperNamesItsCallers() {
        String line = World.next();
        assertThat(helper()).asString().matches("SiteTest.java:[0-9]+ \\(called at " + line + "\\)");
        String lambda = World.next();
        Supplier<Site> supplier = () -> helper();
        assertThat(supplier.get()).asString().endsWith(" (called at " + lambda + ")");
    }

    @Test
    void reflectionIsNoSite() throws ReflectiveOperationException {
        Method asked = Site.class.getDeclaredMethod("ofCaller");
        for (int i = 0; i < OFTEN; i++) {
            String line = World.next();
            assertThat(asked.invoke(null)).hasToString(line);
        }
    }

    @Test
    void siteWithoutANameIsUnknown() {
        assertThat(Site.named("")).isSameAs(Site.UNKNOWN);
        assertThat(Site.UNKNOWN.isEmpty()).isTrue();
        assertThat(Site.named("a.yaml:7")).hasToString("a.yaml:7");
    }
}
