// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CallSiteTest {

    /** So often that the reflection of older JVMs makes code for it. */
    private static final int OFTEN = 40;

    @Test
    void siteIsTheLineOfWhoCalls() {
        String line = World.next();
        CallSite site = CallSite.ofCaller();
        assertThat(site.isEmpty()).isFalse();
        assertThat(site).hasToString(line);
    }

    @Test
    void siteOfALambdaIsItsOwnLine() {
        String line = World.next();
        Supplier<CallSite> supplier = () -> CallSite.ofCaller();
        assertThat(supplier.get()).hasToString(line);
    }

    private static CallSite helper() {
        return CallSite.ofCaller();
    }

    @Test
    void siteInAHelperNamesItsCallers() {
        String line = World.next();
        assertThat(helper()).asString().matches("CallSiteTest.java:[0-9]+ \\(called at " + line + "\\)");
        String lambda = World.next();
        Supplier<CallSite> supplier = () -> helper();
        assertThat(supplier.get()).asString().endsWith(" (called at " + lambda + ")");
    }

    @Test
    void reflectionIsNoSite() throws ReflectiveOperationException {
        Method asked = CallSite.class.getDeclaredMethod("ofCaller");
        for (int i = 0; i < OFTEN; i++) {
            String line = World.next();
            assertThat(asked.invoke(null)).hasToString(line);
        }
    }

    @Test
    void siteWithoutANameIsUnknown() {
        assertThat(CallSite.named("")).isSameAs(CallSite.UNKNOWN);
        assertThat(CallSite.UNKNOWN.isEmpty()).isTrue();
        assertThat(CallSite.named("a.yaml:7")).hasToString("a.yaml:7");
    }
}
