// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.scenario.ScenarioFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joins parts of {@code litmus}. */
final class LitmusMerge implements MergedParts {

    /** What the parts of one job have in common. */
    static Map<String, Object> job(List<ScenarioFile> files) {
        return Map.of("files", files.stream().map(ScenarioFile::name).toList());
    }

    /** The files of all parts, as they were named. */
    static List<String> files(ShardResult part) {
        return part.ofJob("files") instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** How many of its files a part has not explored. */
    @Override
    public long left(ShardResult part) {
        return part.shard().share(files(part).size()) - part.lines("explored").size();
    }

    /** Prints what one process would have printed, but for the times. */
    @Override
    public boolean tell(List<ShardResult> parts, Output output) {
        LitmusReport report = new LitmusReport(output, false, null);
        Map<String, List<List<Map<String, Object>>>> found = new LinkedHashMap<>();
        for (ShardResult part : parts) {
            List<Map<String, Object>> current = new ArrayList<>();
            for (Map<String, Object> line : part.lines()) {
                if ("explored".equals(line.get("kind"))) {
                    current = new ArrayList<>();
                    found.computeIfAbsent(String.valueOf(line.get("file")), name -> new ArrayList<>())
                            .add(current);
                }
                current.add(line);
            }
        }
        // The same name may be given twice.
        for (String name : files(parts.get(0))) {
            List<List<Map<String, Object>>> left = found.getOrDefault(name, List.of());
            if (!left.isEmpty()) {
                report.merged(left.remove(0));
            }
        }
        return report.finished();
    }
}
