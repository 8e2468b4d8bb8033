// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.form.YamlText;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import java.util.Map;

/** A region as it would stand in a file. */
final class RegionText {

    private RegionText() {}

    static String of(String name, RegionSpec region) {
        return YamlText.line(Map.of("regions", Map.of(name, RegionSpec.FORM.write(region))));
    }
}
