// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** jqwik finds {@link FewerTries}, here and in the modules that use this one's tests. */
class FewerTriesTest {

    private static int made;

    @Property(tries = 80)
    void countsItsTries(@ForAll long any) {
        made++;
    }

    @AfterContainer
    static void thereIsAnEighthOfThem() {
        assertThat(made).isEqualTo(Tries.isLong() ? 80 : 10);
    }
}
