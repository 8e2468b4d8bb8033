// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.conformance.scenario.ScenarioForm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The words of the scenario format, for completion: keys of mappings and values of lists of words, from its schema. */
final class StudioWords {

    private StudioWords() {}

    static List<String> all() {
        Set<String> words = new TreeSet<>();
        collect(ScenarioForm.jsonSchema(), words);
        return List.copyOf(words);
    }

    private static void collect(Object schema, Set<String> words) {
        if (schema instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("properties") && value instanceof Map<?, ?> properties) {
                    properties.keySet().forEach(name -> words.add(String.valueOf(name)));
                } else if ((key.equals("enum") && value instanceof List<?> values)) {
                    values.stream()
                            .filter(String.class::isInstance)
                            .map(String::valueOf)
                            .forEach(words::add);
                }
                collect(value, words);
            });
        } else if (schema instanceof List<?> list) {
            list.forEach(each -> collect(each, words));
        }
    }
}
